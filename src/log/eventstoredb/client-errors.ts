import { ErrorType, isCommandError } from '@eventstore/db-client';
import type { ExpectedRevision } from '../event-store.js';

/** The meaning of a failed append. Only `conflict`, `too_large`, `refused` and `not_sent` say that nothing was stored. */
export type AppendFailure =
  | { readonly kind: 'conflict'; readonly actual: ExpectedRevision }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The client never reached a server with it. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** The client's message if it had no connection to send on. */
const NEVER_SENT = /No connection established|^Failed to discover/;
const UNAUTHENTICATED = 16;

/** The server refuses for good: trying again cannot help. */
const REFUSALS: ReadonlySet<string> = new Set([
  ErrorType.STREAM_DELETED,
  ErrorType.ACCESS_DENIED,
  ErrorType.INVALID_ARGUMENT,
  ErrorType.UNSUPPORTED,
]);

/** Classifies what ended the call that an append was sent on. */
export function appendFailure(error: unknown): AppendFailure {
  const reason = reasonOf(error);
  const type = typeOf(error);
  if (type !== undefined && REFUSALS.has(type)) return { kind: 'refused', reason };
  return { kind: NEVER_SENT.test(reason) ? 'not_sent' : 'unknown', reason };
}

/** True where reading or subscribing again cannot help. */
export function isRefusal(error: unknown): boolean {
  const type = typeOf(error);
  return type !== undefined && REFUSALS.has(type);
}

/** True where the server itself has said no, whatever it said. */
export function isSpoken(error: unknown): boolean {
  return isRefusal(error) || isStreamNotFound(error) || isInvalidPosition(error);
}

/** True for the client's answer to a read of a stream that does not exist. */
export function isStreamNotFound(error: unknown): boolean {
  return typeOf(error) === ErrorType.STREAM_NOT_FOUND;
}

/** True where the server wants another user, or wants it to have more rights. */
export function isAccessDenied(error: unknown): boolean {
  return typeOf(error) === ErrorType.ACCESS_DENIED;
}

/** Access was denied: the user or the password is not known. */
export function isUnauthenticated(error: unknown): boolean {
  return (error as { code?: unknown }).code === UNAUTHENTICATED;
}

/** True for the refusal of a place in the log at which no event begins. */
export function isInvalidPosition(error: unknown): boolean {
  return error instanceof Error && /invalid ?position/i.test(error.message);
}

/** One line on what the client said, for messages and logs. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n', 1)[0] ?? '';
}

/** A 64-bit number of the client as a number. @throws RangeError beyond what a number holds exactly. */
export function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`The revision ${value} is beyond 2^53.`);
  return Number(value);
}

function typeOf(error: unknown): string | undefined {
  return error instanceof Error && isCommandError(error) ? error.type : undefined;
}
