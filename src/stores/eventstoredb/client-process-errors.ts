import type { EventEmitter } from 'node:events';
import { firstLineOf } from './client-errors.js';

/** The errors of a broken connection: cancelled (1), internal (13: stream reset) and unavailable (14). */
const CONNECTION_CODES: readonly unknown[] = [1, 13, 14];

/**
 * When a connection breaks, the client rejects hundreds of promises that nobody handles. Node would end the process
 * because of them. This handler logs the first one and ignores the others: each call has its own deadline. Every other
 * unhandled rejection still ends the process.
 * @param log writes one line to the log
 * @returns a function that removes the handler
 */
export function installClientRejectionHandler(
  log: (line: string) => void,
  events: Pick<EventEmitter, 'on' | 'off'> = process,
): () => void {
  let reported = false;
  const onRejection = (error: unknown): void => {
    if (!isExpectedClientRejection(error)) throw error;
    if (!reported)
      log(
        `The connection to the event store was lost, and running calls with it (logged once): ${firstLineOf(error)}`,
      );
    reported = true;
  };
  const restoreWarnings = silenceServerNameWarning();
  events.on('unhandledRejection', onRejection);
  return () => {
    restoreWarnings();
    events.off('unhandledRejection', onRejection);
  };
}

/** Node's warning about a TLS connection to an IP address. The certificate is verified nevertheless. */
const SERVER_NAME_IS_ADDRESS = 'DEP0123';

/**
 * Hides this warning, because an administrator cannot change anything about it. Other warnings are printed as usual.
 * @returns a function that undoes it
 */
function silenceServerNameWarning(): () => void {
  const printers = process.listeners('warning');
  const print = (warning: Error & { readonly code?: string }) => {
    if (warning.code !== SERVER_NAME_IS_ADDRESS) for (const printer of printers) printer(warning);
  };
  process.removeAllListeners('warning');
  process.on('warning', print);
  return () => {
    process.off('warning', print);
    for (const printer of printers) process.on('warning', printer);
  };
}

/** True for the rejections after a broken connection. */
function isExpectedClientRejection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, details, type } = error as { code?: unknown; details?: unknown; type?: unknown };
  const fromTheWire = typeof details === 'string' || typeof type === 'string';
  return (
    (fromTheWire && CONNECTION_CODES.includes(code)) ||
    /^Failed to discover after \d+ attempts/.test(error.message)
  );
}
