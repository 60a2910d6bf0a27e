import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** A server in a process of its own. */
export interface ChildServer {
  readonly port: number;
  /** Processor time the process has used, all threads, in seconds; undefined where the system does not tell. */
  cpuSeconds(): number | undefined;
  /** Ends it in good order, or after a while in any. */
  stop(): Promise<void>;
}

export interface ChildServerOptions {
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
}

const START_MILLISECONDS = 30_000;
const STOP_MILLISECONDS = 12_000;

/** Starts a server and waits until it says `listening on port N`. */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { script, environment, nodeArguments = [] } = options;
  const child = spawn(process.execPath, [...nodeArguments, script], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const port = await portOf(child, script);
    return { port, cpuSeconds: () => cpuSecondsOf(child.pid), stop: () => stop(child) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function portOf(child: ChildProcess, script: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (why: string) => reject(new Error(`${script} ${why}:\n${text}`));
    const late = setTimeout(() => fail('did not start in time'), START_MILLISECONDS);
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      const port = /listening on port (\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      resolve(Number(port));
      text = '';
    };
    child.stdout!.on('data', read);
    child.stderr!.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    child.once('exit', () => fail('ended'));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(late);
}

/** Fields 14 and 15 of `/proc/{pid}/stat`: ticks in user and in kernel mode, a hundred a second on every Linux. */
function cpuSecondsOf(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}
