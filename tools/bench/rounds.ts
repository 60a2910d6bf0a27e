import type { ChildServer } from './child-server.js';
import type { Contestant } from './contestant.js';
import type { LoadGenerator } from './load/load-generator.js';
import type { LoadJob } from './load/load-process.js';
import type { BenchOptions } from './options.js';
import { type Clients, type Scenario, SCENARIOS } from './scenarios.js';

/** A scenario with so many clients: a row of the table. */
export interface Row {
  readonly scenario: Scenario;
  readonly clients: Clients;
}

/** One measurement of one row on one contestant, beside the ceiling's just before it. */
export interface Sample extends Row {
  readonly contestant: string;
  /** Samples of one round were taken one after another. */
  readonly round: number;
  /** Requests per second. */
  readonly rate: number;
  readonly ceilingRate: number;
  /** Processor time of all the contestant's threads per request; undefined where the system does not tell. */
  readonly cpuMicroseconds: number | undefined;
  readonly ceilingCpuMicroseconds: number | undefined;
  readonly milliseconds: readonly number[];
}

/** The parts of a round. */
export interface Field {
  readonly load: LoadGenerator;
  readonly bare: ChildServer;
  readonly contestants: readonly Contestant[];
  readonly rows: readonly Row[];
  readonly options: Pick<BenchOptions, 'seconds' | 'rounds' | 'connections'>;
}

/** The ceiling is steadier than what is measured against it. */
const CEILING_PART = 0.5;
/** Before a contestant's first measurement of a row: until the just-in-time compiler has seen enough. */
const FIRST_WARM_UP_SECONDS = 3;
/** Before each further one: other rows ran in between. */
const WARM_UP_SECONDS = 0.5;

type Measured = Pick<Sample, 'rate' | 'cpuMicroseconds' | 'milliseconds'>;

/** A row's name: its scenario, with `_one` behind it for a single client. */
export function rowName({ scenario, clients }: Row): string {
  return clients === 'one' && scenario.clients.length > 1 ? `${scenario.name}_one` : scenario.name;
}

/** The rows whose names hold one of the parts; all where there is none. */
export function rowsNamed(parts: readonly string[]): Row[] {
  const rows = SCENARIOS.flatMap((scenario) => scenario.clients.map((clients) => ({ scenario, clients })));
  return rows.filter((row) => parts.length === 0 || parts.some((part) => rowName(row).includes(part)));
}

/** Measures every row in each round. */
export async function runRounds(field: Field): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= field.options.rounds; round += 1) {
    process.stderr.write(`Round ${round} of ${field.options.rounds} …\n`);
    for (const row of field.rows) samples.push(...(await measureRow(field, row, round)));
  }
  return samples;
}

/** The ceiling, then each contestant, so that a busy moment meets all alike. Each is warmed before it is measured. */
async function measureRow(field: Field, row: Row, round: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { seconds } = field.options;
  const warmUp = round === 1 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
  await measureBare(field, row, warmUp);
  const ceiling = await measureBare(field, row, seconds * CEILING_PART);
  for (const contestant of field.contestants) {
    await measureContestant(field, row, contestant, warmUp);
    samples.push({
      ...row,
      ...(await measureContestant(field, row, contestant, seconds)),
      contestant: contestant.label,
      round,
      ceilingRate: ceiling.rate,
      ceilingCpuMicroseconds: ceiling.cpuMicroseconds,
    });
  }
  return samples;
}

function measureBare(field: Field, row: Row, seconds: number): Promise<Measured> {
  const { port } = field.bare;
  const target = { port, api_token: 'x'.repeat(47), tenant_token: '', entity_tag: '', units: 1 };
  const job = { scenario: row.scenario.ceiling, seconds, target, connections: connectionsOf(field, row) };
  return measure(field.load, field.bare, job);
}

function measureContestant(
  field: Field,
  row: Row,
  { server, target }: Contestant,
  seconds: number,
): Promise<Measured> {
  const job = { scenario: row.scenario.name, seconds, target, connections: connectionsOf(field, row) };
  return measure(field.load, server, job);
}

function connectionsOf({ options }: Field, { clients }: Row): number {
  return clients === 'one' ? 1 : options.connections;
}

async function measure(load: LoadGenerator, server: Contestant['server'], job: LoadJob): Promise<Measured> {
  const before = server.processorSeconds();
  const { requests, seconds, milliseconds } = await load.measure(job);
  const after = server.processorSeconds();
  const cpuMicroseconds =
    before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / requests;
  return { rate: requests / seconds, cpuMicroseconds, milliseconds };
}
