import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { processorSecondsWithChildren } from '../process-figures.js';

/** A new PostgreSQL server with its default durability. Clients connect through a socket in `folder`. */
export interface PostgresCluster {
  /** The output of `postgres --version`. */
  readonly version: string;
  readonly folder: string;
  /** The processor time of all its processes. */
  processorSeconds(): number | undefined;
  stop(): Promise<void>;
}

/** No PostgreSQL could be started. The message is one line. */
export class NoPostgresError extends Error {}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

const DEBIAN = '/usr/lib/postgresql';
const ACCOUNT = 'postgres';
const READY = 'ready to accept connections';

/** Makes a cluster in a temporary folder and starts it. @throws NoPostgresError */
export async function startPostgres(): Promise<PostgresCluster> {
  const programs = programFolder();
  const owner = ownerFor(process.getuid?.() ?? 0);
  const folder = await mkdtemp(join(tmpdir(), 'storage-access-peer-'));
  const data = join(folder, 'data');
  const remove = () => rm(folder, { recursive: true, force: true });
  const begin = (program: string, parameters: readonly string[]) =>
    spawn(join(programs, program), parameters, {
      ...owner,
      cwd: folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
  try {
    if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid!);
    const version = await textOf(begin('postgres', ['--version']));
    await textOf(begin('initdb', ['-D', data, '-U', ACCOUNT, '-A', 'trust', '-E', 'UTF8', '--no-locale']));
    const server = begin('postgres', ['-D', data, '-k', folder, '-h', '']);
    const quit = () => void server.kill('SIGQUIT');
    process.once('exit', quit);
    const stop = async () => {
      await end(server);
      process.removeListener('exit', quit);
      await remove();
    };
    await written(server, READY);
    const processorSeconds = () => processorSecondsWithChildren(server.pid!);
    return { version: version.trim(), folder, processorSeconds, stop };
  } catch (error) {
    await remove();
    const [line] = (error as Error).message.trim().split('\n');
    throw new NoPostgresError(`PostgreSQL could not be started: ${line}`);
  }
}

/** The folder of PostgreSQL's programs: in the path, or the newest of Debian's. @throws NoPostgresError */
function programFolder(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const newestFirst = versions.sort((one, other) => Number(other) - Number(one));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...newestFirst.map((version) => join(DEBIAN, version, 'bin')),
  ];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
  if (found === undefined) throw new NoPostgresError('There is no PostgreSQL here.');
  return found;
}

/** PostgreSQL does not run as root. Root runs it as the user `postgres`. @throws NoPostgresError */
function ownerFor(uid: number): Owner {
  if (uid !== 0) return {};
  const accounts = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : [];
  const fields = accounts.map((line) => line.split(':')).find(([name]) => name === ACCOUNT);
  if (fields === undefined) {
    throw new NoPostgresError(`PostgreSQL is not run by root, and there is no account ${ACCOUNT}.`);
  }
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** The output of a command. @throws Error with its error output if it fails */
async function textOf(child: ChildProcess): Promise<string> {
  let [text, complaints] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error(complaints || `status ${String(status)}`);
  return text;
}

/** Waits for a text in the server's log. @throws Error if the server ends before */
function written(server: ChildProcess, text: string): Promise<void> {
  let log = '';
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(log)));
    server.stderr!.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-10_000);
      if (log.includes(text)) resolve();
    });
  });
}

/** On SIGINT, PostgreSQL ends without waiting for its clients. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  await ended;
}
