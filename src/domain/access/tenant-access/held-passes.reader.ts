import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import {
  LocationDirectory,
  type LocationDocument,
  type UnitZonesAndLocksDocument,
} from '#domain/locations/index.js';
import { opensUnit, PassDirectory, type PassDocument } from '#domain/passes/index.js';
import { isPassHolderId, type TenantAccount } from '#domain/tenants/index.js';
import { idleState, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { HeldPass, PassUnit } from './pass.answer.js';

export interface ReadPasses {
  readonly passes: readonly HeldPass[];
  /** The revision of every document that was read. */
  readonly versions: string;
}

const NONE: ReadPasses = { passes: [], versions: '' };

/** The things that passes name, by id. */
interface NamedThings {
  readonly locations: ReadonlyMap<string, LocationDocument>;
  readonly units: ReadonlyMap<string, UnitDocument>;
  readonly zonesAndLocks: ReadonlyMap<string, UnitZonesAndLocksDocument>;
}

/** Reads the passes that an account holds. Only accounts that were made for passes hold any, so others cost no read. */
@Injectable()
export class HeldPassesReader {
  constructor(
    private readonly directory: PassDirectory,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  /** Those that have not ended. @throws StoreUnavailableError */
  async readOf(account: TenantAccount | undefined): Promise<ReadPasses> {
    if (account === undefined || !isPassHolderId(account.pms_tenant_id)) return NONE;
    const { tenant_id, company_id } = account;
    const found = await this.directory.endingAfter('by_tenant', tenant_id, await this.clocks.now(company_id));
    const passes = found.filter((pass) => pass.tenant_id === tenant_id);
    return this.readAll(passes);
  }

  /** @throws StoreUnavailableError */
  async readAll(passes: readonly PassDocument[]): Promise<ReadPasses> {
    if (passes.length === 0) return NONE;
    const unit_ids = [...new Set(passes.flatMap(({ units }) => units.map(({ unit_id }) => unit_id)))];
    const [locations, units, zonesAndLocks] = await Promise.all([
      this.locations.locations([...new Set(passes.map(({ location_id }) => location_id))]),
      this.units.byUnitIds(unit_ids),
      this.locations.zonesAndLocks(unit_ids),
    ]);
    const named: NamedThings = {
      locations: byId(locations, ({ _id }) => _id),
      units: byId(units, ({ unit_id }) => unit_id),
      zonesAndLocks: byId(zonesAndLocks, ({ _id }) => _id),
    };
    return {
      passes: passes.flatMap((pass) => heldPass(pass, named) ?? []),
      versions: passes.map((pass) => versionsOf(pass, named)).join(' '),
    };
  }
}

function heldPass(
  pass: PassDocument,
  { locations, units, zonesAndLocks }: NamedThings,
): HeldPass | undefined {
  const location = locations.get(pass.location_id);
  if (location === undefined) return undefined;
  const entry_points = location.entry_points.filter(({ entry_point_id }) =>
    pass.entry_point_ids.includes(entry_point_id),
  );
  const opened = pass.units.flatMap((named): PassUnit[] => {
    const unit = units.get(named.unit_id);
    if (unit === undefined || !opensUnit(named, unit)) return [];
    const { unit_id, unit_name, facts } = unit;
    const { zone_ids = [], locks = [] } = zonesAndLocks.get(unit_id) ?? {};
    return [{ unit_id, unit_name, state: idleState(facts), zone_ids, locks }];
  });
  return { pass, location, entry_points, units: opened };
}

function versionsOf(pass: PassDocument, { locations, units, zonesAndLocks }: NamedThings): string {
  const ofUnits = pass.units.map(
    ({ unit_id }) => `${unit_id}:${units.get(unit_id)?.revision}:${zonesAndLocks.get(unit_id)?.revision}`,
  );
  const location = locations.get(pass.location_id);
  return [`${pass._id}:${pass.revision} at ${location?.revision}`, ...ofUnits].join(' ');
}

function byId<One>(found: readonly (One | undefined)[], idOf: (one: One) => string): Map<string, One> {
  return new Map(found.flatMap((one) => (one === undefined ? [] : [[idOf(one), one]])));
}
