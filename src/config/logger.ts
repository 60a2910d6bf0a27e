import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import type { LogLevel } from './environment.js';

/** What the service writes down: starts, stops and faults. Requests that went well are for metrics, not for the log. */
export interface Logger {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  info(details: object, message: string): void;
  debug(details: object, message: string): void;
}

/** Members that hold credentials or personal details, wherever somebody logs an object that carries them. */
const SECRET_MEMBERS = [
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
];

/** A pino instance that writes JSON lines to standard output, or to `destination`. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'storage-access' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`, `*.*.${member}`]),
      censor: '[redacted]',
    },
    serializers: { error: pino.stdSerializers.err },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** A logger that says nothing. For tests and for command line tools whose output is data. */
export const silentLogger: Logger = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};
