import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** In its container a service is process 1, or has one of the next numbers under an init process. */
const SERVICE_NUMBERS = 16;

/**
 * True if a service in another container may have the same process number. Then one of the two processes could not read,
 * because lmdb knows readers only by their process number.
 */
export function hasLowNumber(): boolean {
  return process.pid < SERVICE_NUMBERS;
}

/** Runs this command again as a child process, which gets a higher number. @returns its exit status */
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
