import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { transform } from '@swc/core';
import { temporaryFolder, type TemporaryFolder } from './temporary-folder.js';
import { waitUntil } from './wait-until.js';

const ROOT = join(__dirname, '..', '..');
const SOURCE = join(ROOT, 'src');

/** The service as JavaScript in a folder of its own, made once: processes of it start in a moment. */
export async function compileService(): Promise<TemporaryFolder & { readonly main: string }> {
  const folder = await temporaryFolder();
  const output = join(folder.path, 'dist');
  const names = await readdir(SOURCE, { recursive: true });
  await Promise.all(names.map((name) => compile(join(SOURCE, name), output)));
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  await symlink(join(ROOT, 'package.json'), join(folder.path, 'package.json'));
  return { ...folder, main: join(output, 'main.js') };
}

async function compile(file: string, output: string): Promise<void> {
  if (!file.endsWith('.ts')) return;
  const { code } = await transform(await readFile(file, 'utf8'), {
    filename: file,
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2022',
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  });
  const target = join(output, relative(SOURCE, file)).replace(/\.ts$/, '.js');
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, code);
}

export interface ServiceProcess {
  readonly pid: number;
  /** Lines of its standard output so far. */
  readonly lines: readonly string[];
  /** Lines of its standard error so far. */
  readonly errors: readonly string[];
  /** The port it listens on; rejects where it ended before it listened. */
  port(): Promise<number>;
  signal(name: 'SIGKILL' | 'SIGTERM'): void;
  /** Resolves with the exit status; null after a signal that it did not take. */
  readonly ended: Promise<number | null>;
}

/** Starts the service in a process of its own, with nothing of this process's environment but the path. */
export function startServiceProcess(
  main: string,
  environment: Readonly<Record<string, string>>,
): ServiceProcess {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    pid: child.pid!,
    lines,
    errors,
    ended,
    async port() {
      const found = () => lines.map((line) => /listening on port (\d+)/.exec(line)?.[1]).find(Boolean);
      const seen = await waitUntil(
        () => ({ port: found(), errors, status: child.exitCode ?? child.signalCode }),
        ({ port, status }) => port !== undefined || status !== null,
      );
      if (seen.port === undefined) throw new Error(`The service did not listen: ${JSON.stringify(seen)}`);
      return Number(seen.port);
    },
    signal: (name) => void child.kill(name),
  };
}
