import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import { IDS } from '#kernel/injection-tokens.js';
import { LocationDirectory, type LocationPolicy } from '#domain/locations/index.js';
import {
  TenantAccounts,
  type RecordedDetails,
  TenantDetailsWrites,
  tenantName,
} from '#domain/tenants/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { CommandRun } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { otherForms } from './core/confusable.js';
import type { FactName } from './core/fact-catalogue.js';
import type { StatedUnitCommand, UnitRefusal, UnitWarning } from './core/unit.commands.js';
import { factsWarnings } from './core/unit.warnings.js';
import { RentedUnits } from './rented-units.js';
import { UNIT, type UnitKind, type UnitOutcome } from './unit.aggregate.js';
import {
  arrivalIn,
  type CommandOnUnit,
  detailsOf,
  statementOf,
  UnitPreparation,
} from './unit-preparation.js';
import { UnitProjector } from './unit.projector.js';
import { unitStream } from './unit-stream.js';

type UnitRun = CommandRun<UnitKind>;

interface WriteOptions {
  /** True: decides and answers, but stores nothing. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Commands on distinct units of one company, each on its own. Answers in the order of `writes`, after the views show the
 * changes.
 */
export class WriteUnits<
  const Writes extends readonly CommandOnUnit[] = readonly CommandOnUnit[],
> extends Command<{ readonly [Index in keyof Writes]: UnitOutcome }> {
  constructor(
    readonly company_id: string,
    readonly writes: Writes,
    readonly context: WriteContext,
    readonly options: WriteOptions = {},
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError, EventTooLargeError, HistoryDamagedError for an operator's command */
@CommandHandler(WriteUnits)
export class WriteUnitsHandler implements ICommandHandler<WriteUnits> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: UnitProjector,
    readonly locations: LocationDirectory,
    readonly accounts: TenantAccounts,
    readonly details: TenantDetailsWrites,
    readonly clocks: CompanyClocks,
    readonly rented: RentedUnits,
    @Inject(IDS) readonly ids: Ids,
  ) {}

  get states(): UnitProjector['states'] {
    return this.projector.states;
  }

  async execute({ company_id, writes, context, options }: WriteUnits): Promise<readonly UnitOutcome[]> {
    if (writes.length === 0) return [];
    const preparation = new UnitPreparation(this, company_id, writes);
    const commands = writes.map(({ command }) => command);
    const names = writes.flatMap(({ crm_unit_id, command }) => {
      const arrival = arrivalIn(command);
      const tenant = arrival === undefined ? [] : [tenantName(company_id, arrival.pms_tenant_id)];
      // Two writes at once must not create units whose identifiers look the same.
      const forms = otherForms(crm_unit_id).map((form) => unitStream(company_id, form));
      return [...tenant, ...forms];
    });
    const run: UnitRun = {
      aggregate: UNIT,
      states: this.states,
      projector: this.projector,
      damaged: commands.every(isOfSource) ? { code: 'history_damaged' } : undefined,
      streams: writes.map(({ crm_unit_id }) => unitStream(company_id, crm_unit_id)),
      names,
      bulk: commands[0]!.type === 'SyncUnit',
      prepare: (open) => preparation.prepare(open),
      complete: commands.some(needsCompletion)
        ? (outcomes) => this.#complete(outcomes, { commands, preparation, context, ...options })
        : undefined,
    };
    return this.runner.run(run, context, options.dryRun);
  }

  /** Records personal details of accepted writes, and adds warnings. @throws StoreUnavailableError */
  async #complete(outcomes: readonly UnitOutcome[], completion: Completion): Promise<readonly UnitOutcome[]> {
    const { commands } = completion;
    const withPersons = await this.#recordPersons(outcomes, completion);
    const policies = await this.#policiesOf(withPersons.filter((_, index) => namesFacts(commands[index]!)));
    return withPersons.map((outcome, index) => withWarnings(outcome, commands[index]!, policies));
  }

  /** The policies of the written units' locations, by location. */
  async #policiesOf(outcomes: readonly UnitOutcome[]): Promise<ReadonlyMap<string, LocationPolicy>> {
    const location_ids = new Set<string>();
    for (const outcome of outcomes)
      if (outcome.kind === 'done') location_ids.add(outcome.after!.state.location_id);
    if (location_ids.size === 0) return new Map();
    const locations = await this.locations.locations([...location_ids]);
    return new Map(locations.flatMap((one) => (one === undefined ? [] : [[one._id, one.policy]])));
  }

  async #recordPersons(
    outcomes: readonly UnitOutcome[],
    { commands, preparation, context, dryRun = false }: Completion,
  ): Promise<readonly UnitOutcome[]> {
    const stated = commands.flatMap((command, index) => {
      const outcome = outcomes[index]!;
      const arrival = arrivalIn(command);
      if (arrival?.person === undefined || outcome.kind === 'rejected') return [];
      const { company_id, location_id } = outcome.after!.state;
      const key = { company_id, location_id, pms_tenant_id: arrival.pms_tenant_id };
      const statement = statementOf(command, outcome.applied_at);
      return [{ index, outcome, details: { ...detailsOf(key, arrival.person), statement } }];
    });
    if (stated.length === 0) return outcomes;
    const created = dryRun ? undefined : preparation.createdOf(tenantsIn(outcomes));
    const persons = stated.map(({ details }) => details);
    const recorded = await this.details.record(persons, context, created, dryRun);
    const completed = [...outcomes];
    for (const [place, { index, outcome }] of stated.entries())
      completed[index] = withPerson(outcome, recorded[place]!);
    return completed;
  }
}

/** The outcome with what became of the tenant's details. */
function withPerson(outcome: Done, recorded: RecordedDetails): UnitOutcome {
  switch (recorded.kind) {
    case 'unchanged':
      return outcome;
    case 'changed':
      return {
        ...outcome,
        result: { ...outcome.result, person_changed: recorded.fields },
        changed: true,
      };
    case 'suppressed':
      return warn(outcome, ['personal_data_suppressed']);
    // A write that has changed the unit is not refused: its source is told at the next one.
    case 'superseded':
      return outcome.changed ? outcome : rejected({ code: 'written_since', written_at: recorded.stated_at });
    case 'damaged':
      return outcome.changed ? outcome : rejected({ code: 'history_damaged' });
  }
}

function rejected(refusal: UnitRefusal): UnitOutcome {
  return { kind: 'rejected', refusal };
}

interface Completion extends WriteOptions {
  readonly commands: readonly StatedUnitCommand[];
  readonly preparation: UnitPreparation;
  readonly context: WriteContext;
}

type Done = Extract<UnitOutcome, { kind: 'done' }>;

function isOfSource(command: StatedUnitCommand): boolean {
  return 'source' in command;
}

/** Whether a command needs work after its events: personal details, or warnings about facts. */
function needsCompletion(command: StatedUnitCommand): boolean {
  return arrivalIn(command)?.person !== undefined || namesFacts(command);
}

function namesFacts(command: StatedUnitCommand): boolean {
  return factNamesIn(command).length > 0;
}

function factNamesIn(command: StatedUnitCommand): FactName[] {
  return 'facts' in command ? (Object.keys(command.facts) as FactName[]) : [];
}

/** The tenants of the written units. */
function tenantsIn(outcomes: readonly UnitOutcome[]): ReadonlySet<string | undefined> {
  return new Set(
    outcomes.map((one) => (one.kind === 'done' ? one.after?.state.tenancy?.tenant_id : undefined)),
  );
}

function withWarnings(
  outcome: UnitOutcome,
  command: StatedUnitCommand,
  policies: ReadonlyMap<string, LocationPolicy>,
): UnitOutcome {
  if (outcome.kind === 'rejected') return outcome;
  const { state } = outcome.after!;
  const touched = new Set(factNamesIn(command));
  if (touched.size === 0) return outcome;
  const policy = policies.get(state.location_id);
  if (policy === undefined) return outcome;
  return warn(outcome, factsWarnings(state, policy, outcome.applied_at, touched));
}

function warn(outcome: Done, warnings: readonly UnitWarning[]): Done {
  if (warnings.length === 0) return outcome;
  const { result } = outcome;
  return { ...outcome, result: { ...result, warnings: [...result.warnings, ...warnings] } };
}
