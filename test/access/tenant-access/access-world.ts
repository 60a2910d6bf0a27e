import { TemporalCalendar } from '../../../src/access/calendar.js';
import { ReadTenantAccessHandler } from '../../../src/access/tenant-access/read-tenant-access.handler.js';
import { TenantAccessViews } from '../../../src/access/tenant-access/tenant-access.views.js';
import { TenantHoldingsReader } from '../../../src/access/tenant-access/tenant-holdings.reader.js';
import { TenantLockEntitlement } from '../../../src/access/tenant-access/lock-entitlement.js';
import { UnitAccess } from '../../../src/access/unit-access/unit-access.js';
import { ListUnitsHandler } from '../../../src/access/unit-access/list-units.handler.js';
import { ListUnits, type UnitListFilter } from '../../../src/access/unit-access/list-units.query.js';
import { ReadTenantAccess } from '../../../src/access/tenant-access/read-tenant-access.query.js';
import { systemIds } from '../../../src/config/ids.js';
import type { DocumentStore } from '../../../src/documents/document-store.js';
import { EmbeddedDocumentStore } from '../../../src/documents/embedded/embedded-document-store.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { EmbeddedEventStore } from '../../../src/log/embedded/embedded-event-store.js';
import { ViewsGate } from '../../../src/writing/views-gate.js';
import { streamWriterOn } from '../../support/stream-writer.js';
import type { TenantPrincipal } from '../../../src/http/index.js';
import { UNIT_ACTIVITY } from '../../../src/locks/activity/unit-activity.js';
import { HmacKeyIssuer, KeyIssues, UnitActivity } from '../../../src/locks/index.js';
import {
  DEFAULT_POLICY,
  ENTRY_POINTS,
  type EntryPointDocument,
  type LocationPolicy,
  LOCATED_UNITS,
  LocationDirectory,
  LOCATIONS,
  type LockDocument,
  LOCKS,
  type ZoneStay,
} from '../../../src/locations/index.js';
import {
  type Arrival,
  type Registration,
  type UnitCommand,
  UnitDirectory,
  UNIT,
  UnitProjection,
  UNITS,
  unitStream,
} from '../../../src/units/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { CHICAGO, local } from '../support/subjects.js';
import { accountWriters, recordDetails } from '../../tenants/support/details.js';
import { worldsClock } from '../../support/company-clocks.js';
import { withMembers } from '../../support/with-members.js';

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
  const writer = streamWriterOn(events, clock);
  const { accounts, details } = accountWriters({ records: store, ids: systemIds, clock, writer });
  const gate = new ViewsGate();
  const decisions = new TenantAccessViews(views, clocks, calendar, locations, gate);
  const projection = new UnitProjection(store, decisions);
  const issuer = new HmacKeyIssuer(Buffer.alloc(32, 7));
  const issues = new KeyIssues(store);
  const [units, activity] = [new UnitDirectory(views), new UnitActivity(views)];
  const reader = new TenantHoldingsReader(decisions, accounts, locations, units, activity);
  const newReader = () => new ReadTenantAccessHandler(reader, issues, issuer, clocks, calendar);
  const access = new UnitAccess(views, clocks, calendar, locations, activity);
  await store.collection(UNITS);
  const world = {
    clock,
    gate,
    folder: folder.path,
    events,
    projection,
    store,
    reads,
    calendar,
    accounts,
    details,
    issuer,
    issues,
    decisions,
    listing: new ListUnitsHandler(views, locations, units, decisions, access),
    reading: newReader(),
    /** One that remembers nothing of earlier reads. */
    newReader,
    entitlement: new TenantLockEntitlement(views, events, locations, units),

    /** A tenant account, by name. */
    async tenant(name: string, location_id = LOCATION): Promise<TenantPrincipal> {
      const key = { company_id: COMPANY, location_id, pms_tenant_id: name };
      await recordDetails({ accounts, details }, [{ key, name }]);
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
        const [outcome] = await writer.write(
          { aggregate: UNIT, projection, clock: 'world' },
          [{ stream, command }],
          {
            command_id: systemIds.ulid(),
            request_id: 'r',
            actor: { kind: 'system', id: 't' },
            recovering: false,
          },
        );
        if (outcome?.kind !== 'done') throw new Error(JSON.stringify(outcome));
      }
    },
    /** All at once, so that what each tenant has is decided once. */
    async units(commands: ReadonlyMap<string, UnitCommand>): Promise<void> {
      const parts = [...commands].map(([name, command]) => ({ stream: unitStream(COMPANY, name), command }));
      await writer.write({ aggregate: UNIT, projection, clock: 'world' }, parts, {
        command_id: systemIds.ulid(),
        request_id: 'r',
        actor: { kind: 'system', id: 't' },
        recovering: false,
      });
    },
    /** As to a client that holds no answer yet. */
    read: async (principal: TenantPrincipal) => (await world.query(principal)).answer!,
    query: (...of: ConstructorParameters<typeof ReadTenantAccess>) =>
      world.reading.execute(new ReadTenantAccess(...of)),
    list: (filter: UnitListFilter) => world.listing.execute(new ListUnits(filter)),

    async policy(policy: Partial<LocationPolicy>, location_id = LOCATION): Promise<void> {
      const document = {
        _id: location_id,
        revision: (revision += 1),
        company_id: COMPANY,
        location_id,
        pms_location_code: 'L1',
        name: 'Main St',
        policy: { ...DEFAULT_POLICY, timezone: CHICAGO, ...policy },
        policy_revision: revision,
        set_at: [revision],
      };
      await put(store, LOCATIONS, document);
    },
    async lock(lock_id: string, unit: string | null): Promise<LockDocument> {
      const document: LockDocument = {
        _id: lock_id,
        revision: (revision += 1),
        company_id: COMPANY,
        lock_id,
        location_id: LOCATION,
        name: `${lock_id} door`,
        serial: null,
        unit_id: unit === null ? null : idOf(unit),
        placements: [],
      };
      await put(store, LOCKS, document);
      return document;
    },
    zone(unit: string, ...zone_ids: string[]): Promise<void> {
      return this.zoneStays(unit, zone_ids);
    },
    /** As `zone`, and in others before. */
    async zoneStays(unit: string, zone_ids: string[], before: readonly ZoneStay[] = []): Promise<void> {
      const unit_id = idOf(unit);
      const document = {
        _id: unit_id,
        revision: (revision += 1),
        company_id: COMPANY,
        unit_id,
        zone_ids,
        zone_stays: [...before, ...zone_ids.map((zone_id) => ({ zone_id, from: 0, until: null }))],
        lock_ids: [],
      };
      await put(store, LOCATED_UNITS, document);
    },
    async entryPoint(
      entry_point_id: string,
      zone_ids: string[],
      rest: Partial<EntryPointDocument> = {},
    ): Promise<EntryPointDocument> {
      const document: EntryPointDocument = {
        _id: entry_point_id,
        revision: (revision += 1),
        company_id: COMPANY,
        entry_point_id,
        location_id: LOCATION,
        name: `${entry_point_id} gate`,
        kind: 'gate',
        zone_ids,
        zone_stays: [],
        in_service: true,
        ...rest,
      };
      await put(store, ENTRY_POINTS, document);
      return document;
    },
    async accessed(unit: string, last_accessed_at: number): Promise<void> {
      await put(store, UNIT_ACTIVITY, { _id: idOf(unit), last_accessed_at, revision: last_accessed_at });
    },
    async close(): Promise<void> {
      await Promise.all([events.close(), store.close()]);
      await folder.remove();
    },
  };
  let revision = 0;
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
    location_id,
    pms_tenant_id: id,
    move_in_date: '2024-01-01',
    ledger_id: undefined,
    tenancy_id: `stay-of-${id}-in-${unit}`,
    ...more,
  };
  return { type: 'MoveTenantIn', source: 'push', registration: registration(unit, location_id), arrival };
}

export const movedOut: UnitCommand = { type: 'MoveTenantOut', source: 'push' };

export function facts(given: Extract<UnitCommand, { type: 'ChangeUnitFacts' }>['facts']): UnitCommand {
  return { type: 'ChangeUnitFacts', source: 'push', facts: given };
}

/** The tenant owes since long before `MORNING`. */
export const pastDue = facts({ balance_due: 5_000, paid_through_date: '2025-05-01' });

export function shared({ id }: TenantPrincipal): UnitCommand {
  return { type: 'ShareUnit', tenant_id: id };
}

export function unshared({ id }: TenantPrincipal): UnitCommand {
  return { type: 'EndUnitShare', tenant_id: id };
}

function registration(unit: string, location_id: string): Registration {
  return {
    company_id: COMPANY,
    crm_unit_id: unit,
    unit_id: idOf(unit),
    unit_name: unit,
    location: { kind: 'known', location_id, given: true },
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
