import { join } from 'node:path';
import { type CommandFigures, runCommand } from '../command.js';
import {
  type Build,
  buildCommand,
  buildEnvironment,
  type MeasuredService,
  startMeasuredService,
} from '../measured-service.js';
import type { BenchOptions } from '../options.js';
import { changeUnits } from '../service-setup.js';

/** At least that part of the client's rate, or so many events a second. */
export type PassAim = { readonly ofClient: number } | { readonly rate: number };

/** A command that goes over all of the log. */
export interface Pass {
  readonly name: string;
  readonly words: readonly string[];
  readonly aim: PassAim;
}

/** The first of them fills the server. */
export const PASSES: readonly Pass[] = [
  { name: 'migrate', words: ['migrate'], aim: { rate: 5_000 } },
  { name: 'audit_verify', words: ['audit', 'verify'], aim: { ofClient: 0.4 } },
  { name: 'views_rebuild', words: ['views', 'rebuild'], aim: { ofClient: 0.4 } },
];

/** A pass in one round, and the log's own client reading the same log in that round. */
export interface PassSample {
  readonly pass: Pass;
  readonly build: string;
  readonly figures: CommandFigures;
  readonly client: CommandFigures;
}

/** An event store that a log is moved to. */
export interface PassedStore {
  readonly url: string;
  stop(): Promise<unknown>;
}

export interface PassField {
  readonly builds: readonly Build[];
  readonly units: number;
  readonly eventStore: () => Promise<PassedStore>;
  /** Whether each time it is the same one, which a log is moved to once. */
  readonly isNamed: boolean;
  readonly options: Pick<BenchOptions, 'rounds' | 'changes'>;
}

/** How often every unit is changed unless the options say: what a facility's units have been through in a year. */
const CHANGES = 10;

/** Fills a store for each build and, in turn, moves its log to an event store and has it gone over there, once a round. */
export async function measurePasses(field: PassField): Promise<PassSample[]> {
  const { rounds } = field.options;
  const filled: MeasuredService[] = [];
  try {
    for (const build of field.builds) filled.push(await fill(build, field));
    const samples: PassSample[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      process.stderr.write(`Round ${round} of ${rounds} …\n`);
      const passes = field.isNamed && round > 1 ? PASSES.slice(1) : PASSES;
      for (const service of filled) samples.push(...(await passOver(field, service, passes)));
    }
    return samples;
  } finally {
    for (const service of filled) await service.stop();
  }
}

/** The store is filled by a service, which then ends. */
async function fill(build: Build, { units, options }: PassField): Promise<MeasuredService> {
  process.stderr.write(`Filling ${build.label} …\n`);
  const service = await startMeasuredService(build, units);
  try {
    await changeUnits(service.target, options.changes ?? CHANGES);
    await service.server.stop();
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

async function passOver(
  { eventStore }: PassField,
  { build, folder }: MeasuredService,
  passes: readonly Pass[],
): Promise<PassSample[]> {
  const store = await eventStore();
  const environment = { ...buildEnvironment(build, folder), EVENTSTORE_URL: store.url };
  try {
    const found: { pass: Pass; build: string; figures: CommandFigures }[] = [];
    for (const pass of passes) {
      const figures = await runCommand(buildCommand(build, ...pass.words), environment);
      found.push({ pass, build: build.label, figures });
    }
    const client = await runCommand([join(__dirname, 'read-all.js'), store.url], {});
    return found.map((sample) => ({ ...sample, client }));
  } finally {
    await store.stop();
  }
}
