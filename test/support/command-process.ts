import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { waitUntil } from './wait-until.js';

export interface CommandEnd {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandProcess {
  /** Waits until it has written the text to standard error. */
  stderrHas(text: string): Promise<void>;
  readonly ended: Promise<CommandEnd>;
}

/** Starts a command of the compiled service in a process of its own; `main` as `compileService` answers it. */
export function startCommand(
  main: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): CommandProcess {
  const child = spawn(process.execPath, [join(dirname(main), 'cli.js'), ...parameters], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    async stderrHas(text) {
      await waitUntil(
        () => stderr,
        (written) => written.includes(text),
      );
    },
    ended: closed.then(([status]) => ({ status, stdout, stderr })),
  };
}
