import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import type { LogLevel } from './environment/environment.js';

export interface Logger {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
}

/** Members with credentials or personal details. Their values are never logged. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'authorization',
  'auth_header',
  'auth_token',
  'cookie',
  'email',
  'key',
  'otp',
  'password',
  'phone',
  'phone_number',
  'secret',
  'token',
]);
const CENSOR = '[redacted]';
/** Deeper values are censored, because they might be circular. */
const DEEPEST = 8;

/** Bytes of lines that may wait if nobody reads standard output. Further lines are dropped. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

/** Asynchronous: lines that come during a write are written together. The end of the process waits for them. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING_BYTES });
}

/** A pino instance that writes JSON lines to standard output, or to `destination`. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'storage-access' },
    timestamp: pino.stdTimeFunctions.isoTime,
    // pino's own redaction is many times slower.
    formatters: { log: (details: object) => censored(details) as Record<string, unknown> },
    serializers: { error: (error: Error) => censored({ ...pino.stdSerializers.err(error) }) },
  };
  return pino(options, destination ?? standardOutput());
}

/** A copy without secrets. It copies only plain objects and arrays; errors have their own serializer. */
function censored(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return CENSOR;
  if (Array.isArray(value)) return value.map((one) => censored(one, depth + 1));
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    copy[name] = SECRET_MEMBERS.has(name) ? CENSOR : censored(member, depth + 1);
  }
  return copy;
}

/** For tests, and for commands whose output is data. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};
