import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { OPERATOR } from '../../../src/tools/bench/service-setup.js';
import { waitUntil } from '../../support/wait-until.js';

/** What the measured process tells of itself, once a second. */
export interface LoopSample {
  /** Milliseconds by which the event loop was late. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Bytes. */
  readonly rss: number;
  /** Resident without the pages of mapped files; all of it where the system does not tell. */
  readonly own: number;
  readonly heap: number;
}

/** How to start the service: a build of it, or its sources. */
export interface Program {
  readonly script: string;
  readonly nodeArguments: readonly string[];
}

export const SOURCES: Program = {
  script: join(__dirname, '../../../src/main.ts'),
  nodeArguments: ['-r', join(__dirname, '../../support/swc-register.cjs')],
};

/** The real process, on a folder that outlives it. */
export interface ServiceProcess {
  readonly port: number;
  readonly pid: number;
  readonly samples: readonly LoopSample[];
  /** Lines that it logged, warnings and worse. */
  readonly logged: readonly string[];
  /** Sends SIGTERM and waits for the end. `code` is null where a signal ended it. */
  stop(): Promise<{ readonly code: number | null; readonly milliseconds: number }>;
  kill(): void;
}

export async function startService(program: Program, folder: string): Promise<ServiceProcess> {
  const parameters = [...program.nodeArguments, '-r', join(__dirname, 'loop-delay.cjs'), program.script];
  const child = spawn(process.execPath, parameters, {
    env: { PATH: process.env['PATH'] ?? '', ...environment(folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const samples: LoopSample[] = [];
  const logged: string[] = [];
  let port = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const found = /listening on port (\d+)/.exec(line)?.[1];
    if (found !== undefined) port = Number(found);
    // The service logs JSON lines; what it announces at its start is text.
    else if (line.startsWith('{')) logged.push(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('LOOP ')) samples.push(JSON.parse(line.slice(5)) as LoopSample);
    else logged.push(line);
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await waitUntil(
    () => ({ port, code: child.exitCode, logged }),
    (seen) => seen.port > 0 || seen.code !== null,
  );
  if (port === 0) throw new Error(`The service did not start: ${logged.join('\n')}`);
  return {
    port,
    pid: child.pid!,
    samples,
    logged,
    async stop() {
      const began = performance.now();
      child.kill('SIGTERM');
      const code = await ended;
      return { code, milliseconds: performance.now() - began };
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function environment(folder: string): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: folder,
    OPERATOR_EMAIL: OPERATOR.email,
    OPERATOR_PASSWORD: OPERATOR.password,
    RATE_LIMIT_PMS_WRITES: '1000000',
    RATE_LIMIT_PMS_BULK: '1000000',
    LOG_LEVEL: 'warn',
  };
}
