import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import type { LogLevel } from './environment.js';

/** Writes starts, stops and faults. Requests that went well are for metrics. */
export interface Logger {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
}

/** Members that hold credentials or personal details, wherever somebody logs an object that carries them. */
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
/** Nothing that is logged is nested deeper; what is, might have no end. */
const DEEPEST = 8;

/** Lines that wait for a reader who has stopped reading, in bytes; more are dropped. */
const MOST_WAITING = 16 * 1024 * 1024;

/** Lines that come while a write is under way go out together. Only the end of the process waits for them. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, maxLength: MOST_WAITING });
}

/** A pino instance that writes JSON lines to standard output, or to `destination`. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'storage-access' },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Done here, as pino's own way of it costs each line many times what writing it does.
    formatters: { log: (details: object) => censored(details) as Record<string, unknown> },
    serializers: { error: (error: Error) => censored({ ...pino.stdSerializers.err(error) }) },
  };
  return pino(options, destination ?? standardOutput());
}

/** The same without secrets. Errors are left to their serializer, and so is whatever makes JSON of itself. */
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

/** A logger that says nothing. For tests and for command line tools whose output is data. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};
