import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import { LocationDirectory, type LocationPolicy } from '../locations/index.js';
import { TenantAccounts, type TenantDetails, TenantDetailsWrites, tenantName } from '../tenants/index.js';
import type { CommandRun } from '../writing/command-run.js';
import { CommandRunner } from '../writing/command-runner.js';
import type { FactName } from './core/fact-catalogue.js';
import type { UnitCommand, UnitRefusal, UnitResult, UnitWarning } from './core/unit.commands.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';
import { factsWarnings } from './core/unit.warnings.js';
import { UNIT, type UnitOutcome } from './unit.aggregate.js';
import { detailsOf, namesFacts, UnitPreparation } from './unit-preparation.js';
import { UnitProjector, unitStream } from './unit.projector.js';
import type { UnitWrite, UnitWriteOptions, Writer } from './unit-write.js';

type UnitRun = CommandRun<UnitState, UnitEvent, UnitCommand, UnitResult, UnitRefusal>;

/** Runs the commands of a PMS, a pull source or an operator on units. */
@Injectable()
export class UnitCommandRunner {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: UnitProjector,
    readonly locations: LocationDirectory,
    readonly accounts: TenantAccounts,
    private readonly details: TenantDetailsWrites,
    readonly clocks: CompanyClocks,
    @Inject(IDS) readonly ids: Ids,
  ) {}

  /** {@link run} for one unit. */
  async runOne(writer: Writer, write: UnitWrite, options: UnitWriteOptions): Promise<UnitOutcome> {
    return (await this.run(writer, [write], options))[0]!;
  }

  /**
   * Writes distinct units, each on its own. Answers in the order of `writes`.
   * @throws StoreUnavailableError, WriteContendedError, EventTooLargeError
   */
  async run(
    writer: Writer,
    writes: readonly UnitWrite[],
    options: UnitWriteOptions,
  ): Promise<readonly UnitOutcome[]> {
    if (writes.length === 0) return [];
    const { company_id } = writer;
    const preparation = new UnitPreparation(this, writer, writes, options.dryRun);
    const names: string[] = [];
    for (const { arrival } of writes)
      if (arrival !== undefined) names.push(tenantName(company_id, arrival.pms_tenant_id));
    const run: UnitRun = {
      aggregate: UNIT,
      states: this.projector.states,
      projector: this.projector,
      streams: writes.map(({ crm_unit_id }) => unitStream(company_id, crm_unit_id)),
      names,
      bulk: writes[0]!.kind === 'sync',
      prepare: (open) => preparation.prepare(open),
      complete: writes.some(needsCompletion)
        ? (outcomes) => this.#complete(outcomes, { writes, preparation, ...options })
        : undefined,
    };
    return this.runner.run(run, options.context, options.dryRun);
  }

  /** Records personal details of accepted writes, and adds warnings. @throws StoreUnavailableError */
  async #complete(outcomes: readonly UnitOutcome[], completion: Completion): Promise<readonly UnitOutcome[]> {
    const { writes, preparation } = completion;
    const withPersons = await this.#recordPersons(outcomes, completion);
    const policies = await preparation.policies;
    return policies === undefined
      ? withPersons
      : withPersons.map((outcome, index) => withWarnings(outcome, writes[index]!, policies));
  }

  async #recordPersons(
    outcomes: readonly UnitOutcome[],
    { writes, preparation, context, dryRun = false }: Completion,
  ): Promise<readonly UnitOutcome[]> {
    const persons = writes.map(({ arrival }, index): TenantDetails | undefined => {
      const outcome = outcomes[index]!;
      if (arrival?.person === undefined || outcome.kind === 'rejected') return undefined;
      const { company_id, location_id } = outcome.after!.state;
      return detailsOf({ company_id, location_id, pms_tenant_id: arrival.pms_tenant_id }, arrival.person);
    });
    const stated = persons.filter((person) => person !== undefined);
    if (stated.length === 0) return outcomes;
    const created = dryRun ? undefined : preparation.createdOf(tenantsIn(outcomes));
    const recorded = await this.details.record(stated, context, created, dryRun);
    let next = 0;
    return outcomes.map((outcome, index) => {
      if (persons[index] === undefined || outcome.kind === 'rejected') return outcome;
      const { changed, suppressed } = recorded[next++]!;
      const warned = suppressed ? warn(outcome, ['personal_data_suppressed']) : outcome;
      if (changed === undefined) return warned;
      return { ...warned, result: { ...warned.result, person_changed: changed }, changed: true };
    });
  }
}

interface Completion extends UnitWriteOptions {
  readonly writes: readonly UnitWrite[];
  readonly preparation: UnitPreparation;
}

type Done = Extract<UnitOutcome, { kind: 'done' }>;

/** Whether a write needs work after its events: personal details, or warnings about facts. */
function needsCompletion(write: UnitWrite): boolean {
  return write.arrival?.person !== undefined || namesFacts(write);
}

/** The tenants of the written units. */
function tenantsIn(outcomes: readonly UnitOutcome[]): ReadonlySet<string | undefined> {
  return new Set(
    outcomes.map((one) => (one.kind === 'done' ? one.after?.state.tenancy?.tenant_id : undefined)),
  );
}

function withWarnings(
  outcome: UnitOutcome,
  { facts: named = {} }: UnitWrite,
  policies: ReadonlyMap<string, LocationPolicy>,
): UnitOutcome {
  if (outcome.kind === 'rejected') return outcome;
  const { state } = outcome.after!;
  const policy = policies.get(state.location_id);
  const touched = new Set(Object.keys(named) as FactName[]);
  if (policy === undefined || touched.size === 0) return outcome;
  return warn(outcome, factsWarnings(state, policy, outcome.applied_at, touched));
}

function warn(outcome: Done, warnings: readonly UnitWarning[]): Done {
  if (warnings.length === 0) return outcome;
  const { result } = outcome;
  return { ...outcome, result: { ...result, warnings: [...result.warnings, ...warnings] } };
}
