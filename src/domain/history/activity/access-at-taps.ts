import { Inject, Injectable } from '@nestjs/common';
import type { AccessReason, AccessState, Calendar } from '#domain/access/index.js';
import { sharesInForce, type UnitDocument, type UnitState } from '#domain/units/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { fromCents } from '#kernel/money.js';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import { heldAccessRun } from '../backtest/held-access-run.js';
import { periodAt } from '../core/periods.js';
import { UnitRecordReader } from '../unit-record.reader.js';

/** The access of a unit at an instant. */
export interface AccessThen {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly balance_due: number;
  /** Who rented or shared the unit. */
  readonly tenant_ids: readonly string[];
}

/** Tells what access a unit had at instants of the past. */
@Injectable()
export class AccessAtTaps {
  constructor(
    private readonly reader: UnitRecordReader,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * In the order of the instants (milliseconds). Undefined before the unit existed, and where too many events would be read.
   * @throws StoreUnavailableError, GivenUpError
   */
  async read(
    unit: UnitDocument,
    instants: readonly number[],
    deadline?: Deadline,
  ): Promise<(AccessThen | undefined)[]> {
    if (instants.length === 0) return [];
    const span = { from: Math.min(...instants), until: Math.max(...instants) };
    const details = await this.reader.details(unit.location_id);
    const run = heldAccessRun(this.reader, this.calendar, new Yielder(deadline), { span, details });
    const [asked] = await run.try([unit]);
    const past = asked?.shown;
    return instants.map((at) => {
      const then = past && periodAt(past.periods, at)?.unit;
      const access = past && periodAt(past.held, at)?.access;
      if (then === undefined || access === undefined) return undefined;
      return { ...access, balance_due: fromCents(then.facts.balance_due), tenant_ids: peopleOf(then, at) };
    });
  }
}

function peopleOf({ tenancy, shares }: UnitState, at: number): string[] {
  return [tenancy ?? [], sharesInForce(shares, at)].flat().map(({ tenant_id }) => tenant_id);
}
