import { Inject, Injectable } from '@nestjs/common';
import { Yielder, type Deadline } from '#kernel/yielder.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { UnitDirectory } from '#domain/units/index.js';
import type { AccessReason, AccessState } from '../core/decision.js';
import { isLockedOut } from '../core/policy.js';
import { type RentedUnit, rented } from '../core/tenant-units.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';
import { tenantDocuments } from '../tenant-access/tenant-documents.js';

export interface DeniedUnit {
  readonly tenant_id: string;
  readonly location_id: string;
  readonly unit: RentedUnit;
}

/** Which denied units are named. Absent: of every location, for every reason. */
export interface WantedDenials {
  readonly location_id?: string | undefined;
  readonly reason?: AccessReason | undefined;
  /** How many locked-out units are left out at the start. */
  readonly skip?: number | undefined;
  /** The tenants who come last, by `tenant_id`. */
  readonly last?: ReadonlyMap<string, unknown> | undefined;
}

export interface Denied {
  readonly tenants: number;
  readonly units: number;
  /** Only locations that have some. */
  readonly unitsAt: ReadonlyMap<string, number>;
  /** Cents at each location: locations may have different currencies. */
  readonly owed: ReadonlyMap<string, number>;
  /** The units of the tenants who come last. */
  readonly lastUnits: number;
  /** The wanted units with the highest balances, at most `most`. */
  readonly first: readonly DeniedUnit[];
  /** What to skip for those that follow. Null: none do. */
  readonly next_skip: number | null;
}

/** The units of a company that do not open for their tenants. */
export interface DeniedUnits {
  /** The number of denied units by reason, the most frequent reason first. */
  readonly byReason: ReadonlyMap<AccessReason, number>;
  /** Denied units, without those of a lease that has not begun. */
  readonly lockedOut: Denied;
  readonly auction: Denied;
}

/** The most units that nobody rents and that are counted at one location. */
const MOST_IDLE = 500;

/** Reads denied units by an index, so that no other tenants are read. Throws StoreUnavailableError. */
@Injectable()
export class Denials {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly decisions: TenantAccessViews,
    private readonly units: UnitDirectory,
  ) {}

  /**
   * Summarises the units at locations of one company that are denied or in auction, at this instant.
   * @param most how many units each summary names
   * @param deadline the caller's; the work stops there
   * @param wanted which units are named; the counts are of all
   * @throws GivenUpError
   */
  async findDenials(
    company_id: string,
    location_ids: readonly string[],
    most: number,
    deadline?: Deadline,
    wanted: WantedDenials = {},
  ): Promise<DeniedUnits> {
    await this.decisions.sweep([company_id]);
    const yielder = new Yielder(deadline);
    const denied = await this.#inState('tenant_denied', location_ids, yielder);
    const rentedInAuction = await this.#inState('auction', location_ids, yielder);
    const auction = summary(rentedInAuction, most, { ...wanted, skip: 0, last: undefined });
    const idle = await this.#idleInAuction(location_ids);
    const lockedOut = denied.filter(({ unit }) => isLockedOut(unit.decision));
    return {
      byReason: countReasons(denied),
      lockedOut: summary(lockedOut, most, wanted),
      auction: { ...auction, units: auction.units + idle },
    };
  }

  async #inState(
    state: AccessState,
    location_ids: readonly string[],
    yielder: Yielder,
  ): Promise<DeniedUnit[]> {
    const found: DeniedUnit[] = [];
    for (const location_id of location_ids) {
      await yielder.after(1);
      const equals = [location_id, state];
      for await (const { tenant_id, units } of tenantDocuments(this.views, 'by_location_and_state', {
        equals,
      })) {
        const own = rented(units).filter(({ decision }) => decision.state === state);
        found.push(...own.map((unit) => ({ tenant_id, location_id, unit })));
        await yielder.after(units.length);
      }
    }
    return found;
  }

  /** The number of units in auction that nobody rents. */
  async #idleInAuction(location_ids: readonly string[]): Promise<number> {
    const found = await Promise.all(
      location_ids.map((location_id) =>
        this.units.listOfLocation({ location_id, idle_state: 'auction', limit: MOST_IDLE }),
      ),
    );
    return found.flat().length;
  }
}

function countReasons(denied: readonly DeniedUnit[]): Map<AccessReason, number> {
  const counts = new Map<AccessReason, number>();
  for (const { unit } of denied) {
    const { reason } = unit.decision;
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

function sumByLocation(
  denied: readonly DeniedUnit[],
  amountOf: (one: DeniedUnit) => number,
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const one of denied) sums.set(one.location_id, (sums.get(one.location_id) ?? 0) + amountOf(one));
  return sums;
}

function summary(
  denied: readonly DeniedUnit[],
  most: number,
  { location_id, reason, skip = 0, last }: WantedDenials,
): Denied {
  const isLast = ({ tenant_id }: DeniedUnit) => Number(last?.has(tenant_id) ?? false);
  const listed = denied.filter(
    (one) =>
      one.location_id === (location_id ?? one.location_id) &&
      one.unit.decision.reason === (reason ?? one.unit.decision.reason),
  );
  return {
    tenants: new Set(denied.map(({ tenant_id }) => tenant_id)).size,
    units: denied.length,
    unitsAt: sumByLocation(denied, () => 1),
    owed: sumByLocation(denied, balanceOf),
    lastUnits: denied.reduce((sum, one) => sum + isLast(one), 0),
    first: listed
      .sort((one, other) => isLast(one) - isLast(other) || balanceOf(other) - balanceOf(one))
      .slice(skip, skip + most),
    next_skip: listed.length > skip + most ? skip + most : null,
  };
}

function balanceOf({ unit }: DeniedUnit): number {
  return unit.subject.facts.balance_due;
}
