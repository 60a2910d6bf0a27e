import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A service is process 1 of its container, or one of the next numbers under an init. */
const SERVICE_NUMBERS = 16;

/**
 * Whether a service in another container may have this process's number. lmdb tells readers apart by process number
 * alone, so one of the two could not read.
 */
export function hasLowNumber(): boolean {
  return process.pid < SERVICE_NUMBERS;
}

/** Runs this command again as a child, which has a higher number. @returns its exit status */
export function runAgain(): Promise<number> {
  const [program, ...parameters] = process.argv;
  const child = spawn(program!, [...process.execArgv, ...parameters], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`storage-access: ${error.message}\n`);
      resolve(1);
    });
    child.once('close', (status, signal) => {
      resolve(status ?? 128 + constants.signals[signal ?? 'SIGKILL']);
    });
  });
}
