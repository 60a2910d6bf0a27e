import { Inject, Injectable } from '@nestjs/common';
import {
  accessStream,
  type Calendar,
  closesAt,
  rented,
  type SeenAccess,
  seenAccessOf,
  shortDecision,
  TenantAccessViews,
} from '#domain/access/index.js';
import { AnnouncedProjector } from '#domain/announcements/index.js';
import { type CompanyClock, CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory, type LocationDocument, type LocationPolicy } from '#domain/locations/index.js';
import { UnitDirectory, type UnitDocument, type UnitEvent } from '#domain/units/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { CALENDAR, EVENT_STORE } from '#kernel/injection-tokens.js';
import type { Standing } from './core/due-notice.js';
import {
  type Arrival,
  type KnownUnit,
  meetUnit,
  type NoticeSite,
  type PresentUnit,
  standingUnit,
} from './core/known-unit.js';
import type { NoticeTenant } from './notice-tenants.js';

/** What a text says of a unit that its tenant rents now. */
export interface RentedUnitFacts {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly crm_unit_id: string;
  readonly pms_tenant_id: string;
  /** In cents. */
  readonly balance_due: number;
  /** Whether it is closed, or closes next, because something is not paid. */
  readonly isForDebt: boolean;
}

/** A tenant as it stands now. */
export interface TenantStandings {
  readonly location: LocationDocument;
  readonly site: NoticeSite;
  readonly clock: CompanyClock;
  /** Of the same clock. */
  readonly now: number;
  readonly standings: readonly Standing[];
  /** Units of which a change is yet to be announced. They are judged after that. */
  readonly unsettled: readonly KnownUnit[];
  /** All units that the tenant rents. */
  readonly rented: readonly RentedUnitFacts[];
}

/** A unit that a tenant rents. `unsettled`: a change of its access is yet to be announced. */
interface HeldUnit {
  readonly unit: UnitDocument;
  readonly present: Omit<PresentUnit, 'access'> & { readonly access: SeenAccess | 'unsettled' };
  readonly facts: RentedUnitFacts;
}

const REASONS_OF_DEBT: ReadonlySet<string | null> = new Set(['delinquent', 'blanket_delinquency']);

/** Reads what says whether a tenant is to be told something. */
@Injectable()
export class TenantStandingsReader {
  constructor(
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly tenants: TenantAccessViews,
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    private readonly announced: AnnouncedProjector,
  ) {}

  /** @returns undefined if the views do not show the location. @throws StoreUnavailableError */
  async readStandings(tenant: NoticeTenant): Promise<TenantStandings | undefined> {
    const [location, clock] = await Promise.all([
      this.locations.location(tenant.location_id),
      this.clocks.findClock(tenant.company_id),
    ]);
    if (location === undefined) return undefined;
    const { policy, notices, notices_since: since } = location;
    const site: NoticeSite = { timezone: policy.timezone, notices, since };
    const now = clock.now();
    const held = await this.#readHeld(tenant, policy, now);
    const standings: Standing[] = [];
    const unsettled: KnownUnit[] = [];
    for (const { unit, present } of held) {
      const known = tenant.units.find((one) => isSameTenancy(one, present));
      if (present.access === 'unsettled') unsettled.push(...(known === undefined ? [] : [known]));
      else {
        const settled = { ...present, access: present.access };
        const met = await this.#knownOf({ known, present: settled, unit, tenant, site, now });
        standings.push({ present: settled, known: met });
      }
    }
    return { location, site, clock, now, standings, unsettled, rented: held.map(({ facts }) => facts) };
  }

  /** The units that a tenant rents, as they are decided now. */
  async #readHeld(tenant: NoticeTenant, policy: LocationPolicy, now: number): Promise<HeldUnit[]> {
    const [document] = await this.tenants.findDocuments([tenant._id]);
    const all = rented(document?.units ?? []);
    const siblings = all.map(({ subject }) => subject);
    const [units, announced] = await Promise.all([
      this.units.byStreams(all.map(({ stream }) => stream)),
      this.announced.states.load(all.map(({ unit_id }) => accessStream(tenant.company_id, unit_id))),
    ]);
    return all.flatMap(({ unit_id, tenancy_id, subject }, index): HeldUnit[] => {
      const unit = units[index];
      if (unit === undefined) return [];
      const input = { unit: subject, siblings, policy, now };
      const decision = shortDecision(input, this.calendar);
      const closes_at = closesAt(input, decision, this.calendar);
      const next = closes_at === null ? decision : shortDecision({ ...input, now: closes_at }, this.calendar);
      const told = announced[index]?.state;
      const isAnnounced = told !== undefined && seenAccessOf(told) === seenAccessOf(decision);
      const access = isAnnounced ? seenAccessOf(decision) : 'unsettled';
      const since = told?.seen_since ?? 0;
      return [
        {
          unit,
          present: { unit_id, tenancy_id, access, since, closes_at },
          facts: factsOf(unit, REASONS_OF_DEBT.has(next.reason)),
        },
      ];
    });
  }

  async #knownOf({
    known,
    present,
    unit,
    tenant,
    site,
    now,
  }: {
    readonly known: KnownUnit | undefined;
    readonly present: PresentUnit;
    readonly unit: UnitDocument;
    readonly tenant: NoticeTenant;
    readonly site: NoticeSite;
    readonly now: number;
  }): Promise<KnownUnit> {
    if (known === undefined) {
      const { move_in_date } = unit.facts;
      const arrival: Arrival = {
        moved_in_at: await this.#movedInAt(unit, present.tenancy_id),
        lease_begins_at: move_in_date === null ? null : this.calendar.startOf(move_in_date, site.timezone),
      };
      return meetUnit(present, arrival, { site, now });
    }
    const isSwitchedOn = tenant.since?.closes_in_days !== site.since.closes_in_days;
    return isSwitchedOn ? standingUnit(known, present) : known;
  }

  /** Milliseconds by the company's clock; 0 if the log does not tell. */
  async #movedInAt({ _id, set_at }: UnitDocument, tenancy_id: string): Promise<number> {
    const from = set_at.pms_tenant_id;
    if (from === undefined) return 0;
    const [event] = await this.log.readStream(_id, { from, limit: 1 });
    if (event === undefined) return 0;
    const { type, data } = event as unknown as UnitEvent;
    const isMoveIn = type === 'TenantMovedIn' && data.tenancy_id === tenancy_id;
    return isMoveIn ? Date.parse(event.metadata['occurred_at'] as string) : 0;
  }
}

function isSameTenancy(
  one: Pick<KnownUnit, 'unit_id' | 'tenancy_id'>,
  other: Pick<KnownUnit, 'unit_id' | 'tenancy_id'>,
): boolean {
  return one.unit_id === other.unit_id && one.tenancy_id === other.tenancy_id;
}

function factsOf(
  { unit_id, unit_name, crm_unit_id, facts: { pms_tenant_id, balance_due } }: UnitDocument,
  isForDebt: boolean,
): RentedUnitFacts {
  return {
    unit_id,
    unit_name,
    crm_unit_id,
    pms_tenant_id: pms_tenant_id ?? '',
    balance_due,
    isForDebt,
  };
}
