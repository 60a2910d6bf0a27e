import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from './wait-until.js';

export interface Child {
  /** Lines of its standard output so far. */
  readonly lines: readonly string[];
  readonly pid: number;
  /** Waits for a line that begins so. */
  line(beginning: string): Promise<string>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Resolves with the exit code; null after a signal. */
  readonly ended: Promise<number | null>;
}

/** Runs a TypeScript file of the project in a Node process of its own. */
export function startChild(script: string, ...parameters: string[]): Child {
  return startChildUnder([], script, ...parameters);
}

/** As {@link startChild}. @param under a command that runs Node */
export function startChildUnder(under: readonly string[], script: string, ...parameters: string[]): Child {
  const register = join(__dirname, '..', '..', 'scripts', 'run-typescript.cjs');
  const [program, ...words] = [...under, process.execPath, '-r', register, script, ...parameters];
  const child = spawn(program!, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    lines,
    pid: child.pid!,
    ended,
    async line(beginning) {
      const find = (): string | undefined => lines.find((line) => line.startsWith(beginning));
      const seen = await waitUntil(
        () => ({ found: find(), lines: lines.slice(-3), errors: errors.slice(-10), code: child.exitCode }),
        ({ found, code }) => found !== undefined || code !== null,
      );
      if (seen.found === undefined)
        throw new Error(`The child ended without "${beginning}": ${JSON.stringify(seen)}`);
      return seen.found;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
