import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../config/clock.js';
import { CALENDAR, CLOCK, VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore, FindOptions, Page } from '../../documents/document-store.js';
import type { LocationDocument } from '../../sites/index.js';
import type { UnitDocument, UnitState } from '../../units/index.js';
import type { AccessState, Calendar, ExplainedDecision } from '../core/decision.js';
import { explain } from '../core/policy.js';
import type { SubjectUnit } from '../core/subject.js';
import { rented } from '../core/tenant-units.js';
import { TENANT_ACCESS } from '../tenant-access/tenant-access.documents.js';
import { UNIT_ACCESS } from './unit-access.documents.js';
import { UnitAccessReaders } from './unit-access.readers.js';

/** A unit with everything that is known of it now. */
export interface DescribedUnit {
  readonly unit: UnitDocument;
  readonly location: LocationDocument;
  readonly decision: ExplainedDecision;
  /** Milliseconds, or null where the unit was never unlocked. */
  readonly last_accessed_at: number | null;
}

/** Which units, of all companies or of one, a page at a time, in the order they were created. */
export interface UnitListFilter {
  readonly company_id?: string | undefined;
  readonly location_id?: string | undefined;
  readonly state?: AccessState | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Reads units with their access as it is at this instant. All methods throw StoreUnavailableError. */
@Injectable()
export class UnitAccessQuery {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly readers: UnitAccessReaders,
  ) {}

  /** The units as they are now, in the order given. */
  async describe(units: readonly UnitDocument[]): Promise<DescribedUnit[]> {
    const [decisions, locations, accessed] = await Promise.all([
      this.decide(units),
      this.#locationsOf(units),
      this.readers.activity.lastAccessed(units.map(({ unit_id }) => unit_id)),
    ]);
    return units.map((unit, place) => ({
      unit,
      location: locations.get(unit.location_id)!,
      decision: decisions[place]!,
      last_accessed_at: accessed.get(unit.unit_id) ?? null,
    }));
  }

  /** The decisions for units as they are, or as a write would leave them, in the order given. */
  async decide(units: readonly UnitState[]): Promise<ExplainedDecision[]> {
    const [locations, siblings] = await Promise.all([this.#locationsOf(units), this.#siblingsOf(units)]);
    const now = this.clock.now();
    return units.map((unit, place) => {
      const { policy } = locations.get(unit.location_id)!;
      return explain({ unit, siblings: siblings[place]!, policy, now }, this.calendar);
    });
  }

  /**
   * A page of units; those whose decision the calendar has overtaken are evaluated again first. A page may be short.
   */
  async list(filter: UnitListFilter): Promise<{ units: DescribedUnit[]; next_cursor: string | null }> {
    await this.readers.views.sweep();
    const { company_id, state } = filter;
    const { documents, next_cursor } = await this.#page(filter);
    // A location tells its units apart by itself; named beside another company's, it has none to show.
    const own = documents.filter((unit) => company_id === undefined || unit.company_id === company_id);
    const described = await this.describe(own);
    const units = described.filter(({ decision }) => state === undefined || decision.state === state);
    return { units, next_cursor };
  }

  /** Units from the rows of a company or location; of all companies, whatever their state, from the units themselves. */
  async #page(filter: UnitListFilter): Promise<Page<UnitDocument>> {
    const { company_id, location_id, cursor, limit } = filter;
    if (location_id === undefined && company_id === undefined)
      return this.readers.units.page({ cursor, limit });
    const rows = await (await this.views.collection(UNIT_ACCESS)).find(...listIndex(filter));
    const documents = await this.readers.units.byStreams(rows.documents.map(({ stream }) => stream));
    return { documents: documents.filter((unit) => unit !== undefined), next_cursor: rows.next_cursor };
  }

  async #locationsOf(units: readonly UnitState[]): Promise<Map<string, LocationDocument>> {
    const ids = [...new Set(units.map(({ location_id }) => location_id))];
    const found = await this.readers.sites.locations(ids);
    return new Map(
      ids.map((id, place) => {
        const location = found[place];
        if (location === undefined) throw new Error(`Location ${id} has units but no document.`);
        return [id, location];
      }),
    );
  }

  /** The units of each unit's tenant, in the order of `units`. */
  async #siblingsOf(units: readonly UnitState[]): Promise<SubjectUnit[][]> {
    const tenants = units.map(({ tenancy }) => tenancy?.tenant_id);
    const ids = [...new Set(tenants.filter((tenant) => tenant !== undefined))];
    if (ids.length === 0) return units.map(() => []);
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany(ids);
    const subjects = new Map(
      ids.map((id, place) => [id, rented(documents[place]?.units ?? []).map(({ subject }) => subject)]),
    );
    return tenants.map((tenant) => (tenant === undefined ? [] : subjects.get(tenant)!));
  }
}

function listIndex({ company_id, location_id, state, cursor, limit }: UnitListFilter): [string, FindOptions] {
  const page = { limit, cursor };
  const [name, scope] =
    location_id === undefined ? ['by_company', company_id!] : ['by_location', location_id];
  if (state === undefined) return [name, { equals: [scope], ...page }];
  return [`${name}_and_state`, { equals: [scope, state], ...page }];
}
