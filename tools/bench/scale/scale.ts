import { setTimeout } from 'node:timers/promises';
import { type CommandFigures, runCommand } from '../command.js';
import {
  type Build,
  buildCommand,
  buildEnvironment,
  type MeasuredService,
  startMeasuredService,
  startService,
} from '../measured-service.js';
import type { BenchOptions } from '../options.js';
import type { ProcessMemory } from '../process-figures.js';
import { type Field, type Row, rowsNamed, runRounds, type Sample } from '../rounds.js';
import { changeUnits } from '../service-setup.js';

/** Figures of a store of one size, without those of requests. */
export interface SizeFigures {
  /** The name in samples. */
  readonly contestant: string;
  readonly build: string;
  readonly units: number;
  readonly fillSeconds: number;
  /** Memory of the process that has filled the store and was measured. */
  readonly memory: ProcessMemory | undefined;
  /** Start of a new process with the filled store. */
  readonly startMilliseconds: number;
  readonly memoryAtStart: ProcessMemory | undefined;
  /** The time of `views rebuild`. */
  readonly rebuild: CommandFigures;
}

interface FilledService extends MeasuredService {
  readonly units: number;
  readonly fillSeconds: number;
}

/** Writes to one unit. Their cost should not depend on the number of units. */
const SCENARIOS = ['move_in_new', 'facts_changed'];

/** The rows of a run with `--scale`. @param only names of rows, or parts of names; empty: all */
export function scaleRows(only: readonly string[]): Row[] {
  return rowsNamed(only).filter(({ scenario }) => SCENARIOS.includes(scenario.name));
}

/** Fills a store for each build and size. Measures requests to all stores in the same rounds, then each store alone. */
export async function measureScale(
  field: Omit<Field, 'contestants'> & { readonly options: Pick<BenchOptions, 'changes'> },
  builds: readonly Build[],
  sizes: readonly number[],
): Promise<{ readonly samples: readonly Sample[]; readonly figures: readonly SizeFigures[] }> {
  const services: FilledService[] = [];
  try {
    for (const units of sizes) {
      for (const build of builds) services.push(await fill(build, units, field.options.changes ?? 0));
    }
    for (const service of services) await restFrom(service);
    const samples = await runRounds({ ...field, contestants: services });
    const figures: SizeFigures[] = [];
    for (const service of services) figures.push(await measureStore(service));
    return { samples, figures };
  } finally {
    for (const service of services) await service.stop();
  }
}

async function fill(build: Build, units: number, changes: number): Promise<FilledService> {
  const label = `${build.label} ${units}`;
  process.stderr.write(`Filling ${label} …\n`);
  const began = performance.now();
  const service = await startMeasuredService(build, units);
  await changeUnits(service.target, changes);
  return { ...service, label, units, fillSeconds: (performance.now() - began) / 1_000 };
}

const LOOK_EVERY_MS = 2_000;
/** The share of one processor below which a service rests. */
const RESTING = 0.1;
const LONGEST_WAIT_MS = 5 * 60_000;

/** Waits for the work that a fill leaves: announcements and counts of lockouts. It must not count as that of the requests. */
async function restFrom({ label, server }: FilledService): Promise<void> {
  process.stderr.write(`Waiting until ${label} has announced and counted its units …\n`);
  const end = performance.now() + LONGEST_WAIT_MS;
  let before = server.processorSeconds();
  while (before !== undefined && performance.now() < end) {
    await setTimeout(LOOK_EVERY_MS);
    const now = server.processorSeconds();
    if (now === undefined || (now - before) * 1_000 < RESTING * LOOK_EVERY_MS) return;
    before = now;
  }
}

/** Restarts the service on its store, ends it, and rebuilds the views. */
async function measureStore(service: FilledService): Promise<SizeFigures> {
  const { label, build, units, fillSeconds, folder, server } = service;
  process.stderr.write(`Starting and rebuilding ${label} …\n`);
  const memory = server.memory();
  await server.stop();
  const again = await startService(build, folder);
  const { startMilliseconds } = again;
  const memoryAtStart = again.memory();
  await again.stop();
  const rebuild = await runCommand(buildCommand(build, 'views', 'rebuild'), buildEnvironment(build, folder));
  return {
    contestant: label,
    build: build.label,
    units,
    fillSeconds,
    memory,
    startMilliseconds,
    memoryAtStart,
    rebuild,
  };
}
