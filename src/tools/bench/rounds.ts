import type { ChildServer } from './child-server.js';
import type { LoadGenerator } from './load/load-generator.js';
import type { MeasuredService } from './measured-service.js';
import type { BenchOptions } from './options.js';
import { type Scenario, SCENARIOS, type Target } from './scenarios.js';

/** One measurement of one scenario on one service, beside the ceiling's just before it. */
export interface Sample {
  readonly scenario: Scenario;
  readonly service: string;
  /** Requests per second. */
  readonly rate: number;
  readonly ceilingRate: number;
  /** Processor time of all the process's threads per request; undefined where the system does not tell. */
  readonly cpuMicroseconds: number | undefined;
  readonly ceilingCpuMicroseconds: number | undefined;
  readonly milliseconds: readonly number[];
}

/** What rounds are made of. */
export interface Field {
  readonly load: LoadGenerator;
  readonly bare: ChildServer;
  readonly services: readonly MeasuredService[];
  readonly options: BenchOptions;
}

/** The ceiling is steadier than what is measured against it. */
const CEILING_PART = 0.5;
/** Until the just-in-time compiler has seen enough. */
const WARM_UP_SECONDS = 0.5;

interface Measured {
  readonly rate: number;
  readonly cpuMicroseconds: number | undefined;
  readonly milliseconds: readonly number[];
}

/** The scenarios that the options ask for. */
export function chosenScenarios({ only }: BenchOptions): Scenario[] {
  return SCENARIOS.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
}

/** Each scenario once, unmeasured, on every server. */
export async function warmUp(field: Field): Promise<void> {
  for (const scenario of chosenScenarios(field.options)) {
    await measureBare(field, scenario, WARM_UP_SECONDS);
    for (const service of field.services) await measureService(field, scenario, service, WARM_UP_SECONDS);
  }
}

/** One round: the ceiling, then each service, scenario by scenario, so that a busy moment meets all alike. */
export async function runRound(field: Field): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { seconds } = field.options;
  for (const scenario of chosenScenarios(field.options)) {
    const ceiling = await measureBare(field, scenario, seconds * CEILING_PART);
    for (const service of field.services) {
      const measured = await measureService(field, scenario, service, seconds);
      samples.push({
        scenario,
        service: service.label,
        ...measured,
        ceilingRate: ceiling.rate,
        ceilingCpuMicroseconds: ceiling.cpuMicroseconds,
      });
    }
  }
  return samples;
}

function measureBare(field: Field, scenario: Scenario, seconds: number): Promise<Measured> {
  const target = { port: field.bare.port, api_token: 'x'.repeat(47), tenant_token: '', entity_tag: '' };
  const job = { scenario: scenario.ceiling, seconds, target, connections: connectionsOf(field, scenario) };
  return measure(field.load, field.bare, job);
}

function measureService(
  field: Field,
  scenario: Scenario,
  service: MeasuredService,
  seconds: number,
): Promise<Measured> {
  const connections = connectionsOf(field, scenario);
  const job = { scenario: scenario.name, seconds, target: service.target, connections };
  return measure(field.load, service.server, job);
}

function connectionsOf({ options }: Field, { alone }: Scenario): number {
  return alone ? 1 : options.connections;
}

async function measure(
  load: LoadGenerator,
  server: ChildServer,
  job: { scenario: string; seconds: number; target: Target; connections: number },
): Promise<Measured> {
  const before = server.cpuSeconds();
  const { requests, seconds, milliseconds } = await load.measure(job);
  const after = server.cpuSeconds();
  const cpuMicroseconds =
    before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / requests;
  return { rate: requests / seconds, cpuMicroseconds, milliseconds };
}
