import type { ChildServer } from './child-server.js';
import type { Contestant } from './contestant.js';
import type { LoadGenerator } from './load/load-generator.js';
import type { LoadJob } from './load/load-process.js';
import type { BenchOptions } from './options.js';
import { type Clients, type Scenario, SCENARIOS } from './scenarios.js';

/** A row of the table: a scenario with one client or with many. */
export interface Row {
  readonly scenario: Scenario;
  readonly clients: Clients;
}

/** One measurement of a contestant, with that of the bare server right before. */
export interface Sample extends Row {
  readonly contestant: string;
  readonly round: number;
  /** Requests per second. */
  readonly rate: number;
  readonly ceilingRate: number;
  /** Processor time of the contestant for one request. Undefined if the system does not show it. */
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

/** The bare server is measured for a shorter time, because its figures vary less. */
const CEILING_PART = 0.5;
/** The warm-up before the first measurement of a row, until the code is compiled. */
const FIRST_WARM_UP_SECONDS = 3;
/** The warm-up before each further measurement: other rows ran in between. */
const WARM_UP_SECONDS = 0.5;

type Measured = Pick<Sample, 'rate' | 'cpuMicroseconds' | 'milliseconds'>;

/** The name of its scenario, with the suffix `_one` for a single client. */
export function rowName({ scenario, clients }: Row): string {
  return clients === 'one' && scenario.clients.length > 1 ? `${scenario.name}_one` : scenario.name;
}

/** The rows whose names contain one of the parts. Without parts: all rows. */
export function rowsNamed(parts: readonly string[]): Row[] {
  const rows = SCENARIOS.flatMap((scenario) => scenario.clients.map((clients) => ({ scenario, clients })));
  return rows.filter((row) => parts.length === 0 || parts.some((part) => rowName(row).includes(part)));
}

export async function runRounds(field: Field): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let round = 1; round <= field.options.rounds; round += 1) {
    process.stderr.write(`Round ${round} of ${field.options.rounds} …\n`);
    for (const row of field.rows) samples.push(...(await measureRow(field, row, round)));
  }
  return samples;
}

/** Measures the bare server and each contestant right after each other, so that other load on the machine affects all of them. */
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
