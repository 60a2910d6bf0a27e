import { Injectable } from '@nestjs/common';
import type { Snapshot } from '../writing/stream-kind.js';
import { LocationDirectory } from '../locations/index.js';
import { TenantAccounts, type TenantKey } from '../tenants/index.js';
import type { Arrival, Placement, Registration, UnitCommand, UnitEvent, UnitState } from '../units/index.js';
import type { OpenWrite, StatedArrival, Writer } from './unit-write.js';

/** Stands for a tenant account that a dry run would create; in no other case does it reach a decision. */
const TENANT_TO_BE_CREATED = '';

type Unit = Snapshot<UnitState> | undefined;

/** A write with what is known of its unit. */
export interface PlacedWrite {
  readonly write: OpenWrite;
  readonly unit: Unit;
  /** What an earlier attempt at the same command has stored of it. */
  readonly recovered: readonly UnitEvent[] | undefined;
}

/** Turns the PMS's names (location code, PMS tenant) into the service's identifiers. */
@Injectable()
export class NameResolver {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly tenants: TenantAccounts,
  ) {}

  /**
   * Commands for writes. Tenant accounts that are named for the first time are created, unless `dryRun`; none is
   * created for a write that is refused anyway.
   */
  async commands(writer: Writer, placed: readonly PlacedWrite[], dryRun: boolean): Promise<UnitCommand[]> {
    const locations = await this.#locations(writer.company_id, placed);
    const tenants = await this.#tenants(writer, placed, locations, dryRun);
    return placed.map(({ write }, place) => toCommand(writer, write, locations[place]!, tenants[place]!));
  }

  /** Reads the company's locations only where a unit must be created or a code compared. */
  async #locations(company_id: string, placed: readonly PlacedWrite[]): Promise<Placement[]> {
    const needed = placed.some(
      ({ write, unit }) =>
        write.location_id === undefined && (unit === undefined || write.pms_location_code !== undefined),
    );
    const known = needed ? await this.locations.locationsOfCompany(company_id) : [];
    const byCode = new Map(known.map((location) => [location.pms_location_code, location._id]));
    const only = known.length === 1 ? known[0]!._id : undefined;
    return placed.map(({ write: { location_id, pms_location_code }, recovered }) => {
      const given = location_id !== undefined || pms_location_code !== undefined;
      const named = pms_location_code === undefined ? only : byCode.get(pms_location_code);
      const found = registeredAt(recovered) ?? location_id ?? named;
      if (found !== undefined) return { kind: 'known', location_id: found, given };
      return { kind: given ? 'unknown' : 'none' };
    });
  }

  /** Tenant ids in the order of `placed`; of no meaning where nobody arrives or the write will be refused. */
  async #tenants(
    writer: Writer,
    placed: readonly PlacedWrite[],
    locations: readonly Placement[],
    dryRun: boolean,
  ): Promise<string[]> {
    const keys = placed.map(({ write, unit }, place) => tenantKey(writer, write, unit, locations[place]!));
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

/** Where the command created the unit when it was first executed: the company may have other locations by now. */
function registeredAt(recovered: readonly UnitEvent[] | undefined): string | undefined {
  const registered = recovered?.find((event) => event.type === 'UnitRegistered');
  return registered?.data.location_id;
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
