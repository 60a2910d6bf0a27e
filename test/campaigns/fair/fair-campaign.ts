import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { startChildServer } from '../../../tools/bench/child-server.js';
import { percentile } from '../../../tools/bench/statistics.js';
import { startStandIn, whyNoStandIn } from '../../support/mongo-server.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { AUTHORITY_FILE } from '../../support/tls.js';
import { type Campaign, NotPlayed, type Round } from '../campaign.js';
import { type HonestRun, startHonestClient } from './honest-client.js';
import { HOSTILE_CALLERS, type HostileCaller } from './hostile-callers.js';
import { EMBEDDED, type HostileService, type HostileStores, startHostileService } from './hostile-service.js';

const MEGABYTE = 1024 * 1024;
const UNITS = 2_000;
/** The stand-ins take long over a bulk of 500. */
const UNITS_ON_SERVERS = 200;
/** Characters of the longest name of a caller. */
const NAMES = 64;
/** Lines of the log that explain answers of 500 or more. */
const MOST_COMPLAINTS = 5;
const EVENT_LOG = join(__dirname, '../../support/eventstoredb-double/serve.cjs');
const TLS_FRONT = join(__dirname, 'tls-front.cjs');
const LEAST_SECONDS = 6;
/** The callers that play, by parts of their names. */
const CHOSEN = new RegExp(process.env['FAIR_ROWS'] ?? '');
/** What fails the campaign. The goals are lower, but machines differ. */
const LONGEST_DELAY_MS = 1_000;
/** The same on a busy machine, as it is processor time. */
const LONGEST_STRETCH_MS = 150;
/**
 * Of the process's own memory: the heap, buffers and stacks. Pages of LMDB's mapped files are left out: they are resident as
 * long as the system has no other use for them, and it frees them without asking the process.
 */
const MOST_MEMORY = 600 * MEGABYTE;
/** The goals on two quiet cores. The report names what misses them. */
const GOALS_MS = { p99: 50, worst: 150 };

interface Played {
  readonly name: string;
  readonly honest: HonestRun;
  readonly statuses: Readonly<Record<string, number>>;
  readonly memory: number;
  /** The longest undivided work of the service, in milliseconds of processor time. */
  readonly stretch: number;
  readonly complaints: readonly string[];
}

export const fair: Campaign = {
  name: 'fair',
  about: 'hostile callers, one kind at a time, beside one honest client',
  onlyByName: true,
  play: (round) => playAll(round, EMBEDDED, UNITS),
};

export const fairOnServers: Campaign = {
  name: 'fair-on-servers',
  about: 'the same, two processes on the double of EventStoreDB and the stand-in for MongoDB',
  onlyByName: true,
  play: (round) => playOnServers(round, PLAIN),
};

export const fairOverTls: Campaign = {
  name: 'fair-over-tls',
  about: 'the same on servers, with TLS between them and the service',
  onlyByName: true,
  play: (round) => playOnServers(round, OVER_TLS),
};

/** The port to connect to. */
interface Front {
  readonly port: number;
  readonly stop: () => Promise<unknown>;
}

/** How the service reaches its servers. */
interface Transport {
  /** Options of both URLs. */
  readonly options: string;
  /** Starts what stands before the server of a port. */
  readonly front: (port: number) => Promise<Front>;
}

const PLAIN: Transport = {
  options: 'tls=false',
  front: (port) => Promise.resolve({ port, stop: () => Promise.resolve() }),
};

const OVER_TLS: Transport = {
  options: `tls=true&tlsCAFile=${encodeURIComponent(AUTHORITY_FILE)}`,
  front: (port) => startChildServer({ script: TLS_FRONT, environment: { TARGET: String(port) } }),
};

async function playOnServers(round: Round, { options, front }: Transport): Promise<string> {
  const reason = whyNoStandIn();
  if (reason !== undefined) throw new NotPlayed(reason);
  const log = await startChildServer({ script: EVENT_LOG, environment: {} });
  const mongo = await startStandIn('memory');
  const logFront = await front(log.port);
  const mongoFront = await front(Number(new URL(mongo.url).port));
  try {
    const environment = {
      EVENTSTORE_URL: `esdb://127.0.0.1:${logFront.port}?${options}`,
      MONGODB_URL: `mongodb://127.0.0.1:${mongoFront.port}/fair?${options}`,
    };
    return await playAll(round, { processes: 2, environment }, UNITS_ON_SERVERS);
  } finally {
    await mongoFront.stop();
    await logFront.stop();
    await mongo.stop();
    await log.stop();
  }
}

async function playAll({ seconds, say }: Round, stores: HostileStores, units: number): Promise<string> {
  const folder = await temporaryFolder();
  const each = Math.max(LEAST_SECONDS, (seconds - 30) / (HOSTILE_CALLERS.length + 1));
  const service = await startHostileService(folder.path, units, stores);
  const all: Played[] = [];
  try {
    say(`${' '.repeat(NAMES)}  as met, ms              by the service, ms     longest`);
    say(`${' '.repeat(NAMES)}     p50     p99   worst     p50     p99   worst stretch   memory  answers`);
    for (const caller of [IDLE, ...HOSTILE_CALLERS].filter(({ name }) => CHOSEN.test(name))) {
      const played = await playOne(service, caller, each);
      all.push(played);
      say(shown(played));
    }
  } finally {
    await service.close();
    await folder.remove();
  }
  const faults = all.flatMap(faultsOf);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return `${all.reduce((sum, { statuses }) => sum + total(statuses), 0)} hostile requests`;
}

const IDLE: HostileCaller = { name: 'nobody', atOnce: 0, prepare: () => () => Promise.resolve(0) };

async function playOne(service: HostileService, caller: HostileCaller, seconds: number): Promise<Played> {
  const attack = await caller.prepare(service);
  const statuses: Record<string, number> = {};
  let memory = 0;
  let sent = 0;
  await service.longestStretch();
  const until = performance.now() + seconds * 1_000;
  const honest = startHonestClient(service.server, service.readers);
  const lane = async () => {
    while (performance.now() < until) {
      const status = await attack((sent += 1)).catch(() => 0);
      statuses[status] = (statuses[status] ?? 0) + 1;
      // Refusals cost little. Without a pause, this process would take the processor from the service.
      if (status === 429) await pause(5);
    }
  };
  const watch = async () => {
    while (performance.now() < until) {
      memory = Math.max(memory, service.memory());
      await pause(200);
    }
  };
  await Promise.all([watch(), ...Array.from({ length: caller.atOnce }, lane)]);
  const run = await honest.end();
  const stretch = await service.longestStretch();
  await caller.close?.();
  const complaints = service.complaints();
  return { name: caller.name, honest: run, statuses, memory, stretch, complaints };
}

function total(statuses: Played['statuses']): number {
  return Object.values(statuses).reduce((sum, one) => sum + one, 0);
}

function shown({ name, honest: { reads }, statuses, memory, stretch }: Played): string {
  const met = delaysOf(reads.map(({ delay }) => delay));
  const byService = delaysOf(reads.map((read) => read.byService));
  const figures = [met, byService]
    .flatMap(({ p50, p99, worst }) => [p50, p99, worst])
    .concat(stretch)
    .map((value) => value.toFixed(1).padStart(8))
    .join('');
  const answers = Object.entries(statuses).map(([status, many]) => `${status}: ${many}`);
  const note = missed(byService) ? '  misses the goal' : missed(met) ? '  others held the processor' : '';
  const megabytes = `${Math.round(memory / MEGABYTE)} MB`.padStart(9);
  return `${name.padEnd(NAMES)}${figures}${megabytes}  ${answers.join(', ')}${note}`;
}

interface Delays {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

function delaysOf(milliseconds: readonly number[]): Delays {
  return {
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    worst: Math.max(...milliseconds),
  };
}

function missed({ p99, worst }: Delays): boolean {
  return p99 > GOALS_MS.p99 || worst > GOALS_MS.worst;
}

function faultsOf({ name, honest, statuses, memory, stretch, complaints }: Played): string[] {
  const faults: string[] = [];
  const failed = Object.keys({ ...honest.statuses, ...statuses }).filter((status) => !/^[234]/.test(status));
  if (failed.length > 0)
    faults.push(
      `${name}: answers with ${failed.join(', ')} (0: none).`,
      ...complaints.slice(0, MOST_COMPLAINTS),
    );
  if (Object.keys(honest.statuses).some((status) => status !== '200'))
    faults.push(`${name}: the honest client met ${JSON.stringify(honest.statuses)}.`);
  const { worst } = delaysOf(honest.reads.map(({ byService }) => byService));
  if (worst > LONGEST_DELAY_MS)
    faults.push(`${name}: the service kept the honest client waiting for ${Math.round(worst)} ms.`);
  if (stretch > LONGEST_STRETCH_MS)
    faults.push(
      `${name}: the service worked for ${Math.round(stretch)} ms without a turn of the event loop.`,
    );
  if (memory > MOST_MEMORY) faults.push(`${name}: the service took ${Math.round(memory / MEGABYTE)} MB.`);
  return faults;
}
