import { Inject, Injectable } from '@nestjs/common';
import type { AccessReason, AccessState, Calendar } from '#domain/access/index.js';
import { sharesInForce, type UnitDocument, type UnitState } from '#domain/units/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { fromCents } from '#kernel/money.js';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import { heldAccessRun, type UnitThen } from '../backtest/held-access-run.js';
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

/** A unit, and the instants (milliseconds) of its taps. */
export interface TappedUnit {
  readonly unit: UnitDocument;
  readonly instants: readonly number[];
}

/** For each instant. Undefined before the unit existed, and where too many events would be read. */
export type AccessAtInstants = readonly (AccessThen | undefined)[];

/** Tells what access units had at instants of the past. */
@Injectable()
export class AccessAtTaps {
  constructor(
    private readonly reader: UnitRecordReader,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * In the order of the units, which are of one location. One run reads each stream once and bounds the events of all: the
   * units of a tenant may bear on each other.
   * @throws StoreUnavailableError, GivenUpError
   */
  async read(tapped: readonly TappedUnit[], deadline?: Deadline): Promise<AccessAtInstants[]> {
    const asked = tapped.filter(({ instants }) => instants.length > 0);
    const [first] = asked;
    if (first === undefined) return tapped.map(() => []);
    const all = asked.flatMap(({ instants }) => instants);
    const span = { from: Math.min(...all), until: Math.max(...all) };
    const details = await this.reader.details(first.unit.location_id);
    const run = heldAccessRun(this.reader, this.calendar, new Yielder(deadline), { span, details });
    const answers = await run.try(asked.map(({ unit }) => unit));
    const pasts = new Map(answers.map(({ unit, shown }) => [unit, shown]));
    return tapped.map(({ unit, instants }) => instants.map((at) => accessAt(pasts.get(unit), at)));
  }
}

function accessAt(past: UnitThen | undefined, at: number): AccessThen | undefined {
  const then = past && periodAt(past.periods, at)?.unit;
  const access = past && periodAt(past.held, at)?.access;
  if (then === undefined || access === undefined) return undefined;
  return { ...access, balance_due: fromCents(then.facts.balance_due), tenant_ids: peopleOf(then, at) };
}

function peopleOf({ tenancy, shares }: UnitState, at: number): string[] {
  return [tenancy ?? [], sharesInForce(shares, at)].flat().map(({ tenant_id }) => tenant_id);
}
