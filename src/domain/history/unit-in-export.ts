import { TemporalCalendar } from '#domain/access/index.js';
import { runYielding } from '#kernel/yielder.js';
import { LOCATION_EVENT_TYPES, type LocationEvent, locationStream } from '#domain/locations/index.js';
import {
  accessReportedBy,
  ACTIVITY_EVENT_TYPES,
  type ActivityReported,
  lockStream,
} from '#domain/locks/index.js';
import type { EventTypes } from '#eventsourcing/log/codec.js';
import type { DomainEvent } from '#eventsourcing/log/domain-event.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { ExportedEvents } from '#eventsourcing/proof/exported-events.js';
import { wholeAppends } from '#eventsourcing/log/whole-appends.js';
import {
  isUnitId,
  tenantsNamed,
  UNIT_EVENT_TYPES,
  UNIT_ID_PREFIX,
  type UnitEvent,
  unitStream,
} from '#domain/units/index.js';
import { unitAsOf, windowAt } from './core/as-of.js';
import { entryPointsAsOf } from './core/entry-points-as-of.js';
import { isDetailsEvent, type Logged, type UnitRecord } from './core/unit-record.js';
import { relevantTenants } from './core/window.js';
import { describedThen, presentAsOf, type UnitAtInstant } from './history.presenter.js';
import { logged } from './logged.js';

interface NamedUnit {
  readonly company_id: string;
  /** `crm_unit_id`, or `ulid:` with the service's `unit_id`. */
  readonly key: string;
}

/**
 * The unit exactly as a read at an instant (milliseconds) would have answered, by an export alone.
 * @returns `unknown` if the export has no such unit, `before` if it did not exist at that instant
 * @throws ExportLineError, UnknownEventError
 */
export async function unitInExportAsOf(
  events: ExportedEvents,
  named: NamedUnit,
  at: number,
): Promise<UnitAtInstant | 'unknown' | 'before'> {
  const stream = await streamIn(events, named);
  const [own = []] =
    stream === undefined ? [] : await streamsIn<UnitEvent>(events, [stream], UNIT_EVENT_TYPES);
  const registered = own[0]?.type === 'UnitRegistered' ? own[0].data : undefined;
  if (registered === undefined) return 'unknown';
  const { location_id, unit_id, company_id } = registered;
  const [all = []] = await streamsIn<LocationEvent>(
    events,
    [locationStream(location_id)],
    LOCATION_EVENT_TYPES,
  );
  const location = all.filter(isDetailsEvent);
  const tenants = relevantTenants({ own, location }, windowAt(at));
  const others = (await streamsNaming(events, company_id, tenants)).filter((other) => other !== stream);
  const siblings = await streamsIn<UnitEvent>(events, others, UNIT_EVENT_TYPES);
  const record: UnitRecord = { own, location, siblings };
  const found = await runYielding(unitAsOf(record, at, new TemporalCalendar()));
  if (found === undefined) return 'before';
  const described = describedThen(found, at, await lastAccessed(events, unit_id, at));
  const entryPoints = entryPointsAsOf(all, found.unit, found.decision, at, new TemporalCalendar());
  return presentAsOf(described, entryPoints, at);
}

async function streamIn(events: ExportedEvents, { company_id, key }: NamedUnit): Promise<string | undefined> {
  if (!isUnitId(key)) return unitStream(company_id, key);
  const unit_id = key.slice(UNIT_ID_PREFIX.length);
  const registrations = events(
    (stream, text) => isOfUnits(stream, company_id) && text.includes(JSON.stringify(unit_id)),
  );
  for await (const event of registrations) if (event.data['unit_id'] === unit_id) return event.stream;
  return undefined;
}

/** The decoded events of streams, in the order of the streams' first events. */
async function streamsIn<Event extends DomainEvent>(
  events: ExportedEvents,
  streams: readonly string[],
  types: EventTypes,
): Promise<Logged<Event>[][]> {
  if (streams.length === 0) return [];
  const wanted = new Set(streams);
  const found = new Map<string, RecordedEvent[]>();
  for await (const event of events((stream) => wanted.has(stream))) {
    const known = found.get(event.stream);
    if (known === undefined) found.set(event.stream, [event]);
    else known.push(event);
  }
  return [...found.values()].map((recorded) =>
    wholeAppends(recorded).map((event) => logged<Event>(types, event)),
  );
}

/** The streams of the units that these tenants ever rented or shared. */
async function streamsNaming(
  events: ExportedEvents,
  company_id: string,
  tenants: readonly string[],
): Promise<string[]> {
  if (tenants.length === 0) return [];
  const found = new Set<string>();
  const naming = events(
    (stream, text) =>
      isOfUnits(stream, company_id) &&
      !found.has(stream) &&
      tenants.some((tenant_id) => text.includes(tenant_id)),
  );
  for await (const event of naming) {
    const named = tenantsNamed(logged<UnitEvent>(UNIT_EVENT_TYPES, event));
    if (named.some((tenant_id) => tenants.includes(tenant_id))) found.add(event.stream);
  }
  return [...found];
}

function isOfUnits(stream: string, company_id: string): boolean {
  return stream.startsWith(unitStream(company_id, ''));
}

/** The instant at which the unit was last opened, by the reports up to an instant. Null: never. */
async function lastAccessed(events: ExportedEvents, unit_id: string, at: number): Promise<number | null> {
  let last: number | null = null;
  const reports = events((stream, text) => stream.startsWith(lockStream('')) && text.includes(unit_id));
  for await (const recorded of reports) {
    const event = logged<ActivityReported>(ACTIVITY_EVENT_TYPES, recorded);
    if (event.type !== 'LockActivityReported' || event.instant > at) continue;
    const accessed = accessReportedBy(event);
    if (accessed?.unit_id === unit_id) last = Math.max(accessed.at, last ?? -Infinity);
  }
  return last;
}
