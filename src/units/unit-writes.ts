import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import { StreamWriter } from '../writing/stream-writer.js';
import type { CreatedAccounts } from '../tenants/index.js';
import type { WriteContext } from '../writing/write-context.js';
import { type NamedCommands, NameResolver, type PlacedWrite } from './name-resolver.js';
import { unitStream } from './unit-stream.js';
import { UnitProjection } from './unit.projection.js';
import type { OpenWrite, StatedWrite, Writer } from './unit-write.js';
import { type UnitOutcome, WriteUnits } from './write-units.command.js';

/** Everything a PMS, a pull source or an operator writes about units, from names to outcomes. */
@Injectable()
export class UnitWrites {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly writer: StreamWriter,
    private readonly projection: UnitProjection,
    private readonly names: NameResolver,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /**
   * Writes distinct units in one go; each stands or falls on its own. Outcomes are in the order of `stated`.
   * @param dryRun decide and tell, but change nothing.
   * @throws StoreUnavailableError, WriteContendedError, EventTooLargeError
   */
  async write(
    writer: Writer,
    stated: readonly StatedWrite[],
    context: WriteContext,
    dryRun = false,
  ): Promise<UnitOutcome[]> {
    if (stated.length === 0) return [];
    const writes = stated.map((write) => this.#open(write));
    const streams = writes.map(({ crm_unit_id }) => unitStream(writer.company_id, crm_unit_id));
    const locations = this.names.readAhead(writer, writes);
    const loaded = await this.writer.load(this.projection, streams);
    const placed = writes.map((write, place) => ({ write, unit: loaded.snapshots[place]?.state }));
    const named = await this.names.commands(writer, placed, dryRun, locations);
    const outcomes = await this.#execute(writer.company_id, named, streams, { context, loaded, dryRun });
    const again = await this.#repeatOvertaken(writer, placed, outcomes, { context, dryRun });
    const created = new Map([...named.created, ...again]);
    return this.names.keepPersons(writes, outcomes, context, created, dryRun);
  }

  /**
   * What met a unit that was created meanwhile at another place: once is enough, as no unit is ever moved.
   * @returns the accounts that were created for it
   */
  async #repeatOvertaken(
    writer: Writer,
    placed: readonly PlacedWrite[],
    outcomes: UnitOutcome[],
    { context, dryRun }: Pick<WriteUnits, 'context' | 'dryRun'>,
  ): Promise<CreatedAccounts> {
    const overtaken = outcomes.flatMap((outcome, place) =>
      outcome.kind === 'rejected' && outcome.refusal.code === 'names_overtaken'
        ? [{ place, write: placed[place]!.write, unit: undefined, location_id: outcome.refusal.location_id }]
        : [],
    );
    if (overtaken.length === 0) return new Map();
    const named = await this.names.commands(writer, overtaken, dryRun);
    const streams = overtaken.map(({ write }) => unitStream(writer.company_id, write.crm_unit_id));
    const again = await this.#execute(writer.company_id, named, streams, { context, dryRun });
    overtaken.forEach(({ place }, index) => (outcomes[place] = again[index]!));
    return named.created;
  }

  async #execute(
    company_id: string,
    { commands, accounts, release }: NamedCommands,
    streams: readonly string[],
    { context, loaded, dryRun }: Pick<WriteUnits, 'context'> & Partial<WriteUnits>,
  ): Promise<UnitOutcome[]> {
    const parts = commands.map((command, place) => {
      return { stream: streams[place]!, command, names: accounts[place] };
    });
    try {
      return await this.commandBus.execute(new WriteUnits(company_id, parts, context, loaded, dryRun));
    } finally {
      release();
    }
  }

  #open(write: StatedWrite): OpenWrite {
    return { new_unit_id: this.ids.ulid(), new_tenancy_id: this.ids.ulid(), ...write };
  }
}
