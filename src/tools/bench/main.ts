import { join } from 'node:path';
import { startChildServer } from './child-server.js';
import type { Contestant } from './contestant.js';
import { LoadGenerator } from './load/load-generator.js';
import { measureLogCost } from './log/log-cost.js';
import { logReport } from './log/log-report.js';
import { measurePasses } from './log/passes.js';
import { passesReport } from './log/passes-report.js';
import { type Build, startMeasuredService } from './measured-service.js';
import { type BenchOptions, readOptions, USAGE, UsageError } from './options.js';
import { NoPostgresError } from './peer/postgres-cluster.js';
import { startPeer } from './peer/start-peer.js';
import { report, THIS } from './report.js';
import { type Row, rowsNamed, runRounds } from './rounds.js';
import { measureScale, scaleRows } from './scale/scale.js';
import { scaleReport } from './scale/scale-report.js';
import { type NamedServers, namedServers } from './servers.js';
import { syncMilliseconds } from './sync-time.js';

/** Whatever was started is stopped, in the reverse order, however the run ends. */
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
  if (rows.length === 0) throw new UsageError('No row has such a name.');
  const started = new Started();
  process.once('SIGINT', () => void started.stop().then(() => process.exit(130)));
  try {
    if (options.log === undefined) return await measure(options, rows, started);
    if (options.passes === undefined) return await measureLog(options, options.log, started);
    return await measureLogPasses(options, options.log, options.passes);
  } finally {
    await started.stop();
  }
}

function demandOneRun({ log, against, scale, passes }: BenchOptions): void {
  if (log === undefined && passes !== undefined) throw new UsageError('--passes goes with --log.');
  if (log === undefined) return;
  if (scale !== undefined) throw new UsageError('--log is a run of its own, without --scale.');
  // On a server that is named, a log can be moved to once.
  if (against !== undefined && (passes === undefined || log === 'named'))
    throw new UsageError('--log takes --against with --passes and a script alone.');
}

/** Each log is moved to an event store of its own where a script starts one. */
async function measureLogPasses(options: BenchOptions, where: string, units: number): Promise<string> {
  let about = '';
  const eventStore = async () => {
    const started = new Started();
    const { url, text } = await eventStoreAt(where, started);
    about = text;
    return { url, stop: () => started.stop() };
  };
  const builds = buildsOf(options, namedServers({}));
  const isNamed = where === 'named';
  const samples = await measurePasses({ builds, units, eventStore, isNamed, options });
  return `${about} Embedded documents.\n\n${passesReport(samples)}`;
}

async function measureLog(options: BenchOptions, where: string, started: Started): Promise<string> {
  const { url, text } = await eventStoreAt(where, started);
  const load = started.keep(new LoadGenerator());
  const [build] = buildsOf(options, { environment: { EVENTSTORE_URL: url }, text });
  const samples = await measureLogCost({ load, build: build!, url, options });
  return `${text} Embedded documents.\n\n${logReport(samples)}`;
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
  if (Object.keys(servers.environment).length > 0 && (options.against ?? options.scale) !== undefined) {
    throw new UsageError('--against and --scale take the embedded stores: each needs stores of its own.');
  }
  const sync = `One small durable write on this disk: ${(await syncMilliseconds()).toFixed(2)} ms. ${servers.text}`;
  const load = started.keep(new LoadGenerator());
  const bare = started.keep(
    await startChildServer({ script: join(__dirname, 'bare-express.js'), environment: {} }),
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
  return `${sync} ${aboutPeer}\n\n${report(await runRounds({ ...field, contestants }), options.connections)}`;
}

/** @returns the peer where there can be one, and a line about it. */
async function startPeerIfAny(): Promise<[Contestant | undefined, string]> {
  try {
    const peer = await startPeer();
    return [peer, `Peer: Nest on ${peer.database}.`];
  } catch (error) {
    if (!(error instanceof NoPostgresError)) throw error;
    return [undefined, `No peer: ${error.message}`];
  }
}

function buildsOf({ against, profile }: BenchOptions, servers: NamedServers): Build[] {
  const nodeArguments =
    profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${profile}`];
  const build = (label: string, script: string): Build => ({
    label,
    script,
    nodeArguments,
    servers: servers.environment,
  });
  const own = build(THIS, join(__dirname, '..', '..', 'main.js'));
  return against === undefined ? [own] : [own, build('other', against)];
}

async function main(): Promise<void> {
  process.stdout.write(await bench(readOptions(process.argv.slice(2))));
}

main().catch((error: unknown) => {
  const text = error instanceof UsageError ? `${error.message}\n${USAGE}` : (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
