import { Injectable } from '@nestjs/common';
import { ActivityReads } from '#api/history/index.js';
import { UnitPeopleReader } from '#api/operator/index.js';
import { isLockedOut, presentUnit, UnitAccess } from '#domain/access/index.js';
import { LocationDirectory, type LockDocument } from '#domain/locations/index.js';
import { Conditions } from '#domain/locks/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { NamedEntries } from '../activity/named-entries.js';
import { FramedLocation } from '../frame/framed-location.js';
import { GatePassages } from '../hours/gate-passages.js';
import { UnitTenants } from '../lists/unit-tenants.js';
import { mappedUnit } from '../site/site-map.reader.js';
import { needOf } from './lock-need.js';

/** The newest taps on a lock's page. */
const TAPS = 10;
/** The units that one page of a zone shows, and that are read at once. */
const UNITS = 500;
const BY_NAME = new Intl.Collator('en', { numeric: true });

interface ZoneIds {
  readonly zone_id: string;
  readonly location_id: string;
}

/** Reads what belongs to a zone or a lock. Every method throws StoreUnavailableError. */
@Injectable()
export class EquipmentItemReader {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly tenants: UnitTenants,
    private readonly locations: LocationDirectory,
    private readonly framed: FramedLocation,
    private readonly passages: GatePassages,
    private readonly activity: ActivityReads,
    private readonly named: NamedEntries,
    private readonly conditions: Conditions,
    private readonly people: UnitPeopleReader,
  ) {}

  /** @param page from 1; one that does not exist shows the last */
  async readZone({ zone_id, location_id }: ZoneIds, page: number) {
    const [members, framed, location] = await Promise.all([
      this.locations.unitsInZone(zone_id),
      this.framed.readLocation(location_id),
      this.locations.location(location_id),
    ]);
    const { now, passageOf } = await this.passages.readPassages(framed.location);
    const all = await this.#present(members.map(({ _id }) => _id));
    const pages = Math.max(Math.ceil(all.length / UNITS), 1);
    const shown = Math.min(page, pages);
    const units = await this.#mapped(all.slice((shown - 1) * UNITS, shown * UNITS), zone_id);
    const entry_points = (location?.entry_points ?? []).map((gate) => ({
      ...gate,
      passage: passageOf(gate),
      leadsHere: gate.zone_ids.includes(zone_id),
    }));
    const mounted = members.flatMap(({ _id, locks }) =>
      locks.map(({ lock_id }) => ({ lock_id, unit_id: _id })),
    );
    return {
      units,
      unit_count: all.length,
      retired_count: members.length - all.length,
      locked_out: pages === 1 ? units.filter(isLockedOut).length : undefined,
      page: shown,
      pages,
      entry_points,
      locks: await this.#conditionOf(mounted, now),
      now,
    };
  }

  /** Without those that are retired, by name. */
  async #present(unit_ids: readonly string[]): Promise<UnitDocument[]> {
    const found: UnitDocument[] = [];
    for (let from = 0; from < unit_ids.length; from += UNITS)
      found.push(...(await this.units.byUnitIds(unit_ids.slice(from, from + UNITS))));
    return found
      .filter(({ retired }) => !retired)
      .sort((one, other) => BY_NAME.compare(one.unit_name, other.unit_name));
  }

  async #mapped(units: readonly UnitDocument[], zone_id: string) {
    const described = await this.access.describe(units);
    const presented = described.map((one) => ({ ...presentUnit(one), company_id: one.unit.company_id }));
    return (await this.tenants.withTenants(presented)).map((unit) => mappedUnit(unit, [zone_id]));
  }

  async #conditionOf(locks: readonly { readonly lock_id: string; readonly unit_id: string }[], now: number) {
    const reports = await this.conditions.lastReportsOf(locks.map(({ lock_id }) => lock_id));
    const needs = locks.map((lock) => needOf(lock, reports.get(lock.lock_id), now));
    return {
      units_with_lock: new Set(locks.map(({ unit_id }) => unit_id)).size,
      low: needs.filter((need) => need === 'battery').length,
      silent: needs.filter((need) => need === 'silent').length,
    };
  }

  /** @param now by the company's clock, in milliseconds */
  async readLock(lock: Pick<LockDocument, 'lock_id' | 'unit_id' | 'location_id'>, now: number) {
    const { lock_id, unit_id, location_id } = lock;
    const [reports, { entries }, people, zones] = await Promise.all([
      this.conditions.lastReportsOf([lock_id]),
      this.activity.listOfLock(lock_id, { limit: TAPS }),
      unit_id === null ? null : this.people.readPeople(unit_id),
      unit_id === null ? [] : this.#zonesOf(unit_id, location_id),
    ]);
    const report = reports.get(lock_id);
    const [taps, names] = await Promise.all([
      this.named.withHadKey(entries),
      this.named.findReporters(entries),
    ]);
    return { report, need: needOf(lock, report, now), taps, names, people, zones, now };
  }

  async #zonesOf(unit_id: string, location_id: string) {
    const [[unit], location] = await Promise.all([
      this.locations.zonesAndLocks([unit_id]),
      this.locations.location(location_id),
    ]);
    return (location?.zones ?? []).filter(({ zone_id }) => unit?.zone_ids.includes(zone_id));
  }
}
