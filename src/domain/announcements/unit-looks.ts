import { Injectable } from '@nestjs/common';
import { accessStream, rented, TenantAccessViews } from '#domain/access/index.js';
import { type CompanyClock, CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import { AnnouncedProjector } from './announced.projector.js';
import type { AnnouncedState } from './core/announced.state.js';
import type { LookedUnit, Trigger } from './core/look.js';
import { type Look, LookSchedule } from './look-schedule.js';

/** A unit as the views show it, with what was announced about it. */
export interface ReadUnit {
  readonly unit: UnitDocument;
  readonly location: LocationDocument;
  readonly looked: LookedUnit;
  readonly clock: CompanyClock;
  /** The stream of announcements, and its state. */
  readonly stream: string;
  readonly announced: Snapshot<AnnouncedState> | undefined;
  readonly look: Look | undefined;
}

/** Units that were asked for. A unit that the views do not show, or without a location, is not decided. */
export interface ReadUnits {
  readonly units: readonly ReadUnit[];
  /** The looks of the others. */
  readonly stray: readonly Look[];
}

/** Reads what says whether something is to be announced of some units. */
@Injectable()
export class UnitLooks {
  constructor(
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccessViews,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    private readonly announced: AnnouncedProjector,
    private readonly schedule: LookSchedule,
  ) {}

  /** @param triggers by the unit's stream @throws StoreUnavailableError */
  async readUnits(triggers: ReadonlyMap<string, Trigger>): Promise<ReadUnits> {
    const streams = [...triggers.keys()];
    // First: what is announced meanwhile makes the announcement fail, and then the unit is read again.
    const looks = new Map<string, Look>();
    for (const look of await this.schedule.readLooks(streams))
      if (look !== undefined) looks.set(look._id, look);
    const found = (await this.units.byStreams(streams)).filter((unit) => unit !== undefined);
    const ofUnits = found.map(({ company_id, unit_id }) => accessStream(company_id, unit_id));
    const announced = await this.announced.states.load(ofUnits);
    const [siblings, locations, clocks] = await Promise.all([
      this.#siblingsOf(found),
      this.#locationsOf(found),
      this.clocks.findClocks(found.map(({ company_id }) => company_id)),
    ]);
    const read = found.flatMap((unit, index): ReadUnit[] => {
      const { _id, company_id, location_id, tenancy, revision, last_at } = unit;
      const location = locations.get(location_id);
      if (location === undefined) return [];
      const clock = clocks.get(company_id)!;
      const look = looks.get(_id);
      const input = {
        unit,
        siblings: tenancy === null ? [] : (siblings.get(tenancy.tenant_id) ?? []),
        policy: location.policy,
        now: clock.now(),
      };
      const looked: LookedUnit = {
        company_id,
        input,
        unit_revision: revision,
        last_at,
        policy_revision: location.policy_revision,
        announced: announced[index]?.state,
        look_at: look?.look_at ?? null,
        trigger: triggers.get(_id)!,
      };
      return [{ unit, location, looked, clock, stream: ofUnits[index]!, announced: announced[index], look }];
    });
    const known = new Set(read.map(({ unit }) => unit._id));
    const stray = [...looks.values()].filter(({ _id }) => !known.has(_id));
    return { units: read, stray };
  }

  /** By tenant. */
  async #siblingsOf(units: readonly UnitDocument[]) {
    const ids = [...new Set(units.flatMap(({ tenancy }) => tenancy?.tenant_id ?? []))];
    const documents = ids.length === 0 ? [] : await this.tenants.findDocuments(ids);
    return new Map(
      ids.map((id, index) => [id, rented(documents[index]?.units ?? []).map(({ subject }) => subject)]),
    );
  }

  async #locationsOf(units: readonly UnitDocument[]) {
    const ids = [...new Set(units.map(({ location_id }) => location_id))];
    const found = await this.locations.locations(ids);
    return new Map(found.flatMap((one) => (one === undefined ? [] : [[one._id, one] as const])));
  }
}
