import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { UnitWriteWarnings, type WriteWarning } from './unit-write-warnings.js';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import type { WriteContext } from '../writing/stream-kind.js';
import { TenantAccounts, type TenantDetails } from '../tenants/index.js';
import {
  type UnitOutcome,
  type UnitRefusal,
  type UnitState,
  unitStream,
  WriteUnits,
} from '../units/index.js';
import { NameResolver } from './name-resolver.js';
import type { OpenWrite, StatedWrite, Writer } from './unit-write.js';

/** What became of one unit's part of a write. */
export type UnitWriteOutcome =
  | {
      readonly kind: 'done';
      readonly created: boolean;
      readonly changed: boolean;
      /** The unit as the write left it. */
      readonly unit: UnitState;
      /** Milliseconds. */
      readonly applied_at: number;
      readonly warnings: readonly WriteWarning[];
    }
  | { readonly kind: 'rejected'; readonly refusal: UnitRefusal };

/** Everything a PMS, a pull source or an operator writes about units, from names to outcomes. */
@Injectable()
export class UnitWrites {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly names: NameResolver,
    private readonly tenants: TenantAccounts,
    private readonly warnings: UnitWriteWarnings,
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
  ): Promise<UnitWriteOutcome[]> {
    if (stated.length === 0) return [];
    const writes = stated.map((write) => this.#open(write));
    const streams = writes.map(({ crm_unit_id }) => unitStream(writer.company_id, crm_unit_id));
    const command = new WriteUnits(
      streams,
      (units, places, recovered) => {
        const placed = places.map((place, index) => ({
          write: writes[place]!,
          unit: units[index],
          recovered: recovered[index],
        }));
        return this.names.commands(writer, placed, dryRun);
      },
      context,
      dryRun,
    );
    const outcomes = await this.commandBus.execute(command);
    if (!dryRun) await this.tenants.record(personsIn(writes, outcomes));
    return this.#tell(writes, outcomes);
  }

  #open(write: StatedWrite): OpenWrite {
    return { new_unit_id: this.ids.ulid(), new_tenancy_id: this.ids.ulid(), ...write };
  }

  async #tell(writes: readonly OpenWrite[], outcomes: readonly UnitOutcome[]): Promise<UnitWriteOutcome[]> {
    const warnings = await this.warnings.of(writes, outcomes);
    return outcomes.map((outcome, place) => {
      if (outcome.kind === 'rejected') return outcome;
      const { result, changed, after, applied_at } = outcome;
      const unit = after!.state;
      return { kind: 'done', created: result.created, changed, unit, applied_at, warnings: warnings[place]! };
    });
  }
}

/** Personal details that accepted writes carry. */
function personsIn(writes: readonly OpenWrite[], outcomes: readonly UnitOutcome[]): TenantDetails[] {
  return writes.flatMap(({ arrival }, place) => {
    const outcome = outcomes[place]!;
    if (arrival?.person === undefined || outcome.kind === 'rejected') return [];
    const { company_id, location_id } = outcome.after!.state;
    const { first_name, last_name, email, phone } = arrival.person;
    const key = { company_id, location_id, pms_tenant_id: arrival.pms_tenant_id };
    return [{ key, name: `${first_name} ${last_name}`, email, phone, stated_at: outcome.applied_at }];
  });
}
