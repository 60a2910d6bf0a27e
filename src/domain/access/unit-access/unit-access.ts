import { Inject, Injectable } from '@nestjs/common';
import { Yielder } from '#kernel/yielder.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { CALENDAR, VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { UnitActivity } from '#domain/locks/index.js';
import { type LocationDocument, LocationDirectory } from '#domain/locations/index.js';
import type { UnitDocument, UnitState } from '#domain/units/index.js';
import { type ChangeAhead, changeAhead } from '../core/change-ahead.js';
import type { Calendar, ExplainedDecision } from '../core/decision.js';
import { explain } from '../core/policy.js';
import type { SubjectUnit } from '../core/subject.js';
import { type Ties, tiesOf } from '../core/ties.js';
import { rented } from '../core/tenant-units.js';
import { TENANT_ACCESS } from '../tenant-access/tenant-access.documents.js';

/** Limit of cures in one answer. If all units of a tenant owe, each unit names all the others. */
export const MOST_CURES = 20_000;

export type ShownLocation = Pick<
  LocationDocument,
  '_id' | 'name' | 'policy' | 'policy_revision' | 'pms_location_code' | 'currency'
>;

export interface DescribedUnit {
  readonly unit: UnitDocument;
  readonly location: ShownLocation;
  readonly decision: ExplainedDecision;
  /** Milliseconds, or null if the unit was never unlocked. */
  readonly last_accessed_at: number | null;
}

/** Reads units with their access as it is at this instant. All methods throw StoreUnavailableError. */
@Injectable()
export class UnitAccess {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly locations: LocationDirectory,
    private readonly activity: UnitActivity,
  ) {}

  /**
   * Describes units as they are now, in the order given.
   * @param mostCures limit of cures in all; the units after it are left out
   * @param given the units' locations, if the caller has just read them
   */
  async describe(
    all: readonly UnitDocument[],
    mostCures = Infinity,
    given?: readonly LocationDocument[],
  ): Promise<DescribedUnit[]> {
    const known =
      given === undefined
        ? this.#locationsOf(all)
        : Promise.resolve(new Map(given.map((one) => [one._id, one])));
    const [decisions, locations, accessed] = await Promise.all([
      this.#decide(all, known, mostCures),
      known,
      this.activity.lastAccessed(all.map(({ unit_id }) => unit_id)),
    ]);
    return all.slice(0, decisions.length).map((unit, index) => ({
      unit,
      location: locations.get(unit.location_id)!,
      decision: decisions[index]!,
      last_accessed_at: accessed.get(unit.unit_id) ?? null,
    }));
  }

  /** Decides units as they are, or as a write would leave them. In the order given. */
  decide(units: readonly UnitState[]): Promise<ExplainedDecision[]> {
    return this.#decide(units, this.#locationsOf(units));
  }

  /** The tenant's other units that this one opens or locks, and those that keep it open; and the change ahead. */
  async outlook(unit: UnitState): Promise<Ties & { readonly next: ChangeAhead | null }> {
    const [locations, [siblings], now] = await Promise.all([
      this.#locationsOf([unit]),
      this.#siblingsOf([unit]),
      this.clocks.now(unit.company_id),
    ]);
    const { policy } = locations.get(unit.location_id)!;
    const input = { unit, siblings: siblings!, policy, now };
    return { ...tiesOf(input, this.calendar), next: changeAhead(input, this.calendar) };
  }

  async #decide(
    units: readonly UnitState[],
    known: Promise<ReadonlyMap<string, LocationDocument>>,
    mostCures = Infinity,
  ): Promise<ExplainedDecision[]> {
    const [locations, siblings, clocks] = await Promise.all([
      known,
      this.#siblingsOf(units),
      this.clocks.findClocks(units.map(({ company_id }) => company_id)),
    ]);
    // One instant for all units of a company, because deciding many units takes time.
    const instants = new Map([...clocks].map(([company_id, clock]) => [company_id, clock.now()]));
    const decisions: ExplainedDecision[] = [];
    let cures = 0;
    const yielder = new Yielder();
    for (const [index, unit] of units.entries()) {
      const { policy } = locations.get(unit.location_id)!;
      const now = instants.get(unit.company_id)!;
      const decision = explain({ unit, siblings: siblings[index]!, policy, now }, this.calendar);
      cures += decision.resolution?.length ?? 0;
      if (cures > mostCures && index > 0) break;
      decisions.push(decision);
      const pause = index + 1 < units.length ? yielder.after(1 + siblings[index]!.length) : undefined;
      if (pause !== undefined) await pause;
    }
    return decisions;
  }

  async #locationsOf(units: readonly UnitState[]): Promise<Map<string, LocationDocument>> {
    const ids = [...new Set(units.map(({ location_id }) => location_id))];
    const found = await this.locations.locations(ids);
    return new Map(
      ids.map((id, index) => {
        const location = found[index];
        if (location === undefined) throw new Error(`Location ${id} has units but no document.`);
        return [id, location];
      }),
    );
  }

  /** For each unit, all units of its tenant. */
  async #siblingsOf(units: readonly UnitState[]): Promise<SubjectUnit[][]> {
    const tenants = units.map(({ tenancy }) => tenancy?.tenant_id);
    const ids = [...new Set(tenants.filter((tenant) => tenant !== undefined))];
    if (ids.length === 0) return units.map(() => []);
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany(ids);
    const subjects = new Map(
      ids.map((id, index) => [id, rented(documents[index]?.units ?? []).map(({ subject }) => subject)]),
    );
    return tenants.map((tenant) => (tenant === undefined ? [] : subjects.get(tenant)!));
  }
}
