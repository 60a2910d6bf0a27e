import { Injectable } from '@nestjs/common';
import type { TenantPrincipal } from '../../http/authentication.js';
import { UnitActivity } from '../../locks/index.js';
import {
  type LocationDocument,
  LocationDirectory,
  type SurroundingsDocument,
} from '../../locations/index.js';
import { TenantAccounts } from '../../tenants/index.js';
import { UnitDirectory, type UnitDocument } from '../../units/index.js';
import { rented, type TenantUnit } from '../core/tenant-units.js';
import type { HeldUnit, TenantHoldings } from './tenant-access.answer.js';
import type { TenantAccessDocument } from './tenant-access.documents.js';
import { TenantAccessViews } from './tenant-access.views.js';

/** A unit of the tenant as the tenant's document has it, and its own document. */
interface FoundUnit {
  readonly entry: TenantUnit;
  readonly unit: UnitDocument;
}

/** The right to a unit: the tenancy, and the facts of its decision. */
type Right = Pick<HeldUnit, 'tenancy_id' | 'subject' | 'siblings'>;

/** Holdings as they were read. */
export interface ReadHoldings extends TenantHoldings {
  /** Names all that they were read from, each at its revision, and the views: holdings of one tenant with the same versions are the same. */
  readonly versions: string;
}

/** All that is found of a tenant who has units. */
interface Found {
  readonly location: LocationDocument;
  readonly units: readonly FoundUnit[];
  /** By unit id. */
  readonly surroundings: ReadonlyMap<string, SurroundingsDocument>;
  readonly accessed: ReadonlyMap<string, number>;
  /** The tenant's own, and those of the primary tenants of shared units. */
  readonly documents: readonly (TenantAccessDocument | undefined)[];
}

/** Puts the units together when they are asked for: who holds the answer already is asked for the versions alone. */
class FoundHoldings implements ReadHoldings {
  readonly versions: string;
  readonly entry_points: LocationDocument['entry_points'];
  #units: readonly HeldUnit[] | undefined;

  constructor(
    readonly tenant: TenantHoldings['tenant'],
    private readonly found: Found,
  ) {
    this.versions = `${JSON.stringify(tenant.name)} ${versionsOf(found)}`;
    this.entry_points = found.location.entry_points;
  }

  get units(): readonly HeldUnit[] {
    return (this.#units ??= heldUnits(this.found));
  }
}

/** Reads what a tenant has, in two rounds of reads however many units there are, and a third where some are shared. */
@Injectable()
export class TenantHoldingsReader {
  constructor(
    private readonly views: TenantAccessViews,
    private readonly accounts: TenantAccounts,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly activity: UnitActivity,
  ) {}

  /** @throws StoreUnavailableError */
  async read({ id, location_id }: Pick<TenantPrincipal, 'id' | 'location_id'>): Promise<ReadHoldings> {
    const [[document], [account], [location]] = await Promise.all([
      this.views.ofTenants([id]),
      this.accounts.byTenantId([id]),
      this.locations.locations([location_id]),
    ]);
    const tenant = { id, name: account?.name ?? '' };
    const entries = document?.units.filter(({ relationship }) => relationship !== 'former') ?? [];
    if (document === undefined || entries.length === 0)
      return { versions: `- ${tenant.name}`, tenant, units: [], entry_points: [] };
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    const unit_ids = entries.map(({ unit_id }) => unit_id);
    const [units, surroundings, accessed] = await Promise.all([
      this.#find(id, entries),
      this.locations.surroundings(unit_ids),
      this.activity.lastAccessed(unit_ids),
    ]);
    const documents = [document, ...(await this.#ofPrimaries(units))];
    const around = new Map(surroundings.flatMap((one) => (one === undefined ? [] : [[one._id, one]])));
    const found = { location, units, documents, surroundings: around, accessed };
    return new FoundHoldings(tenant, found);
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

  /** A shared unit is decided where its primary tenant's units are, for one of those may be what denies it. */
  async #ofPrimaries(found: readonly FoundUnit[]): Promise<(TenantAccessDocument | undefined)[]> {
    const primaries = new Set(
      found.flatMap(({ entry, unit }) =>
        entry.relationship === 'shared' && unit.tenancy !== null ? [unit.tenancy.tenant_id] : [],
      ),
    );
    return primaries.size === 0 ? [] : this.views.ofTenants([...primaries]);
  }
}

function isStillHeld(tenant_id: string, entry: TenantUnit, unit: UnitDocument): boolean {
  if (unit.revision < entry.revision) return true;
  return entry.relationship === 'primary'
    ? unit.tenancy?.tenancy_id === entry.tenancy_id
    : unit.shares.includes(tenant_id);
}

/** While a tenancy ends, one document may tell it and another not yet. Nobody has a right to the unit then. */
function rightTo({ entry, unit }: FoundUnit, rights: ReadonlyMap<string, Right>): Right | undefined {
  const tenancy_id = entry.relationship === 'primary' ? entry.tenancy_id : unit.tenancy?.tenancy_id;
  return tenancy_id === undefined ? undefined : rights.get(tenancy_id);
}

/** The rights that the tenancies give, by tenancy id. */
function rightsIn(documents: Found['documents']): Map<string, Right> {
  const rights = new Map<string, Right>();
  for (const document of documents) {
    const units = rented(document?.units ?? []);
    const siblings = units.map(({ subject }) => subject);
    for (const { tenancy_id, subject } of units) rights.set(tenancy_id, { tenancy_id, subject, siblings });
  }
  return rights;
}

/** Everything follows from the log, but for when a unit was opened. A rebuild that corrects documents raises the version of all tenants. */
function versionsOf({ location, units, documents, surroundings, accessed }: Found): string {
  let versions = `${location.revision}`;
  for (const document of documents) {
    versions += ` of ${document?._id}:${document?.version}`;
    for (const { unit_id, revision } of document?.units ?? []) versions += ` ${unit_id}:${revision}`;
  }
  for (const { unit } of units) {
    const { unit_id, revision } = unit;
    versions += ` at ${unit_id}:${revision}:${surroundings.get(unit_id)?.revision}:${accessed.get(unit_id)}`;
  }
  return versions;
}

function heldUnits({ location, units, documents, surroundings, accessed }: Found): HeldUnit[] {
  const rights = rightsIn(documents);
  return units.flatMap((one) => {
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
        locks: surroundings.get(unit_id)?.locks ?? [],
        zone_ids: surroundings.get(unit_id)?.zone_ids ?? [],
        last_accessed_at: accessed.get(unit_id) ?? null,
      },
    ];
  });
}
