import { TemporalCalendar } from '#domain/access/calendar.js';
import { TenantAccessQuery } from '#api/tenant/access/tenant-access.query.js';
import { TenantAccessViews } from '#domain/access/tenant-access/tenant-access.views.js';
import { HeldPassesReader } from '#domain/access/tenant-access/held-passes.reader.js';
import { TenantHoldingsReader } from '#domain/access/tenant-access/tenant-holdings.reader.js';
import { TenantLockEntitlement } from '#domain/access/tenant-access/tenant-lock-entitlement.js';
import { UnitAccess } from '#domain/access/unit-access/unit-access.js';
import { type UnitListFilter, UnitLists } from '#domain/access/unit-access/unit-lists.js';
import { systemIds } from '#kernel/ids.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { commandRunnerOn, runParts } from '../../../support/command-runner.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { UNIT_ACTIVITY } from '#domain/locks/activity/unit-activity.js';
import { HmacKeyIssuer, type KeyIssuer, KeyIssues, UnitActivity } from '#domain/locks/index.js';
import {
  DEFAULT_POLICY,
  type LocationPolicy,
  LocationDirectory,
  LocationProjector,
  locationStream,
} from '#domain/locations/index.js';
import type { LocationCommand } from '#domain/locations/core/location.commands.js';
import { UNIT_ZONES_AND_LOCKS } from '#domain/locations/location.documents.js';
import type { ZoneStay } from '#domain/locations/core/zone-stays.js';
import { PassDirectory } from '#domain/passes/index.js';
import { UnitDirectory, UNIT, UnitProjector, UNITS, unitStream } from '#domain/units/index.js';
import type { Arrival, Registration, UnitCommand } from '#domain/units/core/unit.commands.js';
import { LOCATION as LOCATION_AGGREGATE } from '#domain/locations/location.aggregate.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { CHICAGO, local } from '../support/subjects.js';
import { accountWriters, recordDetails } from '../../tenants/support/details.js';
import { worldsClock } from '../../../support/company-clocks.js';
import { withMembers } from '../../../support/with-members.js';

export const COMPANY = 'company-1';
export const LOCATION = 'location-1';
/** 2025-06-06, nine in the morning at the location. */
const MORNING = local('2025-06-06T09:00');

/** Counts what decisions ask: each what day it is, and what they reckon from dates. */
class CountingCalendar extends TemporalCalendar {
  decided = 0;
  reckoned = 0;

  override dateAt(...of: Parameters<TemporalCalendar['dateAt']>) {
    this.decided += 1;
    return super.dateAt(...of);
  }

  override addDays(...of: Parameters<TemporalCalendar['addDays']>) {
    this.reckoned += 1;
    return super.addDays(...of);
  }
}

/** One location with its units, locks and entry points on embedded stores, seen by its tenants. */
export async function openAccessWorld() {
  const folder = await temporaryFolder();
  const clock = new ManualClock(MORNING);
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: false, clock });
  const events = new EmbeddedEventStore(database);
  const store = new EmbeddedDocumentStore(database, clock);
  const reads = { count: 0 };
  const views = counted(store, reads);
  const clocks = worldsClock(clock);
  const calendar = new CountingCalendar();
  const locations = new LocationDirectory(views);
  const writer = commandRunnerOn(events, clock);
  const { accounts, details } = accountWriters({ records: store, ids: systemIds, clock, writer });
  const decisions = new TenantAccessViews(views, clocks, calendar, locations);
  const projector = new UnitProjector(store, decisions);
  const issuer = new HmacKeyIssuer(Buffer.alloc(32, 7));
  const issues = new KeyIssues(store);
  const [units, activity] = [new UnitDirectory(views), new UnitActivity(views)];
  const passes = new HeldPassesReader(new PassDirectory(views), locations, units, clocks);
  const reader = new TenantHoldingsReader(decisions, accounts, locations, units, activity, passes);
  const newReader = (keys: KeyIssuer = issuer) =>
    new TenantAccessQuery(reader, issues, keys, clocks, calendar);
  const access = new UnitAccess(views, clocks, calendar, locations, activity);
  await store.collection(UNITS);
  const sites = new LocationProjector(events, store);
  const site = async (command: LocationCommand, location_id = LOCATION): Promise<void> => {
    const [outcome] = await runParts(
      writer,
      { aggregate: LOCATION_AGGREGATE, states: sites.states, projector: sites },
      [{ stream: locationStream(location_id), command }],
      contextOfOne(),
    );
    if (outcome?.kind !== 'done') throw new Error(JSON.stringify(outcome));
  };
  const addZones = async (zone_ids: readonly string[], location_id = LOCATION): Promise<void> => {
    for (const zone_id of zone_ids) await site({ type: 'AddZone', zone_id, name: zone_id }, location_id);
  };
  const world = {
    clock,
    folder: folder.path,
    events,
    projector,
    store,
    reads,
    calendar,
    accounts,
    details,
    writer,
    records: store,
    issuer,
    issues,
    decisions,
    listing: new UnitLists(views, locations, units, decisions, access),
    reading: newReader(),
    /** One that remembers nothing of earlier reads. */
    newReader,
    entitlement: new TenantLockEntitlement(views, events, locations, units),

    /** A tenant account, by name. */
    async tenant(name: string, location_id = LOCATION): Promise<TenantPrincipal> {
      const key = { company_id: COMPANY, location_id, pms_tenant_id: name };
      await recordDetails({ accounts, details, writer, records: store, clock }, [{ key, name }]);
      const [account] = await accounts.find([key]);
      return {
        kind: 'tenant',
        id: account!.tenant_id,
        company_id: COMPANY,
        location_id,
        session_id: 'session',
      };
    },
    async unit(name: string, ...commands: UnitCommand[]): Promise<void> {
      const stream = unitStream(COMPANY, name);
      for (const command of commands) {
        const [outcome] = await runParts(
          writer,
          { aggregate: UNIT, states: projector.states, projector },
          [{ stream, command }],
          contextOfOne(),
        );
        if (outcome?.kind !== 'done') throw new Error(JSON.stringify(outcome));
      }
    },
    /** All at once, so that what each tenant has is decided once. */
    async units(commands: ReadonlyMap<string, UnitCommand>): Promise<void> {
      const parts = [...commands].map(([name, command]) => ({ stream: unitStream(COMPANY, name), command }));
      await runParts(writer, { aggregate: UNIT, states: projector.states, projector }, parts, contextOfOne());
    },
    /** As to a client that holds no answer yet. */
    read: async (principal: TenantPrincipal) => (await world.query(principal)).answer!,
    query: (...of: Parameters<TenantAccessQuery['read']>) => world.reading.read(...of),
    list: (filter: UnitListFilter) => world.listing.page(filter),

    async policy(policy: Partial<LocationPolicy>, location_id = LOCATION): Promise<void> {
      const whole = { ...DEFAULT_POLICY, timezone: CHICAGO, ...policy };
      const about = { location_id, company_id: COMPANY, pms_location_code: 'L1', name: 'Main St' };
      const known = await locations.location(location_id);
      if (known === undefined) await site({ type: 'OpenLocation', ...about, policy: whole }, location_id);
      else await site({ type: 'ChangeLocation', policy: whole }, location_id);
    },
    /** Puts a lock on the door of a unit, or on none. */
    async lock(lock_id: string, unit: string | null): Promise<void> {
      await site({ type: 'AddLock', lock_id, name: `${lock_id} door`, serial: null });
      const { unit_id } = (await locations.lock(lock_id))!;
      if (unit_id !== null) await site({ type: 'DetachLock', lock_id, unit_id });
      if (unit !== null) await site({ type: 'AttachLock', lock_id, unit: placed(unit) });
    },
    /** Puts a unit into these zones and no others. */
    async zone(unit: string, ...zone_ids: string[]): Promise<void> {
      await addZones(zone_ids);
      const [around] = await locations.zonesAndLocks([idOf(unit)]);
      for (const zone_id of around?.zone_ids ?? [])
        if (!zone_ids.includes(zone_id)) await site({ type: 'UnzoneUnit', zone_id, unit_id: idOf(unit) });
      for (const zone_id of zone_ids) await site({ type: 'ZoneUnit', zone_id, unit: placed(unit) });
    },
    /** A unit that has always been in some zones, and in others before. */
    async zoneStays(unit: string, zone_ids: string[], before: readonly ZoneStay[] = []): Promise<void> {
      const unit_id = idOf(unit);
      const zone_stays = [...before, ...zone_ids.map((zone_id) => ({ zone_id, from: 0, until: null }))];
      const place = {
        company_id: COMPANY,
        location_id: LOCATION,
        unit_id,
        zone_ids,
        zone_stays,
        lock_ids: [],
        locks: [],
      };
      await put(store, UNIT_ZONES_AND_LOCKS, { _id: unit_id, revision: 1_000, ...place });
    },
    async entryPoint(
      entry_point_id: string,
      zone_ids: string[],
      { in_service = true, location_id = LOCATION }: { in_service?: boolean; location_id?: string } = {},
    ): Promise<void> {
      if ((await locations.location(location_id)) === undefined) await world.policy({}, location_id);
      await addZones(zone_ids, location_id);
      const about = { entry_point_id, zone_ids };
      await site(
        { type: 'AddEntryPoint', ...about, name: `${entry_point_id} gate`, kind: 'gate' },
        location_id,
      );
      await site({ type: 'ChangeEntryPoint', ...about, in_service }, location_id);
    },
    async accessed(unit: string, last_accessed_at: number): Promise<void> {
      await put(store, UNIT_ACTIVITY, {
        _id: idOf(unit),
        last_accessed_at,
        lock_id: 'lock',
        revision: last_accessed_at,
      });
    },
    async close(): Promise<void> {
      await Promise.all([events.close(), store.close()]);
      await folder.remove();
    },
  };
  await world.policy({});
  return world;
}

export type AccessWorld = Awaited<ReturnType<typeof openAccessWorld>>;

/** Units are named by their place, and their ids follow from it. */
export function idOf(unit: string): string {
  return `unit-${unit}`;
}

export function registered(unit: string, location_id = LOCATION): UnitCommand {
  return { type: 'RegisterUnit', source: 'push', registration: registration(unit, location_id) };
}

export function movedIn(
  unit: string,
  { id, location_id }: TenantPrincipal,
  more: Partial<Arrival> = {},
): UnitCommand {
  const arrival: Arrival = {
    tenant_id: id,
    pms_tenant_id: id,
    move_in_date: '2024-01-01',
    ledger_id: undefined,
    tenancy_id: `stay-of-${id}-in-${unit}`,
    ...more,
  };
  return { type: 'MoveTenantIn', source: 'push', registration: registration(unit, location_id), arrival };
}

export const movedOut: UnitCommand = { type: 'MoveTenantOut', source: 'push' };

export function facts(given: Extract<UnitCommand, { type: 'ChangeFacts' }>['facts']): UnitCommand {
  return { type: 'ChangeFacts', source: 'push', facts: given };
}

/** The tenant owes since long before `MORNING`. */
export const pastDue = facts({ balance_due: 5_000, paid_through_date: '2025-05-01' });

/** @param until milliseconds */
export function shared({ id }: TenantPrincipal, until: number | null = null): UnitCommand {
  return { type: 'ShareUnit', tenant_id: id, until };
}

export function unshared({ id }: TenantPrincipal): UnitCommand {
  return { type: 'EndShare', tenant_id: id };
}

function placed(unit: string, location_id = LOCATION) {
  return { unit_id: idOf(unit), location_id };
}

function contextOfOne() {
  const actor = { kind: 'system', id: 't' } as const;
  return { command_id: systemIds.ulid(), request_id: 'r', actor, recovering: false };
}

function registration(unit: string, location_id: string): Registration {
  return {
    company_id: COMPANY,
    crm_unit_id: unit,
    unit_id: idOf(unit),
    unit_name: unit,
    location: { kind: 'known', location_id, given: true },
    present_location_code: undefined,
    on_other_location: 'refuse',
  };
}

async function put<D extends { readonly _id: string }>(
  store: DocumentStore,
  declaration: Parameters<DocumentStore['collection']>[0] & { readonly document?: D },
  document: D,
): Promise<void> {
  await store.collection(declaration);
  await store.write([{ kind: 'put', collection: declaration.name, document }]);
}

/** The same store, counting how often a collection of it is opened for a read. */
function counted(store: DocumentStore, reads: { count: number }): DocumentStore {
  const collection: DocumentStore['collection'] = (declaration) => {
    reads.count += 1;
    return store.collection(declaration);
  };
  return withMembers(store, { collection });
}
