import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { announcedOperator, announcedPort, type MadeOperator } from '#kernel/announcement.js';

/** The service in its own process, with a temporary folder and a free port. */
export interface RunningService {
  readonly url: string;
  /** The operator that the first start has made, with the printed password. */
  readonly operator: MadeOperator;
  /** The file with the text messages that the service would send. */
  readonly outbox: string;
  /** The text messages in {@link outbox}. */
  sentMessages(): Promise<{ readonly to: string; readonly body: string }[]>;
  /** Warnings and errors of the service's log, newest last. */
  complaints(): readonly string[];
  /** Ends the service and removes its folder. Resolves with the exit status, or null if it was killed. */
  stop(): Promise<number | null>;
}

const START_TIME = 30_000;
const STOP_TIME = 12_000;

/**
 * Starts the compiled service.
 * @param pages origin of the pages that may call it
 * @throws Error if it does not start
 */
export async function startService(pages?: string): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-access-demo-'));
  const child = spawn(process.execPath, [join(__dirname, '..', '..', 'dist', 'main.js')], {
    env: {
      ...environmentOf(process.env),
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      LOG_LEVEL: 'info',
      ACCESS_LOG: 'false',
      ...(pages === undefined ? {} : { CORS_ORIGINS: pages }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const clearAway = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', clearAway);
  const stop = async () => {
    const status = await end(child);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    process.removeListener('exit', clearAway);
    return status;
  };
  const lines = linesOf(child);
  const outbox = join(folder, 'sms-outbox.ndjson');
  try {
    const { port, operator } = await announcement(child, lines);
    return {
      url: `http://127.0.0.1:${port}`,
      operator,
      outbox,
      sentMessages: () => readMessages(outbox),
      complaints: () => lines.filter((line) => line.startsWith('{')),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The variables that any process needs, without the user's settings for another service. */
function environmentOf(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, TZ, SystemRoot, TEMP } = variables;
  return { PATH, HOME, TMPDIR, TZ, SystemRoot, TEMP };
}

/** The output so far. It must be read, because a full pipe would stop the process. */
function linesOf(child: ChildProcess): readonly string[] {
  const lines: string[] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => void lines.push(line));
  return lines;
}

/** Waits until the service has printed its port and the first operator. */
function announcement(
  child: ChildProcess,
  lines: readonly string[],
): Promise<{ readonly port: number; readonly operator: MadeOperator }> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`The service did not start. It printed:\n${lines.join('\n')}`));
    const late = setTimeout(fail, START_TIME);
    const look = () => {
      const port = firstOf(lines, announcedPort);
      const operator = firstOf(lines, announcedOperator);
      if (port === undefined || operator === undefined) return;
      settle();
      resolve({ port, operator });
    };
    const poll = setInterval(look, 20);
    const settle = () => {
      clearTimeout(late);
      clearInterval(poll);
    };
    child.once('close', () => {
      settle();
      fail();
    });
  });
}

function firstOf<T>(lines: readonly string[], read: (line: string) => T | undefined): T | undefined {
  return lines.map(read).find((found) => found !== undefined);
}

async function readMessages(file: string): Promise<{ to: string; body: string }[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as { to: string; body: string });
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIME);
  child.kill('SIGTERM');
  const [status] = await ended;
  clearTimeout(late);
  return status;
}
