/**
 * Ends the process on SIGTERM and SIGINT until the application can drain. Imported first of all: process 1 of a
 * container does not get a signal without a handler, and loading the service takes about a second.
 */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Nothing is served yet, and the stores survive a stop at any instant. */
function end(signal: NodeJS.Signals): void {
  process.stderr.write(`Stopped by ${signal} before the start was complete.\n`);
  process.exit(0);
}

for (const signal of SIGNALS) process.on(signal, end);

/** From here on another handler ends the process. */
export function releaseEarlySignals(): void {
  for (const signal of SIGNALS) process.removeListener(signal, end);
}
