import { Inject, Injectable } from '@nestjs/common';
import { Yielder } from '#kernel/yielder.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import { LOCATION_CATEGORY, LOCATION_EVENT_TYPES, LocationDirectory } from '#domain/locations/index.js';
import { ACTIVITY_EVENT_TYPES } from '#domain/locks/index.js';
import { decodeEvent, type EventTypes } from '#eventsourcing/log/codec.js';
import type { DomainEvent, StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import type { EventStore, JsonObject, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { scanAfter, type ScannedEvents } from '#eventsourcing/log/scan-after.js';
import { PASS_EVENT_TYPES } from '#domain/passes/index.js';
import { TENANT_EVENT_TYPES } from '#domain/tenants/index.js';
import {
  ACCESS_CATEGORY,
  ACCESS_EVENT_TYPES,
  accessStream,
  unitOfAccessStream,
} from '#domain/access/index.js';
import { UNIT_CATEGORY, UNIT_EVENT_TYPES, UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { ActorNames, type NameReader } from '../actor-names.js';
import { presentData } from '../core/feed.js';
import { FED_FIELDS } from './fed-fields.js';
import { StaffKinds } from './staff-kinds.js';

/** The events that integrators may read. Events of operators, API tokens and pull sources are not among them. */
const FED: EventTypes = {
  ...ACCESS_EVENT_TYPES,
  ...UNIT_EVENT_TYPES,
  ...LOCATION_EVENT_TYPES,
  ...PASS_EVENT_TYPES,
  ...TENANT_EVENT_TYPES,
  ...ACTIVITY_EVENT_TYPES,
};

export const FED_TYPES: readonly string[] = Object.keys(FED_FIELDS);

export interface FeedRange {
  /** The page begins after this position in the log. Undefined: at the first event. */
  readonly after: bigint | undefined;
  readonly limit: number;
  /** Undefined: all types. */
  readonly types: ReadonlySet<string> | undefined;
}

/** The most events of all companies that one page reads. So a page may be short or empty although more events follow. */
const MOST_EVENTS_READ = 5_000;
const CHUNK_SIZE = 500;

/** Whose an event is. `not_shown`: the views do not show its location yet. */
type EventOwner = { readonly company_id: string } | 'no_company' | 'not_shown';

type Ownership = 'own' | 'foreign' | 'not_shown';

/** `before` is the position at which a page ends that does not hold the event. */
interface Found {
  readonly event: RecordedEvent;
  readonly before: bigint | undefined;
}

/**
 * Events of a company's units, locations, tenants, passes and locks, in the order of the log. Owner and unit name come from
 * the views, which lag behind the log. A page ends before an event that the views do not know yet. Throws
 * StoreUnavailableError.
 */
@Injectable()
export class EventFeed {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly names: ActorNames,
    private readonly kinds: StaffKinds,
  ) {}

  /**
   * `next_after` is the position after all events that this page has read. It equals `after` if there is nothing new.
   * @throws PositionLostError if `after` is no position of this log, or if the log has not reached it
   */
  async page(company_id: string, range: FeedRange) {
    const { entries, next_after } = await this.readEntries(company_id, range);
    return { events: entries.map(({ entry }) => entry), next_after };
  }

  /** As {@link page}. Each entry stands beside what identifies its event in the log. */
  async readEntries(company_id: string, range: FeedRange) {
    const { found, end } = await this.#find(company_id, range);
    if (range.after !== undefined && end === range.after) await this.#assertReached(range.after);
    const units = await this.#unitsOf(found.map(({ event }) => event));
    const unknown = found.find(({ event: { stream } }) => isOfUnit(stream) && !units.has(stream));
    const shown = unknown === undefined ? found : found.slice(0, found.indexOf(unknown));
    const next = unknown === undefined ? end : unknown.before;
    const events = shown.map(({ event }) => event);
    const presented = await this.#present(events, units, company_id);
    return {
      entries: presented.map((entry, index) => ({ entry, event: events[index]! })),
      next_after: next === undefined ? null : String(next),
    };
  }

  /** No events, and the position of the newest event: the events that follow it are those stored from now on. */
  async pageAtEnd() {
    const head = await this.events.head();
    return { events: [], next_after: head === undefined ? null : String(head) };
  }

  /** Leaves out events of units that the views do not show yet. */
  async presentToOperators(company_id: string, events: readonly RecordedEvent[]) {
    const units = await this.#unitsOf(events);
    const known = events.filter(({ stream }) => !isOfUnit(stream) || units.has(stream));
    const told = known.map((event) => this.kinds.withToldFields(event));
    const presented = await this.#present(told, units, company_id, 'operator');
    return presented.map((entry, index) => ({
      ...entry,
      subject: this.kinds.subjectOf(told[index]!) ?? entry.subject,
    }));
  }

  /**
   * After the restore of a backup, a reader may be ahead of the log. It would miss all events until the log has grown so far.
   * The end of the whole store counts, because `after` may be the position of another application's event.
   */
  async #assertReached(after: bigint): Promise<void> {
    const head = await this.events.head();
    if (head === undefined || head < after) throw new PositionLostError(after);
  }

  /** Finds the company's events. `end` is the last position that was read. */
  async #find(company_id: string, { after, limit, types }: FeedRange) {
    const found: Found[] = [];
    const readOwnership = this.ownershipReader(company_id);
    let end = after;
    for await (const chunk of this.#chunksAfter(after)) {
      for (const event of chunk.events) {
        const ownership = isFed(event, types) ? await readOwnership(event) : 'foreign';
        if (ownership === 'not_shown') return { found, end };
        if (ownership === 'own') found.push({ event, before: end });
        end = event.position;
        if (found.length === limit) return { found, end };
      }
      end = chunk.end;
    }
    return { found, end };
  }

  async *#chunksAfter(after: bigint | undefined): AsyncGenerator<ScannedEvents, void> {
    const yielder = new Yielder();
    let position = after;
    for (let read = 0; read < MOST_EVENTS_READ; read += CHUNK_SIZE) {
      const scanned = await scanAfter(this.events, position, CHUNK_SIZE);
      yield scanned;
      if (scanned.end === position) return;
      await yielder.after(CHUNK_SIZE);
      position = scanned.end;
    }
  }

  /** Returns a function that says whether an event is of the company. */
  ownershipReader(company_id: string): (event: RecordedEvent) => Promise<Ownership> | Ownership {
    const ofUnits = `${UNIT_CATEGORY}-${company_id}.`;
    const readOwner = this.ownerReader();
    const ownershipOf = (owner: EventOwner): Ownership => {
      if (owner === 'not_shown') return owner;
      return owner !== 'no_company' && owner.company_id === company_id ? 'own' : 'foreign';
    };
    return (event) => {
      if (isOfUnit(event.stream)) return event.stream.startsWith(ofUnits) ? 'own' : 'foreign';
      const owner = readOwner(event);
      return owner instanceof Promise ? owner.then(ownershipOf) : ownershipOf(owner);
    };
  }

  /** Returns a function that tells whose an event is: by the stream's name, the event's data, or the view of the location. */
  ownerReader(): (event: RecordedEvent) => Promise<EventOwner> | EventOwner {
    const locations = new Map<string, Promise<EventOwner>>();
    return ({ stream, data: { company_id } }) => {
      if (isOfUnit(stream))
        return { company_id: stream.slice(UNIT_CATEGORY.length + 1, stream.indexOf('.')) };
      if (typeof company_id === 'string') return { company_id };
      if (!stream.startsWith(`${LOCATION_CATEGORY}-`)) return 'no_company';
      const location_id = stream.slice(LOCATION_CATEGORY.length + 1);
      let owner = locations.get(location_id);
      if (owner === undefined) {
        owner = this.locations.location(location_id).then((one) => one ?? 'not_shown');
        locations.set(location_id, owner);
      }
      return owner;
    };
  }

  /** The events at these locations. An event whose location is unknown is left out. */
  async selectAt(
    location_ids: ReadonlySet<string>,
    events: readonly RecordedEvent[],
  ): Promise<RecordedEvent[]> {
    const units = await this.#unitsOf(events);
    return events.filter((event) => {
      const location_id = units.get(event.stream)?.location_id ?? statedLocation(event);
      return location_id !== undefined && location_ids.has(location_id);
    });
  }

  /** The units of the events, by stream. Units that the views do not show yet are absent. */
  async #unitsOf(events: readonly RecordedEvent[]): Promise<ReadonlyMap<string, UnitDocument>> {
    const all = [...new Set(events.map(({ stream }) => stream))];
    const [units, announced] = await Promise.all([
      this.units.byStreams(all.filter(isOfUnit)),
      this.units.byUnitIds(all.filter(isOfAccess).map(unitOfAccessStream)),
    ]);
    const found = new Map<string, UnitDocument>();
    for (const unit of units) if (unit !== undefined) found.set(unit._id, unit);
    for (const unit of announced) found.set(accessStream(unit.company_id, unit.unit_id), unit);
    return found;
  }

  async #present(
    recorded: readonly RecordedEvent[],
    units: ReadonlyMap<string, UnitDocument>,
    company_id: string,
    reader: NameReader = 'integrator',
  ) {
    const types = reader === 'operator' ? { ...FED, ...this.kinds.types } : FED;
    const decoded = recorded.map((event) => decodeEvent<DomainEvent>(types, event));
    const actors = decoded.map(({ metadata }) => metadata.actor);
    const nameOf = await this.names.findNames(actors, company_id, reader);
    return decoded.map((event, index) => {
      const { type, revision, metadata, data } = event;
      const { actor, occurred_at, command_id, request_id } = metadata;
      return {
        id: String(recorded[index]!.position),
        type,
        occurred_at,
        subject: subjectOf(event, units.get(event.stream)),
        // The subject is the unit, whose revision is another one.
        revision: isOfAccess(event.stream) ? null : revision,
        actor: { ...actor, name: isNamed(event, reader) ? nameOf(actor) : null },
        command_id,
        request_id,
        data: presentData(data as JsonObject, toTimestamp),
      };
    });
  }
}

/** A PMS reads by name who opened something, but does not know whom a tenant lets in. */
function isNamed({ type, metadata: { actor } }: StoredDomainEvent, reader: NameReader): boolean {
  return reader === 'operator' || actor.kind !== 'tenant' || Object.hasOwn(ACTIVITY_EVENT_TYPES, type);
}

/** The location in the stream's name or in the event's data. */
function statedLocation({ stream, data }: RecordedEvent): string | undefined {
  if (stream.startsWith(`${LOCATION_CATEGORY}-`)) return stream.slice(LOCATION_CATEGORY.length + 1);
  const { location_id } = data;
  return typeof location_id === 'string' ? location_id : undefined;
}

function isOfUnit(stream: string): boolean {
  return stream.startsWith(`${UNIT_CATEGORY}-`);
}

function isOfAccess(stream: string): boolean {
  return stream.startsWith(`${ACCESS_CATEGORY}-`);
}

/** True if integrators may read events of this type, and if `types` contains it. */
export function isFed({ type }: RecordedEvent, types: ReadonlySet<string> | undefined): boolean {
  return Object.hasOwn(FED_FIELDS, type) && (types?.has(type) ?? true);
}

type SubjectKind = 'unit' | 'location' | 'tenant' | 'lock' | 'entry_point' | 'pass';

/** The thing that the event is about, with its ids. */
function subjectOf(
  { stream }: StoredDomainEvent,
  unit: UnitDocument | undefined,
): { readonly kind: SubjectKind } & { readonly [Id in `${SubjectKind}_id` | 'crm_unit_id']?: string } {
  if (unit !== undefined) {
    const { unit_id, crm_unit_id, location_id } = unit;
    return { kind: 'unit', unit_id, crm_unit_id, location_id };
  }
  if (isOfAccess(stream)) return { kind: 'unit', unit_id: unitOfAccessStream(stream) };
  const [, category, id] = /^(entry-point|[a-z]+)-(.*)$/.exec(stream)!;
  const kind = category!.replace('-', '_') as SubjectKind;
  return { kind, [`${kind}_id`]: id };
}
