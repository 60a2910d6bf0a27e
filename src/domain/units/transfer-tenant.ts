import { Inject, Optional } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { waitForLease } from '#eventsourcing/documents/take-lease.js';
import type { CommandRun } from '#eventsourcing/writing/command-run.js';
import { CommandRunner, type Turn } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, EMBEDDED, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type { UnitCommand, UnitRefusal } from './core/unit.commands.js';
import type { Tenancy, UnitState } from './core/unit.state.js';
import { RentedUnits } from './rented-units.js';
import { UNIT, type UnitKind, type UnitOutcome } from './unit.aggregate.js';
import { UnitProjector } from './unit.projector.js';
import { unitStream } from './unit-stream.js';

const SOURCE = 'standalone';

/** By their `crm_unit_id`. */
interface TransferredBetween {
  readonly from: string;
  readonly to: string;
}

export type TransferOutcome =
  | { readonly kind: 'done'; readonly taken: DoneOutcome; readonly handedOver: DoneOutcome }
  | { readonly kind: 'rejected'; readonly refusal: UnitRefusal };

type DoneOutcome = Extract<UnitOutcome, { kind: 'done' }>;

/** Moves the tenant of a standalone unit of a company to another one of the same location (decisions §6). */
export class TransferTenant extends Command<TransferOutcome> {
  constructor(
    readonly company_id: string,
    readonly units: TransferredBetween,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/**
 * The new unit takes the tenancy, then the old one hands it over. A log appends one stream at a time, so a kill in between
 * leaves the tenant with both units. The state of the new unit says where its tenancy came from. So a repeat, with the same
 * key or without one, finds what is done and goes on with the rest.
 * @throws StoreUnavailableError, WriteContendedError, HistoryDamagedError
 */
@CommandHandler(TransferTenant)
export class TransferTenantHandler implements ICommandHandler<TransferTenant> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: UnitProjector,
    private readonly clocks: CompanyClocks,
    private readonly rented: RentedUnits,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Optional() @Inject(EMBEDDED) private readonly embedded = false,
  ) {}

  execute({ company_id, units, context }: TransferTenant): Promise<TransferOutcome> {
    const from = unitStream(company_id, units.from);
    const to = unitStream(company_id, units.to);
    return this.runner.inTurn([from, to], context, (turn) =>
      this.#alone(from, context, () => this.#transfer(turn, context, company_id, { from, to })),
    );
  }

  /** While this runs, no other process transfers the tenant of the unit: to another unit, he would have three. */
  async #alone<T>(from: string, context: WriteContext, work: () => Promise<T>): Promise<T> {
    if (this.embedded) return work();
    const { records: leases, clock } = this;
    const { command_id: owner, deadline } = context;
    const lease = await waitForLease({ leases, clock, name: `transfer-${from}`, owner }, deadline);
    try {
      await context.assertRights?.();
      return await work();
    } finally {
      await lease.release();
    }
  }

  async #transfer(
    turn: Turn,
    context: WriteContext,
    company_id: string,
    { from, to }: TransferredBetween,
  ): Promise<TransferOutcome> {
    const source = (await turn.read(this.#kind, from))?.state;
    if (source === undefined) return rejected({ code: 'unit_not_found' });
    // The first unit must not take a tenancy that the second could not hand over.
    if (this.runner.isDamaged(from)) return rejected({ code: 'history_damaged' });
    const taken_by = await this.#takenBy(source, [from, to]);
    const clock = await this.clocks.findClock(company_id);
    const runOn = (stream: string, command: UnitCommand): CommandRun<UnitKind> => {
      return { ...this.#kind, streams: [stream], prepare: () => ({ clock, commands: [{ command }] }) };
    };
    const tenancy_id = this.ids.ulid();
    const take = { type: 'TakeTenancy', source: SOURCE, from: source, tenancy_id, taken_by } as const;
    const [taken] = await turn.write(runOn(to, take), context);
    if (taken!.kind === 'rejected') return taken!;
    const { unit_id: to_unit_id, tenancy } = taken!.after!.state;
    const hand = { type: 'HandTenancyOver', source: SOURCE, to_unit_id, taken: originOf(tenancy) } as const;
    // What has begun is ended, also if the operator has lost the rights meanwhile: the key would keep that refusal.
    const begun = { ...context, assertRights: () => Promise.resolve() };
    const [handedOver] = await turn.write(runOn(from, hand), begun);
    if (handedOver!.kind === 'rejected') throw new Error('A tenancy that was taken was not handed over.');
    return { kind: 'done', taken: taken!, handedOver: handedOver! };
  }

  get #kind() {
    const { states } = this.projector;
    return {
      aggregate: UNIT,
      states,
      projector: this.projector,
      damaged: { code: 'history_damaged' },
    } as const;
  }

  /** The name of a third unit that has taken the unit's tenancy: a transfer to it was interrupted, and not repeated. */
  async #takenBy({ tenancy }: UnitState, besides: readonly string[]): Promise<string | undefined> {
    if (tenancy === null) return undefined;
    const { tenant_id, tenancy_id } = tenancy;
    const rented = await this.rented.rentedBy([tenant_id]);
    const others = [...(rented.get(tenant_id) ?? [])].filter((stream) => !besides.includes(stream));
    const units = await this.projector.states.load(others);
    return units.find((unit) => unit?.state.tenancy?.taken_from?.tenancy_id === tenancy_id)?.state.unit_name;
  }
}

/** A unit that has taken a tenancy says from where. */
function originOf(tenancy: Tenancy | null): NonNullable<Tenancy['taken_from']> {
  const origin = tenancy?.taken_from;
  if (origin === undefined) throw new Error('A unit took a tenancy and does not say from where.');
  return origin;
}

function rejected(refusal: UnitRefusal): TransferOutcome {
  return { kind: 'rejected', refusal };
}
