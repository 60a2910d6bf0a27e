import { Inject, Optional } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { waitForLease } from '#eventsourcing/documents/take-lease.js';
import type { CommandRun } from '#eventsourcing/writing/command-run.js';
import { CommandRunner, type Turn } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, EMBEDDED, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type { UnitCommand, UnitRefusal } from './core/unit.commands.js';
import { hasTaken } from './core/unit.transfer.js';
import type { Tenancy, UnitState } from './core/unit.state.js';
import { UNIT, type UnitKind, type UnitOutcome } from './unit.aggregate.js';
import { UnitProjector } from './unit.projector.js';
import { unitStream } from './unit-stream.js';

const SOURCE = 'standalone';

/** `_id` is the id of the tenancy that is transferred, `to` the stream of the unit that may have taken it. Stays for ever. */
interface BegunTransfer {
  readonly _id: string;
  readonly to: string;
}

const BEGUN_TRANSFERS: CollectionDeclaration<BegunTransfer> = { name: 'begun_transfers', indexes: {} };

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
 * key or without one, finds what is done and goes on with the rest. A record says where a transfer has
 * begun: the views may lack that unit's tenancy for a while, and a transfer to a third unit must not begin meanwhile.
 * @throws StoreUnavailableError, WriteContendedError, HistoryDamagedError
 */
@CommandHandler(TransferTenant)
export class TransferTenantHandler implements ICommandHandler<TransferTenant> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: UnitProjector,
    private readonly clocks: CompanyClocks,
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
    const taken_by = await this.#takenBy(turn, source, to);
    const clock = await this.clocks.findClock(company_id);
    const runOn = (stream: string, command: UnitCommand): CommandRun<UnitKind> => {
      return { ...this.#kind, streams: [stream], prepare: () => ({ clock, commands: [{ command }] }) };
    };
    const tenancy_id = this.ids.ulid();
    const take = { type: 'TakeTenancy', source: SOURCE, from: source, tenancy_id, taken_by } as const;
    if (taken_by === undefined && (await this.#wouldTake(turn, to, take, clock.now())))
      await this.#keepBegun(source, to);
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
  async #takenBy(turn: Turn, source: UnitState, to: string): Promise<string | undefined> {
    if (source.tenancy === null) return undefined;
    const begun = await (await this.#begun()).get(source.tenancy.tenancy_id);
    if (begun === undefined || begun.to === to) return undefined;
    const third = (await turn.read(this.#kind, begun.to))?.state;
    return third !== undefined && hasTaken(third, source) ? third.unit_name : undefined;
  }

  /** By the log. Only what will be done leaves a record. */
  async #wouldTake(turn: Turn, to: string, take: UnitCommand, now: number): Promise<boolean> {
    if (this.runner.isDamaged(to)) return false;
    return !('rejected' in UNIT.decide((await turn.read(this.#kind, to))?.state, take, now));
  }

  async #keepBegun({ tenancy }: UnitState, to: string): Promise<void> {
    if (tenancy === null) return;
    await this.#begun();
    const document: BegunTransfer = { _id: tenancy.tenancy_id, to };
    await this.records.write([{ kind: 'put', collection: BEGUN_TRANSFERS.name, document }]);
  }

  #begun(): Promise<Collection<BegunTransfer>> {
    return this.records.collection(BEGUN_TRANSFERS);
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
