import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNotConnectedError,
  MongoServerError,
} from 'mongodb';
import { StoreUnavailableError } from '../../storage/store.errors.js';

/** An index of the database is not what this version of the service declares. The start ends with its message. */
export class IndexDiffersError extends Error {
  readonly code = 'index_differs';

  constructor(
    readonly collection: string,
    readonly index: string,
    detail: string,
  ) {
    super(`Index ${index} of collection ${collection} differs from its declaration: ${detail}`);
    this.name = 'IndexDiffersError';
  }
}

const unauthorized = 13;
/** User not found, authentication failed, and what a hosted MongoDB says instead. */
const loginRefusals: readonly unknown[] = [11, 18, 8_000];

/** Whether the server wants another user, or wants it to have more rights. */
export function isAccessRefusal(error: unknown): boolean {
  const code = errorCode(error);
  return code === unauthorized || loginRefusals.includes(code);
}

export type CallKind = 'read' | 'write';

/** The connection holds; the call itself was refused. Another call of the same batch may pass. */
export class RefusedCallError extends StoreUnavailableError {}

/** Not primary, primary stepped down, shutting down, interrupted: true of each call alike. */
const stateCodes: readonly unknown[] = [91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436];

/** The port's error for whatever the driver threw. The driver's error is quoted and not attached: it stays inside. */
export function unavailable(error: unknown, kind: CallKind): StoreUnavailableError {
  if (error instanceof StoreUnavailableError) return error;
  const cause = driverCause(error);
  const text = cause instanceof Error ? cause.message : String(cause);
  const isUnknown = kind === 'write' && !isHarmless(cause);
  const Unavailable = isRefusal(cause) ? RefusedCallError : StoreUnavailableError;
  return new Unavailable(`MongoDB: ${text}`, isUnknown);
}

function isRefusal(cause: unknown): boolean {
  if (cause instanceof MongoServerError) return !stateCodes.includes(cause.code);
  return !(cause instanceof MongoError) || cause instanceof MongoInvalidArgumentError;
}

/**
 * Whether a failed write surely changed nothing. "No server found" does not prove it: the driver searches again after
 * an attempt that it sent, and reports only the search.
 */
function isHarmless(cause: unknown): boolean {
  // A document that cannot be encoded fails before anything is sent.
  if (!(cause instanceof MongoError)) return true;
  if (cause instanceof MongoInvalidArgumentError || cause instanceof MongoNotConnectedError) return true;
  return cause.code === unauthorized;
}

/** A bulk wraps what cut it short. */
function driverCause(error: unknown): unknown {
  const inner = error instanceof MongoBulkWriteError ? (error.errorResponse as unknown) : undefined;
  return inner instanceof Error ? inner : error;
}

/** Whether the server answered every write of a bulk, some with an error of their own. */
export function isAnsweredBulk(error: unknown): error is MongoBulkWriteError {
  return (
    error instanceof MongoBulkWriteError &&
    driverCause(error) === error &&
    error.result.hasWriteErrors() &&
    error.result.getWriteConcernError() === undefined
  );
}

/** Whether the server itself has said no, whatever it said. */
export function isSpoken(error: unknown): boolean {
  return driverCause(error) instanceof MongoServerError;
}

export function errorCode(error: unknown): unknown {
  return error instanceof MongoError ? error.code : undefined;
}

export function isDuplicateKey(code: unknown): boolean {
  return code === 11_000 || code === 11_001;
}

/** Whether a collection is not there; some servers send the text without the code. */
export function isNamespaceMissing(error: unknown): boolean {
  const namespaceNotFound = 26;
  if (!(error instanceof MongoError)) return false;
  return error.code === namespaceNotFound || error.message.startsWith('ns not found');
}

const indexInMessage = /\bindex: (?:\S+\.\$)?(\S+)|\bIndex '([^']+)'/;

/**
 * The name of the index whose key is taken. MongoDB 5 to 8 send a `keyPattern`, which the driver keeps from bulks, and
 * like their stand-ins name the index in the message (`index: by_email dup key`); DocumentDB writes `Index 'by_email'`.
 */
export function duplicateIndex(error: {
  readonly errmsg?: string | undefined;
  readonly keyPattern?: Readonly<Record<string, unknown>> | undefined;
}): string | undefined {
  if (error.keyPattern !== undefined && Object.keys(error.keyPattern).join() === '_id') return '_id_';
  const match = indexInMessage.exec(error.errmsg ?? '');
  return match?.[1] ?? match?.[2];
}
