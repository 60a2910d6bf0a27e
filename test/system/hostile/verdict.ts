import type { HostileRequest } from './generator.js';
import type { RawAnswer } from './raw-client.js';

/** Statuses that the specification, its decisions or HTTP itself give a request that this service cannot take. */
const STATUSES = new Set([
  200, 201, 202, 304, 400, 401, 403, 404, 405, 409, 413, 415, 417, 422, 429, 431, 501,
]);

/** Words of the inside, which no message may hold. */
const INTERNAL =
  /node_modules|\.[cm]?[jt]s\b|\n\s*at |Error\b(?<!Server error)|lmdb|mongo|nestjs|express|prototype|stack|ENOENT|ECONN|EPIPE|unexpected token|JSON at position/i;

/** A refusal of more is an amplifier. 500 entries of a bulk may each be named, with some messages. */
const LONGEST_REFUSAL = 200_000;
/**
 * Written whatever the answer: the answer itself, kept for retries, the count of wrong codes, and the progress of a rebuild
 * that an earlier request asked for.
 */
const KEPT = /^record (idempotency|otp_codes|view_rebuilds) /;

/** Faults of an answer to a hostile request. */
export function faultsOf(request: HostileRequest, answer: RawAnswer, writes: readonly string[]): string[] {
  const faults = [...formFaults(request, answer), ...effectFaults(request, answer, writes)];
  const asked = `${request.method} ${request.target.slice(0, 120)} (${request.route}, ${request.what})`;
  return faults.map((fault) => `${asked}: ${answer.status} ${answer.body.slice(0, 200)}: ${fault}`);
}

function effectFaults(request: HostileRequest, answer: RawAnswer, writes: readonly string[]): string[] {
  const faults: string[] = [];
  const lasting = writes.filter((write) => !KEPT.test(write));
  if (answer.status >= 400 && lasting.length > 0) faults.push(`refused, but wrote ${lasting.join('; ')}`);
  if (request.refused === true && answer.status < 400) faults.push('taken, though it is not good');
  if (answer.status >= 400 && answer.body.length > LONGEST_REFUSAL)
    faults.push('a refusal as long as a book');
  return faults;
}

function formFaults({ method, target }: HostileRequest, answer: RawAnswer): string[] {
  const { status, headers } = answer;
  const faults: string[] = [];
  if (!isOfInterface(status, target)) faults.push('a status that is none of the interface');
  if (headers['x-request-id'] === undefined) faults.push('no X-Request-Id');
  if (headers['x-injected'] !== undefined) faults.push('a header of the client’s');
  if (headers['x-powered-by'] !== undefined) faults.push('X-Powered-By');
  if (status < 400 || method === 'HEAD' || isPage(target, headers)) return faults;
  if (!/^application\/json; charset=utf-8$/.test(headers['content-type'] ?? '')) {
    faults.push(`the type ${headers['content-type']}`);
  }
  return [...faults, ...bodyFaults(answer)];
}

/** A mutated target may have become that of a page, which tells people of its faults and leads them on. */
function isOfPages(target: string): boolean {
  return /^\/*(?:dashboard\b.*|docs\b.*)?(?:\?.*)?$/.test(target);
}

function isOfInterface(status: number, target: string): boolean {
  return STATUSES.has(status) || (status === 303 && isOfPages(target));
}

function isPage(target: string, headers: RawAnswer['headers']): boolean {
  return isOfPages(target) && headers['content-type'] === 'text/html; charset=utf-8';
}

function bodyFaults({ status, body }: RawAnswer): string[] {
  let parsed: { message?: unknown; code?: unknown; hint?: unknown; errors?: unknown; details?: unknown };
  try {
    parsed = JSON.parse(body) as typeof parsed;
  } catch {
    return ['no JSON'];
  }
  const { message, code, hint, errors, details, ...more } = parsed;
  if (typeof message !== 'string' || message === '') return ['no message'];
  const faults = Object.keys(more).length > 0 ? [`also ${Object.keys(more).join()}`] : [];
  if (typeof code !== 'string' || !/^[a-z_]+$/.test(code)) faults.push('no code');
  if (INTERNAL.test(`${message} ${String(hint)}`)) faults.push('an internal word');
  faults.push(...detailFaults(errors, details));
  if (status === 403 && errors !== undefined) return [...faults, ...entryFaults(errors)];
  return [...faults, ...validationFaults(message === 'Validation failed.', status, errors)];
}

function validationFaults(isNamed: boolean, status: number, errors: unknown): string[] {
  if (errors === undefined) return isNamed ? ['the message without errors'] : [];
  const faults = errorFaults(errors);
  if (!isNamed) faults.push('errors without the message');
  if (status !== 422) faults.push('errors that are none of validation');
  return faults;
}

/** `details` holds each message of `errors`, with its field and a code. */
function detailFaults(errors: unknown, details: unknown = []): string[] {
  const each = Object.entries((errors ?? {}) as Record<string, readonly string[]>);
  const told = each.flatMap(([field, messages]) => messages.map((message) => `${field} ${message}`));
  const detailed = (details as { field: string; code: string; message: string }[]).map(
    ({ field, code, message }) => (/^[a-z_]+$/.test(code) ? `${field} ${message}` : 'no code'),
  );
  const isSame = told.sort().join('\n') === detailed.sort().join('\n');
  return isSame ? [] : ['details that do not say what errors say'];
}

/** Only an entry of several reports is named beside a 403. */
function entryFaults(errors: unknown): string[] {
  const faults = errorFaults(errors);
  if (faults.length > 0) return faults;
  const isOfEntries = Object.keys(errors as object).every((path) => /^entries\.\d+$/.test(path));
  return isOfEntries ? [] : ['errors of no entry beside a 403'];
}

function errorFaults(errors: unknown): string[] {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors))
    return ['errors that are no object'];
  const entries = Object.entries(errors as Record<string, unknown>);
  if (entries.length === 0) return ['errors without one'];
  const good = entries.every(
    ([, messages]) =>
      Array.isArray(messages) &&
      messages.length > 0 &&
      messages.every((message) => typeof message === 'string' && message.startsWith('The ')),
  );
  return good ? [] : ['errors of another form'];
}
