import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { runCommandLine } from '#cli/command-line.js';
import { compiledService } from './compiled-service.js';
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

/**
 * Starts a command of the service in a process of its own.
 * @param under a command that runs Node
 */
export async function startCommand(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
  under: readonly string[] = [],
): Promise<CommandProcess> {
  const { dist, packed } = await compiledService();
  const [program, ...words] = [...under, process.execPath, ...packed, join(dist, 'cli.js'), ...parameters];
  const child = spawn(program!, words, {
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

/** Runs a command in this process, with these variables and no others. */
export async function runHere(
  parameters: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<CommandEnd> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = Promise.all([textOf(stdout), textOf(stderr)]);
  const status = await runCommandLine(parameters, variables, { stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, errors] = await texts;
  return { status, stdout: out, stderr: errors };
}

async function textOf(stream: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
