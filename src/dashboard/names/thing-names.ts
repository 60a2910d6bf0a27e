import { Injectable } from '@nestjs/common';
import type { HistoryEntry } from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { PassDirectory } from '#domain/passes/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { nameOf } from '../parts/tenant-links.js';

/** Current names by id. Absent: the thing was removed. */
export type NamesById = ReadonlyMap<string, string>;

/** Units whose documents are read at once. */
const UNITS_READ = 500;

/** Finds the names for a page: one read for each kind. @throws StoreUnavailableError from every method */
@Injectable()
export class ThingNames {
  constructor(
    private readonly unitDirectory: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly directory: LocationDirectory,
    private readonly passes: PassDirectory,
  ) {}

  async findUnits(unit_ids: readonly string[]): Promise<NamesById> {
    const units = await this.unitDirectory.byUnitIds([...new Set(unit_ids)]);
    return new Map(units.map(({ unit_id, unit_name }) => [unit_id, unit_name]));
  }

  /** Of all units of a location: that costs a third of asking for each. */
  async findUnitsOfLocation(location_id: string): Promise<NamesById> {
    const names = new Map<string, string>();
    for await (const units of this.unitDirectory.allOfLocation(location_id, UNITS_READ))
      for (const { unit_id, unit_name } of units) names.set(unit_id, unit_name);
    return names;
  }

  async findTenants(tenant_ids: readonly string[]): Promise<NamesById> {
    const accounts = await this.accounts.byTenantId([...new Set(tenant_ids)]);
    return named(accounts, (tenant) => [tenant.tenant_id, nameOf(tenant)]);
  }

  /** The holders of passes, by the pass. */
  async findPassHolders(pass_ids: readonly string[]): Promise<NamesById> {
    const passes = (await this.passes.passes([...new Set(pass_ids)])).filter((pass) => pass !== undefined);
    const names = await this.findTenants(passes.map(({ tenant_id }) => tenant_id));
    return new Map(passes.map(({ pass_id, tenant_id }) => [pass_id, names.get(tenant_id) ?? 'No name']));
  }

  async findLocations(location_ids: readonly string[]): Promise<NamesById> {
    const locations = await this.directory.locations([...new Set(location_ids)]);
    return named(locations, ({ _id, name }) => [_id, name]);
  }

  /** Names of the tenants, locations and other units in a unit's history. */
  async findInHistory(entries: readonly HistoryEntry[]): Promise<NamesById> {
    const idsIn = (...fields: readonly string[]) =>
      entries.flatMap(({ changes }) => fields.flatMap((field) => idsOf(changes[field])));
    const [tenants, locations, units] = await Promise.all([
      this.findTenants(idsIn('tenant_id', 'shared_with', 'invited')),
      this.findLocations(idsIn('location_id')),
      this.findUnits(idsIn('transferred_from', 'transferred_to')),
    ]);
    return new Map([...tenants, ...locations, ...units]);
  }

  /** Names of zones, entry points and locks. */
  async findEquipment(ids: readonly string[]): Promise<NamesById> {
    return this.directory.equipmentNames([...new Set(ids)]);
  }
}

function idsOf(change: HistoryEntry['changes'][string] | undefined): string[] {
  return [change?.from, change?.to].flat().filter((id) => typeof id === 'string');
}

function named<D>(found: readonly (D | undefined)[], of: (one: D) => readonly [string, string]): NamesById {
  return new Map(found.flatMap((one) => (one === undefined ? [] : [of(one)])));
}
