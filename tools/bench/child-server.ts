import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { announcedPort } from '#kernel/announcement.js';
import { memoryOf, type ProcessMemory, processorSeconds } from './process-figures.js';

/** A server in a process of its own. */
export interface ChildServer {
  readonly port: number;
  readonly pid: number;
  /** From the start of the process until it listens. */
  readonly startMilliseconds: number;
  /** The processor time of all threads so far. Undefined if the system does not show it. */
  processorSeconds(): number | undefined;
  memory(): ProcessMemory | undefined;
  /** Asks it to end, and kills it if it does not. `code` is null if it was killed. */
  stop(): Promise<{ readonly code: number | null; readonly milliseconds: number }>;
  kill(): void;
}

export interface ChildServerOptions {
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  /** Gets every line that the process writes. Absent: its error output is printed. */
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
}

const START_MILLISECONDS = 120_000;
const STOP_MILLISECONDS = 12_000;

/** Starts a server and waits until it prints its port. @throws Error if it does not */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { script, environment, nodeArguments = [], onLine = passErrorsOn } = options;
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeArguments, script], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid!;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = () => void child.kill('SIGKILL');
  // The server must not survive this process.
  process.once('exit', kill);
  void ended.then(() => process.removeListener('exit', kill));
  const port = await listeningPort(child, onLine).catch((error: Error) => {
    kill();
    throw new Error(`${script} ${error.message}`, { cause: error });
  });
  return {
    port,
    pid,
    startMilliseconds: performance.now() - began,
    processorSeconds: () => processorSeconds(pid),
    memory: () => memoryOf(pid),
    async stop() {
      const begun = performance.now();
      const late = setTimeout(kill, STOP_MILLISECONDS);
      child.kill('SIGTERM');
      const code = await ended;
      clearTimeout(late);
      return { code, milliseconds: performance.now() - begun };
    },
    kill,
  };
}

/** Reads the output until the process ends, because a full pipe would stop the process. */
function listeningPort(
  child: ChildProcess,
  onLine: NonNullable<ChildServerOptions['onLine']>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let written: string[] | undefined = [];
    const fail = (why: string) => reject(new Error(`${why}:\n${written?.join('\n')}`));
    const late = setTimeout(() => fail('did not start in time'), START_MILLISECONDS);
    child.once('close', () => {
      clearTimeout(late);
      fail('ended');
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[stream]! }).on('line', (line) => {
        onLine(line, stream);
        written?.push(line);
        const port = announcedPort(line);
        if (port === undefined) return;
        clearTimeout(late);
        written = undefined;
        resolve(port);
      });
    }
  });
}

function passErrorsOn(line: string, stream: 'stdout' | 'stderr'): void {
  if (stream === 'stderr') process.stderr.write(`${line}\n`);
}
