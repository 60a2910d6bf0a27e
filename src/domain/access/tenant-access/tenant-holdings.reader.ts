import { Injectable, Optional } from '@nestjs/common';
import type { TenantPrincipal } from '#kernel/principals.js';
import { UnitActivity } from '#domain/locks/index.js';
import {
  type LocationDocument,
  LocationDirectory,
  type UnitZonesAndLocksDocument,
} from '#domain/locations/index.js';
import { nameToOwner, type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { type Share, shareOf, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { rented, type TenantUnit } from '../core/tenant-units.js';
import type { HeldUnit, TenantHoldings } from './tenant-holdings.js';
import { ShareNames } from './share-names.js';
import type { TenantAccessDocument } from './tenant-access.documents.js';
import { HeldPassesReader, type ReadPasses } from './held-passes.reader.js';
import { TenantAccessViews } from './tenant-access.views.js';

/** The entry of a unit that the tenant rents or shares. */
type HeldEntry = Exclude<TenantUnit, { readonly relationship: 'former' }> & {
  /** Of a share that the unit's tenant gave. */
  readonly share_id?: string | undefined;
};

/** A unit's entry in the tenant's document, and the unit's own document. */
interface FoundUnit {
  readonly entry: HeldEntry;
  readonly unit: UnitDocument;
}

/** A tenancy gives the right to its unit, with the facts of the decision. */
type Right = Pick<HeldUnit, 'tenancy_id' | 'subject' | 'siblings'>;

export interface ReadHoldings extends TenantHoldings {
  /** The revision of every document that was read. Equal versions mean equal holdings of one tenant. */
  readonly versions: string;
}

/** The reads for a tenant who has units. */
interface Reads {
  readonly location: LocationDocument;
  readonly units: readonly FoundUnit[];
  /** By unit id. */
  readonly zonesAndLocks: ReadonlyMap<string, UnitZonesAndLocksDocument>;
  readonly accessed: ReadonlyMap<string, number>;
  /** The names of those who share units of the tenant, by {@link keyOfShare}. */
  readonly names: ReadonlyMap<string, string | null>;
  /** The tenant's own document, and those of the primary tenants of shared units. */
  readonly documents: readonly (TenantAccessDocument | undefined)[];
}

/** Makes the units only when they are read: a cached answer needs only the versions. */
class LazyHoldings implements ReadHoldings {
  readonly versions: string;
  readonly entry_points: LocationDocument['entry_points'];
  #units: readonly HeldUnit[] | undefined;

  readonly passes: TenantHoldings['passes'];

  constructor(
    readonly tenant: TenantHoldings['tenant'],
    private readonly reads: Reads,
    held: ReadPasses,
  ) {
    this.versions = versionsOf(tenant, held, versionsOfUnits(reads));
    this.passes = held.passes;
    this.entry_points = reads.location.entry_points;
  }

  get units(): readonly HeldUnit[] {
    return (this.#units ??= heldUnits(this.reads));
  }
}

/** Reads what a tenant has, in two rounds of parallel reads. Units that are shared, with or by the tenant, need a third round. */
@Injectable()
export class TenantHoldingsReader {
  constructor(
    private readonly views: TenantAccessViews,
    private readonly accounts: TenantAccounts,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly activity: UnitActivity,
    private readonly passes: HeldPassesReader,
    @Optional() private readonly shareNames?: ShareNames,
  ) {}

  /** @throws StoreUnavailableError */
  async read({ id, location_id }: Pick<TenantPrincipal, 'id' | 'location_id'>): Promise<ReadHoldings> {
    const [[document], [account], [location]] = await Promise.all([
      this.views.findDocuments([id]),
      this.accounts.byTenantId([id]),
      this.locations.locations([location_id]),
    ]);
    const tenant = { id, name: account === undefined ? '' : nameToOwner(account) };
    const entries = document?.units.filter((entry) => entry.relationship !== 'former') ?? [];
    if (document === undefined || entries.length === 0)
      return holdingsWithoutUnits(tenant, await this.passes.readOf(account));
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    const unit_ids = entries.map(({ unit_id }) => unit_id);
    const [units, found, accessed, held] = await Promise.all([
      this.#find(id, entries),
      this.locations.zonesAndLocks(unit_ids),
      this.activity.lastAccessed(unit_ids),
      this.passes.readOf(account),
    ]);
    const [primaries, names] = await Promise.all([this.#ofPrimaries(units), this.#namesOfSharing(units)]);
    const documents = [document, ...primaries];
    const zonesAndLocks = new Map(found.flatMap((one) => (one === undefined ? [] : [[one._id, one]])));
    const reads = { location, units, names, documents, zonesAndLocks, accessed };
    return new LazyHoldings(tenant, reads, held);
  }

  /**
   * Leaves out a unit whose own document already shows the end of the tenancy or share. The write that ended it is not
   * answered yet, but no more keys may be made.
   */
  async #find(tenant_id: string, entries: readonly HeldEntry[]): Promise<FoundUnit[]> {
    const documents = await this.units.byStreams(entries.map(({ stream }) => stream));
    return entries.flatMap((entry, index) => {
      const unit = documents[index];
      if (unit === undefined) return [];
      const present = presentEntry(tenant_id, entry, unit);
      return present === undefined ? [] : [{ entry: present, unit }];
    });
  }

  /** Of all who share a unit of the tenant, also of shares that have ended by themselves. */
  async #namesOfSharing(found: readonly FoundUnit[]): Promise<Reads['names']> {
    const shares = found.flatMap(({ entry, unit }) => (entry.relationship === 'primary' ? unit.shares : []));
    if (shares.length === 0) return new Map();
    const [accounts, typed] = await Promise.all([
      this.accounts.byTenantId(shares.map(({ tenant_id }) => tenant_id)),
      this.shareNames?.namesOf(shares.flatMap(({ share_id }) => share_id ?? [])),
    ]);
    return new Map(
      shares.map((share, index) => [keyOfShare(share), nameToTenant(share, accounts[index], typed)]),
    );
  }

  /** The primary tenants' documents of shared units: another unit of such a tenant may deny a shared unit. */
  async #ofPrimaries(found: readonly FoundUnit[]): Promise<(TenantAccessDocument | undefined)[]> {
    const primaries = new Set(
      found.flatMap(({ entry, unit }) =>
        entry.relationship === 'shared' && unit.tenancy !== null ? [unit.tenancy.tenant_id] : [],
      ),
    );
    return primaries.size === 0 ? [] : this.views.findDocuments([...primaries]);
  }
}

/** The entry as the newer of the two documents shows it. Undefined if the tenancy or the share has ended. */
function presentEntry(tenant_id: string, entry: HeldEntry, unit: UnitDocument): HeldEntry | undefined {
  if (unit.revision < entry.revision) return entry;
  if (entry.relationship === 'primary')
    return unit.tenancy?.tenancy_id === entry.tenancy_id ? entry : undefined;
  const share = shareOf(unit.shares, tenant_id);
  return share && { ...entry, until: share.until, share_id: share.share_id };
}

/** Staff may share a unit with an account again, after a share that the tenant gave. */
function keyOfShare({ share_id, tenant_id }: Share): string {
  return share_id ?? tenant_id;
}

/** What the tenant has typed, not what the account is called: otherwise a phone number would tell whose it is. */
function nameToTenant(
  { share_id }: Share,
  account: TenantAccount | undefined,
  typed: ReadonlyMap<string, string | null> = new Map(),
): string | null {
  if (share_id === undefined) return account?.name ?? null;
  return typed.get(share_id) ?? null;
}

/** Undefined while a tenancy ends and only one of the two documents shows it: nobody has a right then. */
function rightTo({ entry, unit }: FoundUnit, rights: ReadonlyMap<string, Right>): Right | undefined {
  const tenancy_id = entry.relationship === 'primary' ? entry.tenancy_id : unit.tenancy?.tenancy_id;
  return tenancy_id === undefined ? undefined : rights.get(tenancy_id);
}

function sharesShownOf({ entry, unit }: FoundUnit, names: Reads['names']): HeldUnit['shares'] {
  if (entry.relationship === 'shared') return [];
  return unit.shares.map((share) => ({ ...share, name: names.get(keyOfShare(share)) ?? null }));
}

/** By tenancy id. */
function rightsIn(documents: Reads['documents']): Map<string, Right> {
  const rights = new Map<string, Right>();
  for (const document of documents) {
    const units = rented(document?.units ?? []);
    const siblings = units.map(({ subject }) => subject);
    for (const { tenancy_id, subject } of units) rights.set(tenancy_id, { tenancy_id, subject, siblings });
  }
  return rights;
}

function holdingsWithoutUnits(tenant: TenantHoldings['tenant'], held: ReadPasses): ReadHoldings {
  const { passes } = held;
  return { versions: versionsOf(tenant, held, '-'), tenant, units: [], entry_points: [], passes };
}

function versionsOf({ name }: TenantHoldings['tenant'], held: ReadPasses, ofUnits: string): string {
  return `${JSON.stringify(name)} ${ofUnits}${held.versions}`;
}

/** Revisions cover everything except the time of the last access, which is included as such. */
function versionsOfUnits({ location, units, names, documents, zonesAndLocks, accessed }: Reads): string {
  let versions = `${location.revision}`;
  for (const document of documents) {
    versions += ` of ${document?._id}:${document?.version}`;
    for (const { unit_id, revision } of document?.units ?? []) versions += ` ${unit_id}:${revision}`;
  }
  for (const { unit } of units) {
    const { unit_id, revision } = unit;
    versions += ` at ${unit_id}:${revision}:${zonesAndLocks.get(unit_id)?.revision}:${accessed.get(unit_id)}`;
  }
  return names.size === 0 ? versions : `${versions} with ${JSON.stringify([...names])}`;
}

function heldUnits({ location, units, names, documents, zonesAndLocks, accessed }: Reads): HeldUnit[] {
  const rights = rightsIn(documents);
  return units.flatMap((one) => {
    const { unit_id, unit_name, round_the_clock } = one.unit;
    const right = rightTo(one, rights);
    if (right === undefined) return [];
    return [
      {
        ...right,
        unit_id,
        unit_name,
        location,
        round_the_clock,
        relationship: one.entry.relationship,
        shares: sharesShownOf(one, names),
        until: one.entry.relationship === 'shared' ? one.entry.until : null,
        share_id: one.entry.share_id ?? null,
        locks: zonesAndLocks.get(unit_id)?.locks ?? [],
        zone_ids: zonesAndLocks.get(unit_id)?.zone_ids ?? [],
        last_accessed_at: accessed.get(unit_id) ?? null,
      },
    ];
  });
}
