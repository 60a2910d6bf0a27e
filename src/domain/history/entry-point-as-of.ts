import { Inject, Injectable } from '@nestjs/common';
import {
  accessOf,
  type Calendar,
  decidePassGate,
  type DescribedUnit,
  passageOfPass,
  presentOpening,
  unitAtEntryPoint,
} from '#domain/access/index.js';
import {
  type EntryPoint,
  type EntryPointState,
  type LocationDetails,
  LocationDirectory,
  sharesZone,
  zonesAt,
} from '#domain/locations/index.js';
import type { PassState } from '#domain/passes/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { sharesInForce, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { locationAt } from './core/entry-points-as-of.js';
import { PassesAsOf } from './passes-as-of.js';
import { UnitHistory } from './unit-history.js';
import { UnitRecordReader } from './unit-record.reader.js';

/** The units that one page covers: the events of each are read. */
const UNITS_OF_PAGE = 100;

/** An entry point at an instant (milliseconds), with what its location said then. */
interface GateThen {
  readonly entry_point: EntryPointState;
  readonly details: Pick<LocationDetails, 'access_hours' | 'policy'>;
  readonly at: number;
}

/** Who could open an entry point at an instant. Names are those of now, because older ones are not kept. */
@Injectable()
export class EntryPointAsOf {
  constructor(
    private readonly reader: UnitRecordReader,
    private readonly histories: UnitHistory,
    private readonly passes: PassesAsOf,
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly tenants: TenantAccounts,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * A page of the people. Undefined if the location did not have the entry point then.
   * @param at milliseconds, by the company's clock
   * @throws InvalidCursorError, StoreUnavailableError
   */
  async readPage(present: EntryPoint, at: number, cursor?: string) {
    const gate = await this.#gateAt(present, at);
    if (gate === undefined) return undefined;
    const { entry_point } = gate;
    const { entry_point_id, location_id, name, kind, in_service } = entry_point;
    const { documents, next_cursor } = await this.units.pageOfLocation({
      location_id,
      limit: UNITS_OF_PAGE,
      cursor,
    });
    const units = await this.#unitsAt(gate, documents);
    return {
      at: toTimestamp(at),
      entry_point_id,
      name,
      kind,
      in_service,
      people: [
        ...(cursor === undefined ? await this.#passHolders(gate) : []),
        ...(await this.#peopleOf(units, gate)),
      ],
      next_cursor,
    };
  }

  async #gateAt(present: EntryPoint, at: number): Promise<GateThen | undefined> {
    const events = await this.reader.wholeLocation(present.location_id);
    if (events.length === 0) return this.#gateShown(present, at);
    const location = locationAt(events, at);
    const entry_point = location?.entry_points.get(present.entry_point_id);
    return entry_point && { entry_point, details: location!.details, at };
  }

  /** By the view, for a location whose events somebody deleted. */
  async #gateShown({ entry_point_id, location_id }: EntryPoint, at: number): Promise<GateThen | undefined> {
    const details = await this.locations.location(location_id);
    const entry_point = details?.entry_points.find((one) => one.entry_point_id === entry_point_id);
    return entry_point && { entry_point, details: details!, at };
  }

  /** The units that were let then and in a zone of the entry point. */
  async #unitsAt(gate: GateThen, units: readonly UnitDocument[]): Promise<DescribedUnit[]> {
    const zones = await this.locations.zonesAndLocks(units.map(({ unit_id }) => unit_id));
    const served = units.filter((_, index) => serves(gate.entry_point, zones[index], gate.at));
    const described = await this.histories.describedAt(gate.entry_point.location_id, served, gate.at);
    return described.filter((one) => one !== undefined).filter(({ unit }) => unit.tenancy !== null);
  }

  async #passHolders({ entry_point, details, at }: GateThen) {
    const passes = await this.passes.ofEntryPoint(entry_point.entry_point_id, at);
    return passes.map(({ shown, pass }) => ({
      kind: 'pass' as const,
      ...shown,
      ...this.#atGate(pass, { entry_point, details, at }),
    }));
  }

  #atGate(pass: PassState, { entry_point, details, at }: GateThen) {
    return presentOpening(
      decidePassGate(entry_point, passageOfPass(pass, entry_point, details, at, this.calendar)),
    );
  }

  async #peopleOf(units: readonly DescribedUnit[], gate: GateThen) {
    const rights = units.flatMap((described) => this.#rightsOf(described, gate));
    const ids = [...new Set(rights.map(({ tenant_id }) => tenant_id))];
    const accounts = await this.tenants.byTenantId(ids);
    const names = new Map(ids.map((id, index) => [id, accounts[index]?.name ?? null]));
    return rights.map((right) => ({ ...right, name: names.get(right.tenant_id) ?? null }));
  }

  #rightsOf({ unit, decision }: DescribedUnit, { entry_point, details, at }: GateThen) {
    const { unit_id, unit_name, round_the_clock, tenancy, shares } = unit;
    const unitThen = { access: decision, round_the_clock };
    const decided = unitAtEntryPoint(unitThen, { details, entry_point }, at, this.calendar);
    const opening = { unit_id, unit_name, access: accessOf(decision), ...presentOpening(decided) };
    return [
      { kind: 'tenant' as const, tenant_id: tenancy!.tenant_id, ...opening },
      ...sharesInForce(shares, at).map(({ tenant_id, until }) => ({
        kind: 'share' as const,
        tenant_id,
        until: timestampOrNull(until),
        ...opening,
      })),
    ];
  }
}

function serves(
  { zone_ids }: EntryPointState,
  unit: Parameters<typeof zonesAt>[0] | undefined,
  at: number,
): boolean {
  if (unit === undefined || zone_ids.length === 0) return false;
  return sharesZone(zonesAt(unit, at), zone_ids);
}
