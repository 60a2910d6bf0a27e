/**
 * Ends the process on SIGTERM and SIGINT until the application can drain. Imported first, because loading the service takes
 * about a second, and process 1 of a container ignores signals without a handler.
 */
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Safe at any time: no request is served yet, and the stores survive a crash. */
function end(signal: NodeJS.Signals): void {
  process.stderr.write(`Stopped by ${signal} before the start was complete.\n`);
  process.exit(0);
}

for (const signal of SIGNALS) process.on(signal, end);

/** Called when another handler takes over the signals. */
export function releaseEarlySignals(): void {
  for (const signal of SIGNALS) process.removeListener(signal, end);
}
