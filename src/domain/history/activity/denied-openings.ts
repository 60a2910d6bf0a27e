import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { type Deadline, Yielder } from '#kernel/yielder.js';
import { type LocationDocument, LocationDirectory, sharesZone, zonesAt } from '#domain/locations/index.js';
import { happenedAt } from '#domain/locks/index.js';
import { heldAccessRun } from '../backtest/held-access-run.js';
import { deniedAt, type DeniedThen, type PastUnit } from '../core/denied-openings.js';
import { UnitRecordReader } from '../unit-record.reader.js';
import type { ActivityEntry } from './activity.presenter.js';

/** A report about a lock or an entry point. */
export interface Tap {
  readonly log_id: string;
  readonly location_id: string;
  readonly tenant_id: string;
  readonly event: string;
  readonly result: string;
  /** Milliseconds. */
  readonly occurred_at: number;
  readonly recorded_at: number;
  /** The unit of the lock. */
  readonly unit_id?: string | null | undefined;
  readonly lock_id?: string | undefined;
  readonly entry_point_id?: string | undefined;
}

/** An opening by a tenant who was denied. */
export type DeniedOpening = Tap & { readonly denied_units: readonly DeniedThen[] };

/** Finds openings by tenants whose units were denied at that instant. Throws StoreUnavailableError, GivenUpError. */
@Injectable()
export class DeniedOpenings {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly reader: UnitRecordReader,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** Adds the denied units to entries. */
  async mark(
    entries: readonly ActivityEntry[],
    locationOf: (entry: ActivityEntry) => string,
  ): Promise<ActivityEntry[]> {
    const taps = entries.map((one) => ({
      ...one,
      location_id: locationOf(one),
      occurred_at: Date.parse(one.occurred_at),
      recorded_at: Date.parse(one.recorded_at),
    }));
    const denied = await this.among(taps);
    return entries.map((one) => {
      const denied_units = denied.get(one.log_id);
      return denied_units === undefined ? one : { ...one, denied_units };
    });
  }

  /** The denied units of each such opening, by `log_id`. An opening of which too many events would be read is left out. */
  async among(
    taps: readonly Tap[],
    deadline?: Deadline,
  ): Promise<ReadonlyMap<string, readonly DeniedThen[]>> {
    const openings = taps.filter(({ event, result }) => event === 'unlock' && result === 'success');
    const found = new Map<string, readonly DeniedThen[]>();
    const ids = [...new Set(openings.map(({ location_id }) => location_id))];
    for (const location of await this.locations.locations(ids)) {
      if (location === undefined) continue;
      const own = openings.filter(({ location_id }) => location_id === location._id);
      for (const [log_id, units] of await this.#at(location, own, new Yielder(deadline)))
        if (units.length > 0) found.set(log_id, units);
    }
    return found;
  }

  async #at(location: LocationDocument, openings: readonly Tap[], yielder: Yielder) {
    const led = await this.#unitsLedTo(location, openings);
    const streams = [...new Set([...led.values()].flat())];
    const units = (await this.reader.newest(streams)).filter((unit) => unit !== undefined);
    const instants = openings.map(happenedAt);
    const span = { from: Math.min(...instants), until: Math.max(...instants) };
    const details = await this.reader.details(location._id);
    const run = heldAccessRun(this.reader, this.calendar, yielder, { span, details });
    const past = new Map<string, PastUnit>();
    for (const { unit, shown } of units.length === 0 ? [] : await run.try(units))
      if (shown !== undefined) past.set(unit._id, { ...unit, ...shown });
    return openings.map((one) => {
      const known = led.get(one.log_id)!.map((stream) => past.get(stream));
      const all = known.filter((unit) => unit !== undefined);
      return [
        one.log_id,
        all.length < known.length ? [] : deniedAt(one.tenant_id, happenedAt(one), all),
      ] as const;
    });
  }

  /** The streams of the units that the tenant ever had and that the opening leads to, by `log_id`. */
  async #unitsLedTo(location: LocationDocument, openings: readonly Tap[]): Promise<Map<string, string[]>> {
    const ofTenants = await this.reader.unitsOf([...new Set(openings.map(({ tenant_id }) => tenant_id))]);
    const unit_ids = [...new Set([...ofTenants.values()].flat().map(({ unit_id }) => unit_id))];
    const zonesAndLocks = await this.locations.zonesAndLocks(unit_ids);
    const zonesOf = new Map(unit_ids.map((unit_id, index) => [unit_id, zonesAndLocks[index]]));
    const tapped = openings.flatMap(({ entry_point_id }) => entry_point_id ?? []);
    const gates = await this.locations.entryPointsEver(location, tapped);
    const leadsTo = (tap: Tap, unit_id: string) => {
      const gate = gates.get(tap.entry_point_id ?? '');
      const unit = zonesOf.get(unit_id);
      if (gate === undefined || unit === undefined) return tap.unit_id === unit_id;
      const at = happenedAt(tap);
      return sharesZone(zonesAt(unit, at), zonesAt(gate, at));
    };
    return new Map(
      openings.map((tap) => {
        const led = ofTenants.get(tap.tenant_id)!.filter(({ unit_id }) => leadsTo(tap, unit_id));
        return [tap.log_id, led.map(({ stream }) => stream)];
      }),
    );
  }
}
