import { Inject, Injectable } from '@nestjs/common';
import {
  accessOf,
  type Calendar,
  decidePassGate,
  type DescribedUnit,
  passageOfPass,
  presentOpening,
  TenantAccessViews,
  type TenantUnit,
  UnitAccess,
  unitAtEntryPoint,
} from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import {
  type EntryPointState,
  LocationDirectory,
  type LocationDocument,
  sharesZone,
} from '#domain/locations/index.js';
import { PassDirectory, type PassDocument, standingOf } from '#domain/passes/index.js';
import { isShareInForce, sharesInForce, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { timestampOrNull } from '#kernel/timestamp.js';
import type { AnswerOf } from '#web/openapi/schemas.js';
import { found } from '../facility.refusals.js';
import { type Holder, type KnownPeople, KnownPeopleReader, termsOfPass } from './known-people.js';
import type { ENTRY_POINT_PEOPLE_SCHEMA } from './people.schemas.js';

export type EntryPointPeople = AnswerOf<typeof ENTRY_POINT_PEOPLE_SCHEMA>;
type Person = EntryPointPeople['people'][number];

/** The units that one page covers. */
const UNITS_OF_PAGE = 500;

/** An entry point with its location, at an instant (milliseconds). */
interface Gate {
  readonly entry_point: EntryPointState;
  readonly location: LocationDocument;
  readonly now: number;
}

/** Who may open an entry point now (decisions §13). */
@Injectable()
export class EntryPointPeopleReader {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly tenants: TenantAccessViews,
    private readonly locations: LocationDirectory,
    private readonly passes: PassDirectory,
    private readonly known: KnownPeopleReader,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** @throws ApiError 404, InvalidCursorError, StoreUnavailableError */
  async readPeople(entry_point_id: string, cursor?: string): Promise<EntryPointPeople> {
    const gate = await this.#find(entry_point_id);
    const { documents, next_cursor } = await this.units.pageOfLocation({
      location_id: gate.location._id,
      limit: UNITS_OF_PAGE,
      cursor,
    });
    const units = await this.#served(gate, documents);
    const passes = cursor === undefined ? await this.#passes(gate) : [];
    const shares = units.flatMap(({ shares: of }) => sharesInForce(of, gate.now));
    const known = await this.known.read({
      holders: [...units.flatMap(({ tenancy }) => tenancy ?? []), ...shares],
      passes,
      lock_ids: [entry_point_id],
      now: gate.now,
    });
    const described = await this.access.describe(units, Infinity, [gate.location]);
    return {
      entry_point_id,
      people: [
        ...passes.map((pass) => this.#passHolder(pass, gate, known)),
        ...(cursor === undefined ? await this.#keyHolders(gate, passes, known) : []),
        ...described.flatMap((unit) => this.#peopleOfUnit(unit, gate, known)),
      ],
      next_cursor,
    };
  }

  async #find(entry_point_id: string): Promise<Gate> {
    const location = found(await this.locations.locationOfPart(entry_point_id), 'entry_point_not_found');
    const entry_point = found(
      location.entry_points.find((one) => one.entry_point_id === entry_point_id),
      'entry_point_not_found',
    );
    return { entry_point, location, now: await this.clocks.now(location.company_id) };
  }

  /** The units that are let and in a zone of the entry point. */
  async #served({ entry_point }: Gate, units: readonly UnitDocument[]): Promise<UnitDocument[]> {
    const occupied = units.filter(({ tenancy }) => tenancy !== null);
    const zones = await this.#zonesOf(occupied.map(({ unit_id }) => unit_id));
    return occupied.filter(({ unit_id }) => sharesZone(zones.get(unit_id) ?? [], entry_point.zone_ids));
  }

  async #zonesOf(unit_ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await this.locations.zonesAndLocks(unit_ids);
    return new Map(found.flatMap((one) => (one === undefined ? [] : [[one._id, one.zone_ids]])));
  }

  async #passes({ entry_point: { entry_point_id }, now }: Gate): Promise<PassDocument[]> {
    const passes = await this.passes.endingAfter('by_entry_point', entry_point_id, now);
    return passes.filter(({ entry_point_ids }) => entry_point_ids.includes(entry_point_id));
  }

  async #keyHolders(gate: Gate, passes: readonly PassDocument[], known: KnownPeople): Promise<Person[]> {
    return known.keyHolders([...passes, ...(await this.#entitled(gate, known.keyTenants()))]);
  }

  /** Those of the tenants who rent or share a unit that the entry point serves. */
  async #entitled({ entry_point, now }: Gate, tenant_ids: readonly string[]): Promise<Holder[]> {
    const documents = await this.tenants.findDocuments(tenant_ids);
    const held = documents.flatMap((document) =>
      document === undefined
        ? []
        : document.units
            .filter((unit) => isHeld(unit, now))
            .map(({ unit_id }) => ({ tenant_id: document._id, unit_id })),
    );
    const zones = await this.#zonesOf([...new Set(held.map(({ unit_id }) => unit_id))]);
    return held
      .filter(({ unit_id }) => sharesZone(zones.get(unit_id) ?? [], entry_point.zone_ids))
      .map(({ tenant_id }) => ({ tenant_id }));
  }

  #passHolder(pass: PassDocument, { entry_point, location, now }: Gate, known: KnownPeople): Person {
    const isBegun = standingOf(pass, now) === 'in_force';
    const passage = passageOfPass(pass, entry_point, location, now, this.calendar);
    const decision = decidePassGate(entry_point, passage);
    const atGate = isBegun
      ? presentOpening(decision)
      : { opens: false, denial: 'not_begun' as const, opens_at: timestampOrNull(decision.opens_at) };
    return {
      kind: 'pass',
      ...known.person(pass),
      ...termsOfPass(pass),
      ...atGate,
      key_expires_at: known.keyExpiry(pass),
    };
  }

  #peopleOfUnit({ unit, decision }: DescribedUnit, gate: Gate, known: KnownPeople): Person[] {
    const { unit_id, unit_name, round_the_clock, tenancy } = unit;
    const { entry_point, location, now } = gate;
    const unitHere = { access: decision, round_the_clock };
    const opened = unitAtEntryPoint(unitHere, { details: location, entry_point }, now, this.calendar);
    const atGate = { unit_id, unit_name, access: accessOf(decision), ...presentOpening(opened) };
    const tenants = tenancy === null ? [] : [tenancy];
    return [
      ...tenants.map(({ tenant_id }) => ({
        kind: 'tenant' as const,
        ...known.person({ tenant_id }),
        ...atGate,
        key_expires_at: known.keyExpiry({ tenant_id }),
      })),
      ...sharesInForce(unit.shares, now).map(({ tenant_id, share_id = null, until }) => ({
        kind: 'share' as const,
        ...known.person({ tenant_id }),
        share_id,
        until: timestampOrNull(until),
        ...atGate,
        key_expires_at: known.keyExpiry({ tenant_id }),
      })),
    ];
  }
}

/** Whether a tenant rents a unit, or shares it. */
function isHeld(unit: TenantUnit, now: number): boolean {
  switch (unit.relationship) {
    case 'primary':
      return true;
    case 'shared':
      return isShareInForce(unit, now);
    case 'former':
      return false;
  }
}
