import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { TenantPrincipal } from '../../http/index.js';
import { UnitActivity } from '../../locks/index.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';
import { TenantAccounts } from '../../tenants/index.js';
import { UnitDirectory, type UnitDocument } from '../../units/index.js';
import { rented, type TenantUnit } from '../core/tenant-units.js';
import type { HeldUnit, TenantHoldings } from './tenant-access.answer.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';

/** A unit of the tenant as the tenant's document has it, and its own document. */
interface FoundUnit {
  readonly entry: TenantUnit;
  readonly unit: UnitDocument;
}

/** What holds the right to a unit: the tenancy, and what its decision is made of. */
type Right = Pick<HeldUnit, 'tenancy_id' | 'subject' | 'siblings'>;

/** What the site and the locks know of the units. */
interface Surroundings {
  readonly locks: Awaited<ReturnType<LocationDirectory['locksOfUnits']>>;
  readonly zones: Awaited<ReturnType<LocationDirectory['zonesOfUnits']>>;
  readonly accessed: Awaited<ReturnType<UnitActivity['lastAccessed']>>;
}

/** Reads what a tenant has, in two rounds of reads however many units there are, and a third where some are shared. */
@Injectable()
export class TenantHoldingsReader {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly accounts: TenantAccounts,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly activity: UnitActivity,
  ) {}

  /** @throws StoreUnavailableError */
  async read({ id, location_id }: TenantPrincipal): Promise<TenantHoldings> {
    const [[document], [account], [location], entry_points] = await Promise.all([
      this.#documents([id]),
      this.accounts.byTenantId([id]),
      this.locations.locations([location_id]),
      this.locations.entryPointsOfLocation(location_id),
    ]);
    const tenant = { id, name: account?.name ?? '' };
    const entries = document?.units.filter(({ relationship }) => relationship !== 'former') ?? [];
    if (document === undefined || entries.length === 0) return { tenant, units: [], entry_points: [] };
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    const unit_ids = entries.map(({ unit_id }) => unit_id);
    const [found, locks, zones, accessed] = await Promise.all([
      this.#find(id, entries),
      this.locations.locksOfUnits(unit_ids),
      this.locations.zonesOfUnits(unit_ids),
      this.activity.lastAccessed(unit_ids),
    ]);
    const rights = await this.#rightsTo(found, document);
    const units = heldUnits(found, rights, location, { locks, zones, accessed });
    return { tenant, units, entry_points };
  }

  /**
   * A unit whose own document already shows the end of the tenancy or the share is left out: the write that ended it
   * is not answered yet, but no key may be made for it any more.
   */
  async #find(tenant_id: string, entries: readonly TenantUnit[]): Promise<FoundUnit[]> {
    const documents = await this.units.byStreams(entries.map(({ stream }) => stream));
    return entries.flatMap((entry, place) => {
      const unit = documents[place];
      return unit !== undefined && isStillHeld(tenant_id, entry, unit) ? [{ entry, unit }] : [];
    });
  }

  /**
   * The rights that the tenancies give, by tenancy id. A shared unit is decided where its primary tenant's units are,
   * for one of those may be what denies it.
   */
  async #rightsTo(found: readonly FoundUnit[], own: TenantAccessDocument): Promise<Map<string, Right>> {
    const primaries = new Set(
      found.flatMap(({ entry, unit }) =>
        entry.relationship === 'shared' && unit.tenancy !== null ? [unit.tenancy.tenant_id] : [],
      ),
    );
    const others = primaries.size === 0 ? [] : await this.#documents([...primaries]);
    const rights = new Map<string, Right>();
    for (const document of [own, ...others]) {
      const units = rented(document?.units ?? []);
      const siblings = units.map(({ subject }) => subject);
      for (const { tenancy_id, subject } of units) rights.set(tenancy_id, { tenancy_id, subject, siblings });
    }
    return rights;
  }

  async #documents(tenant_ids: readonly string[]): Promise<(TenantAccessDocument | undefined)[]> {
    return (await this.views.collection(TENANT_ACCESS)).getMany(tenant_ids);
  }
}

function isStillHeld(tenant_id: string, entry: TenantUnit, unit: UnitDocument): boolean {
  if (unit.revision < entry.revision) return true;
  return entry.relationship === 'primary'
    ? unit.tenancy?.tenancy_id === entry.tenancy_id
    : unit.shares.includes(tenant_id);
}

/** Of a tenancy that is just ending one document may tell already and another not yet: nobody has a right to it then. */
function rightTo({ entry, unit }: FoundUnit, rights: ReadonlyMap<string, Right>): Right | undefined {
  const tenancy_id = entry.relationship === 'primary' ? entry.tenancy_id : unit.tenancy?.tenancy_id;
  return tenancy_id === undefined ? undefined : rights.get(tenancy_id);
}

function heldUnits(
  found: readonly FoundUnit[],
  rights: ReadonlyMap<string, Right>,
  location: LocationDocument,
  { locks, zones, accessed }: Surroundings,
): HeldUnit[] {
  return found.flatMap((one) => {
    const { unit_id, unit_name } = one.unit;
    const right = rightTo(one, rights);
    if (right === undefined) return [];
    return [
      {
        ...right,
        unit_id,
        unit_name,
        location,
        relationship: one.entry.relationship === 'primary' ? 'primary' : 'shared',
        locks: locks.get(unit_id) ?? [],
        zone_ids: zones.get(unit_id) ?? [],
        last_accessed_at: accessed.get(unit_id) ?? null,
      },
    ];
  });
}
