import {
  MongoBulkWriteError,
  MongoError,
  MongoInvalidArgumentError,
  MongoNotConnectedError,
  MongoServerError,
} from 'mongodb';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';

/** An index of the database differs from the declared one. The start ends with this message. */
export class IndexDiffersError extends Error {
  readonly code = 'index_differs';

  constructor(
    readonly collection: string,
    readonly index: string,
    detail: string,
  ) {
    super(`Index ${index} of collection ${collection} differs from its declaration: ${detail}`);
  }
}

const unauthorized = 13;
/** User not found, authentication failed, and the code of a hosted MongoDB for both. */
const loginRefusals: readonly unknown[] = [11, 18, 8_000];

/** True if the server refuses the user, or the user has too few rights. */
export function isAccessRefusal(error: unknown): boolean {
  const code = mongodbCode(error);
  return code === unauthorized || loginRefusals.includes(code);
}

export type CallKind = 'read' | 'write';

/** The server refused the call although the connection works. It may accept other calls of the same batch. */
export class RefusedCallError extends StoreUnavailableError {}

/** Not primary, primary stepped down, shutting down, interrupted: the server refuses every call. */
const stateCodes: readonly unknown[] = [91, 189, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436];

/** The port's error for an error of the driver. It quotes the driver's message, because driver errors stay in here. */
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
 * True if a failed write certainly changed nothing. "No server found" does not prove that: the driver also reports it
 * if it sent the write first and then lost the server.
 */
function isHarmless(cause: unknown): boolean {
  // A document that cannot be encoded fails before anything is sent.
  if (!(cause instanceof MongoError)) return true;
  if (cause instanceof MongoInvalidArgumentError || cause instanceof MongoNotConnectedError) return true;
  return cause.code === unauthorized;
}

/** The error inside the driver's error for an interrupted bulk. */
function driverCause(error: unknown): unknown {
  const inner = error instanceof MongoBulkWriteError ? (error.errorResponse as unknown) : undefined;
  return inner instanceof Error ? inner : error;
}

/** True if the server answered every write of a bulk, some with an error. */
export function isAnsweredBulk(error: unknown): error is MongoBulkWriteError {
  return (
    error instanceof MongoBulkWriteError &&
    driverCause(error) === error &&
    error.result.hasWriteErrors() &&
    error.result.getWriteConcernError() === undefined
  );
}

/** True if the error is an answer of the server. */
export function isServerAnswer(error: unknown): boolean {
  return driverCause(error) instanceof MongoServerError;
}

export function mongodbCode(error: unknown): unknown {
  return error instanceof MongoError ? error.code : undefined;
}

export function isDuplicateKey(code: unknown): boolean {
  return code === 11_000 || code === 11_001;
}

/** True if the collection does not exist. Some servers send the text without the code. */
export function isNamespaceMissing(error: unknown): boolean {
  const namespaceNotFound = 26;
  if (!(error instanceof MongoError)) return false;
  return error.code === namespaceNotFound || error.message.startsWith('ns not found');
}

const indexInMessage = /\bindex: (?:\S+\.\$)?(\S+)|\bIndex '([^']+)'/;

/**
 * The name of the index whose key is taken. Outside of bulks MongoDB sends a `keyPattern`. In bulks only the message
 * names the index: `index: by_email dup key`, or `Index 'by_email'` on DocumentDB.
 */
export function duplicateIndex(error: {
  readonly errmsg?: string | undefined;
  readonly keyPattern?: Readonly<Record<string, unknown>> | undefined;
}): string | undefined {
  if (error.keyPattern !== undefined && Object.keys(error.keyPattern).join() === '_id') return '_id_';
  const match = indexInMessage.exec(error.errmsg ?? '');
  return match?.[1] ?? match?.[2];
}
