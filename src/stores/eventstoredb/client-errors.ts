import { ErrorType, isCommandError } from '@eventstore/db-client';
import type { ExpectedRevision } from '#eventsourcing/log/event-store.js';

/** Why an append failed. Only after `unknown` its events may be stored. */
export type AppendFailure =
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision | 'damaged' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The client had no connection to a server. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The client's messages if it had no connection. */
const NEVER_SENT = /No connection established|^Failed to discover/;
const UNAUTHENTICATED = 16;

/** Errors after which another attempt cannot help. */
const REFUSALS: ReadonlySet<string> = new Set([
  ErrorType.ACCESS_DENIED,
  ErrorType.INVALID_ARGUMENT,
  ErrorType.UNSUPPORTED,
]);

/** Classifies the error that ended an append's call. */
export function appendFailure(error: unknown): AppendFailure {
  const reason = firstLineOf(error);
  const type = typeOf(error);
  if (isStreamDeleted(error)) return { kind: 'conflict', actual: 'damaged' };
  if (type !== undefined && REFUSALS.has(type)) return { kind: 'refused', reason };
  return { kind: NEVER_SENT.test(reason) ? 'not_sent' : 'unknown', reason };
}

/** True if reading or subscribing again cannot help. */
export function isRefusedByServer(error: unknown): boolean {
  const type = typeOf(error);
  return type !== undefined && REFUSALS.has(type);
}

/** True if the error is an answer of the server. */
export function isServerAnswer(error: unknown): boolean {
  const answers = [isRefusedByServer, isStreamNotFound, isStreamDeleted, isInvalidPosition];
  return answers.some((isAnswer) => isAnswer(error));
}

/** True for the client's answer to a read of a stream that does not exist. */
export function isStreamNotFound(error: unknown): boolean {
  return typeOf(error) === ErrorType.STREAM_NOT_FOUND;
}

/** True for the client's answer to a call for a stream with a tombstone. */
export function isStreamDeleted(error: unknown): boolean {
  return typeOf(error) === ErrorType.STREAM_DELETED;
}

/** True if the server refuses the user, or the user has too few rights. */
export function isAccessDenied(error: unknown): boolean {
  return typeOf(error) === ErrorType.ACCESS_DENIED;
}

/** True if the server refuses the user or the password. */
export function isUnauthenticated(error: unknown): boolean {
  return (error as { code?: unknown }).code === UNAUTHENTICATED;
}

/** True if the server refuses a position at which no event begins. */
export function isInvalidPosition(error: unknown): boolean {
  return error instanceof Error && /invalid ?position/i.test(error.message);
}

/** The first line of an error's message. */
export function firstLineOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? '';
}

/** Converts a 64-bit integer of the client. @throws RangeError above 2^53 */
export function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`The revision ${value} is beyond 2^53.`);
  return Number(value);
}

function typeOf(error: unknown): string | undefined {
  return error instanceof Error && isCommandError(error) ? error.type : undefined;
}
