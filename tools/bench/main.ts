import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startChildServer } from './child-server.js';
import type { Contestant } from './contestant.js';
import { LoadGenerator } from './load/load-generator.js';
import { measureLogCost } from './log/log-cost.js';
import { logReport } from './log/log-report.js';
import { type Build, startMeasuredService } from './measured-service.js';
import { type BenchOptions, readOptions, USAGE, UsageError } from './options.js';
import { runOnNode } from './other-node.js';
import { NoPostgresError } from './peer/postgres-cluster.js';
import { startPeer } from './peer/start-peer.js';
import { report, THIS } from './report.js';
import { type Row, rowsNamed, runRounds } from './rounds.js';
import { measureScale, scaleRows } from './scale/scale.js';
import { scaleReport } from './scale/scale-report.js';
import { type NamedServers, namedServers, placeOn } from './servers.js';
import { syncMilliseconds } from './sync-time.js';

/** Stops everything that was started, in the reverse order. */
class Started {
  readonly #all: { stop(): Promise<unknown> }[] = [];

  keep<One extends { stop(): Promise<unknown> }>(one: One): One {
    this.#all.push(one);
    return one;
  }

  async stop(): Promise<void> {
    for (let one = this.#all.pop(); one !== undefined; one = this.#all.pop()) await one.stop();
  }
}

async function bench(options: BenchOptions): Promise<string> {
  const rows = options.scale === undefined ? rowsNamed(options.only) : scaleRows(options.only);
  demandOneRun(options);
  if (rows.length === 0 && options.log === undefined) throw new UsageError('No row has such a name.');
  const started = new Started();
  process.once('SIGINT', () => void started.stop().then(() => process.exit(130)));
  try {
    if (options.log === undefined) return await measure(options, rows, started);
    return await measureLog(options, options.log, started);
  } finally {
    await started.stop();
  }
}

function demandOneRun({ log, against, scale }: BenchOptions): void {
  if (log !== undefined && (against ?? scale) !== undefined)
    throw new UsageError('--log is a run of its own, without --against and --scale.');
}

async function measureLog(options: BenchOptions, where: string, started: Started): Promise<string> {
  const { url, text } = await eventStoreAt(where, started);
  return `${text}\n\n${logReport(await measureLogCost(url, options))}`;
}

async function eventStoreAt(where: string, started: Started): Promise<{ url: string; text: string }> {
  if (where !== 'named') {
    const { port } = started.keep(await startChildServer({ script: where, environment: {} }));
    return { url: `esdb://127.0.0.1:${port}?tls=false`, text: `Events on what ${where} starts.` };
  }
  const { EVENTSTORE_URL } = process.env;
  if (EVENTSTORE_URL === undefined) throw new UsageError('--log named takes the server of EVENTSTORE_URL.');
  return { url: EVENTSTORE_URL, text: namedServers({ EVENTSTORE_URL }).text };
}

async function measure(options: BenchOptions, rows: readonly Row[], started: Started): Promise<string> {
  const servers = namedServers(process.env);
  if (Object.keys(servers.environment).length > 0 && options.scale !== undefined)
    throw new UsageError('--scale takes the embedded stores.');
  const flush = (await syncMilliseconds()).toFixed(2);
  const sync = `Node ${process.version}. One small durable write on this disk: ${flush} ms. ${servers.text}`;
  const load = started.keep(new LoadGenerator());
  const bare = started.keep(
    await startChildServer({
      script: join(__dirname, 'bare-express.ts'),
      nodeArguments: process.execArgv,
      environment: {},
    }),
  );
  const field = { load, bare, rows, options };
  if (options.scale !== undefined) {
    const { samples, figures } = await measureScale(field, buildsOf(options, servers), options.scale);
    return `${sync}\n\n${scaleReport(samples, figures)}`;
  }
  const contestants: Contestant[] = [];
  for (const build of buildsOf(options, servers))
    contestants.push(started.keep(await startMeasuredService(build)));
  const [peer, aboutPeer] = options.peer ? await startPeerIfAny() : [undefined, 'The peer was left out.'];
  if (peer !== undefined) contestants.push(started.keep(peer));
  const samples = await runRounds({ ...field, contestants });
  return `${sync} ${aboutPeer}\n\n${report(samples, options.connections)}`;
}

/** @returns the peer, or undefined without PostgreSQL, and a line about it */
async function startPeerIfAny(): Promise<[Contestant | undefined, string]> {
  try {
    const peer = await startPeer();
    return [peer, `Peer: Nest on ${peer.database}.`];
  } catch (error) {
    if (!(error instanceof NoPostgresError)) throw error;
    return [undefined, `No peer: ${error.message}`];
  }
}

/** The options with which the image and `npm start` start the service (docs/performance.md). */
const AS_SHIPPED = ['--max-semi-space-size=64', '--heap-growing-percent=100'];

function buildsOf({ against, profile }: BenchOptions, servers: NamedServers): Build[] {
  const profiling =
    profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${profile}`];
  const run = randomUUID().slice(0, 8);
  const build = (label: string, script: string, flags: readonly string[] = []): Build => ({
    label,
    script,
    nodeArguments: [...flags, ...profiling],
    servers: placeOn(servers, run, label),
  });
  const own = build(THIS, join(__dirname, '..', '..', 'dist', 'main.js'), AS_SHIPPED);
  return against === undefined ? [own] : [own, build('other', against)];
}

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const options = readOptions(argv);
  if (options.node === undefined) {
    process.stdout.write(await bench(options));
    return;
  }
  const place = argv.findIndex((word) => word.startsWith('--node'));
  const taken = argv[place]!.includes('=') ? 1 : 2;
  process.exitCode = runOnNode(options.node, argv.toSpliced(place, taken));
}

main().catch((error: unknown) => {
  const text = error instanceof UsageError ? `${error.message}\n${USAGE}` : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
