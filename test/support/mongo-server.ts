import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { waitUntil } from './wait-until.js';

const folder = resolve(process.cwd(), 'test/servers/mongo');

/** A server that suites run against: the one that `TEST_MONGODB_URL` names, or a stand-in of this process. */
export interface MongoServer {
  readonly url: string;
  /** The stand-in never removes expired documents and sorts strings by UTF-16 unit. */
  readonly isStandIn: boolean;
  stop(): Promise<void>;
}

/** A server that a test may end and freeze. */
export interface MongoStandIn extends MongoServer {
  /** Once it resolves, the server accepts and answers nothing. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends it at once, with SIGKILL. */
  kill(): Promise<void>;
}

/** Why the stand-in cannot be started here; undefined where it can. */
export function whyNoStandIn(): string | undefined {
  if (!existsSync(join(folder, 'target/classes/Starter.class'))) {
    return 'test/servers/mongo/prepare.sh has not been run (it needs Java 17 and Maven)';
  }
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'there is no Java';
  }
}

/** Declares a suite that runs against the server that `TEST_MONGODB_URL` names, else against the stand-in. */
export function describeWithMongo(name: string, suite: () => void): void {
  const isNamed = process.env['TEST_MONGODB_URL'] !== undefined;
  const reason = isNamed ? undefined : whyNoStandIn();
  declare(name, suite, reason && `TEST_MONGODB_URL is not set and ${reason}`, true);
}

/**
 * Declares a suite that ends and starts its server, and so never touches one that is named. Whoever names one wants the other
 * suites: without the stand-in this one is left out.
 */
export function describeWithMongoStandIn(name: string, suite: () => void): void {
  declare(name, suite, whyNoStandIn(), process.env['TEST_MONGODB_URL'] === undefined);
}

/** A suite without its server says so and counts as passed. With `REQUIRE_SERVERS=1` it fails. */
function declare(name: string, suite: () => void, reason: string | undefined, isRequired: boolean): void {
  if (reason === undefined) {
    describe(name, () => {
      suite();
    });
    return;
  }
  const line = `${name}: not run, as ${reason}.`;
  describe(`${name} (not run)`, () => {
    test(line, () => {
      process.stderr.write(`${line}\n`);
      const mustRun = isRequired && process.env['REQUIRE_SERVERS'] === '1';
      expect({ mustRun, line }).toEqual({ mustRun: false, line });
    });
  });
}

/** The server for a suite: a stand-in with its data in memory unless a real one is named. */
export async function mongoServer(): Promise<MongoServer> {
  const url = process.env['TEST_MONGODB_URL'];
  if (url !== undefined) return { url, isStandIn: false, stop: () => Promise.resolve() };
  return startStandIn('memory');
}

/** @param storage `memory` or a file @param port 0 for any that is free */
export async function startStandIn(storage: string, port = 0): Promise<MongoStandIn> {
  const classPath = [join(folder, 'target/lib/*'), join(folder, 'target/classes')].join(':');
  const child = spawn('java', ['-Xmx256m', '-cp', classPath, 'Starter', String(port), storage], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    const listening = /^listening on (\d+)$/.exec(line)?.[1];
    if (listening === undefined) continue;
    return {
      url: `mongodb://127.0.0.1:${listening}`,
      isStandIn: true,
      stop: () => end(child, 'SIGTERM'),
      kill: () => end(child, 'SIGKILL'),
      freeze: () => freeze(child),
      thaw: () => void child.kill('SIGCONT'),
    };
  }
  throw new Error('The MongoDB stand-in did not start.');
}

async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  // Each thread stops by itself, and until then may answer. Other systems than Linux do not show them.
  const threads = `/proc/${child.pid}/task`;
  if (existsSync(threads))
    await waitUntil(() => readdirSync(threads).every((thread) => isStopped(threads, thread)));
}

function isStopped(threads: string, thread: string): boolean {
  return /\) T /.test(readFileSync(join(threads, thread, 'stat'), 'utf8'));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  // A frozen one ends by no signal but SIGKILL.
  child.kill('SIGCONT');
  await ended;
}

export interface TestDatabase {
  readonly name: string;
  remove(): Promise<void>;
}

/** A database of a suite's own, as a server that is shared keeps what others wrote. */
export function testDatabase(server: MongoServer): TestDatabase {
  const name = `test_${randomUUID()}`;
  return {
    name,
    async remove() {
      const client = new MongoClient(server.url, { serverSelectionTimeoutMS: 2_000 });
      await client.db(name).dropDatabase();
      await client.close();
    },
  };
}

/** The address with another database in it. */
export function withDatabase(url: string, database: string): string {
  const { 1: base, 2: query } = /^([^/]+\/\/[^/]+)\/?[^?]*(\?.*)?$/.exec(url)!;
  return `${base}/${database}${query ?? ''}`;
}
