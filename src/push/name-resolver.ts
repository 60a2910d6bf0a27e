import { Injectable } from '@nestjs/common';
import type { Snapshot } from '../eventing/stream-kind.js';
import { SiteDirectory } from '../sites/index.js';
import { TenantAccounts, type TenantKey } from '../tenants/index.js';
import type { Arrival, Placement, Registration, UnitCommand, UnitState } from '../units/index.js';
import type { OpenWrite, StatedArrival, Writer } from './unit-write.js';

/** Stands for a tenant account that a dry run would create. */
const TENANT_TO_BE_CREATED = '';

type Unit = Snapshot<UnitState> | undefined;

/** Turns the PMS's names (location code, PMS tenant) into the service's identifiers. */
@Injectable()
export class NameResolver {
  constructor(
    private readonly sites: SiteDirectory,
    private readonly tenants: TenantAccounts,
  ) {}

  /**
   * Commands for writes, given the units as they stand. Tenant accounts that are named for the first time are created,
   * unless `dryRun`; none is created for a write that is refused anyway.
   */
  async commands(
    writer: Writer,
    writes: readonly OpenWrite[],
    units: readonly Unit[],
    dryRun: boolean,
  ): Promise<UnitCommand[]> {
    const locationOf = await this.#locations(writer.company_id, writes, units);
    const locations = writes.map(locationOf);
    const tenants = await this.#tenants(writer, writes, units, locations, dryRun);
    return writes.map((write, place) => toCommand(writer, write, locations[place]!, tenants[place]!));
  }

  /** Reads the company's locations only where a unit must be created or a code compared. */
  async #locations(
    company_id: string,
    writes: readonly OpenWrite[],
    units: readonly Unit[],
  ): Promise<(write: OpenWrite) => Placement> {
    const needed = writes.some(
      (write, place) =>
        write.location_id === undefined &&
        (units[place] === undefined || write.pms_location_code !== undefined),
    );
    const known = needed ? await this.sites.locationsOfCompany(company_id) : [];
    const byCode = new Map(known.map((location) => [location.pms_location_code, location._id]));
    const only = known.length === 1 ? known[0]!._id : undefined;
    return ({ location_id, pms_location_code }) => {
      if (location_id !== undefined) return { kind: 'known', location_id, given: true };
      const found = pms_location_code === undefined ? only : byCode.get(pms_location_code);
      if (found !== undefined)
        return { kind: 'known', location_id: found, given: pms_location_code !== undefined };
      return { kind: pms_location_code === undefined ? 'none' : 'unknown' };
    };
  }

  /** Tenant ids in the order of `writes`; of no meaning where nobody arrives or the write will be refused. */
  async #tenants(
    writer: Writer,
    writes: readonly OpenWrite[],
    units: readonly Unit[],
    locations: readonly Placement[],
    dryRun: boolean,
  ): Promise<string[]> {
    const keys = writes.map((write, place) => tenantKey(writer, write, units[place], locations[place]!));
    const wanted = keys.filter((key) => key !== undefined);
    const ids = dryRun ? await this.#known(wanted) : await this.tenants.resolve(wanted);
    let next = 0;
    return keys.map((key) => (key === undefined ? TENANT_TO_BE_CREATED : ids[next++]!));
  }

  async #known(keys: readonly TenantKey[]): Promise<string[]> {
    const accounts = await this.tenants.find(keys);
    return accounts.map((account) => account?.tenant_id ?? TENANT_TO_BE_CREATED);
  }
}

/** The account an arrival is for; undefined where nobody arrives or the unit or its location will refuse the write. */
function tenantKey(writer: Writer, write: OpenWrite, unit: Unit, location: Placement): TenantKey | undefined {
  if (write.arrival === undefined) return undefined;
  if (unit !== undefined && unit.state.source_type !== writer.source) return undefined;
  const location_id =
    unit?.state.location_id ?? (location.kind === 'known' ? location.location_id : undefined);
  if (location_id === undefined) return undefined;
  return { company_id: writer.company_id, location_id, pms_tenant_id: write.arrival.pms_tenant_id };
}

function toCommand(writer: Writer, write: OpenWrite, location: Placement, tenant_id: string): UnitCommand {
  const { source } = writer;
  const registration: Registration = {
    company_id: writer.company_id,
    crm_unit_id: write.crm_unit_id,
    unit_id: write.new_unit_id,
    unit_name: write.unit_name,
    location,
  };
  const arrival = write.arrival && toArrival(write.arrival, write.new_tenancy_id, tenant_id);
  switch (write.kind) {
    case 'register':
      return { type: 'RegisterUnit', source, registration };
    case 'move_in':
      return { type: 'MoveTenantIn', source, registration, arrival: arrival! };
    case 'move_out':
      return { type: 'MoveTenantOut', source };
    case 'change_facts':
      return { type: 'ChangeUnitFacts', source, facts: write.facts };
    case 'sync':
      return { type: 'SyncUnit', source, registration, arrival: arrival ?? null, facts: write.facts };
  }
}

function toArrival(stated: StatedArrival, tenancy_id: string, tenant_id: string): Arrival {
  const { pms_tenant_id, move_in_date, ledger_id } = stated;
  return { tenant_id, pms_tenant_id, move_in_date, ledger_id, tenancy_id };
}
