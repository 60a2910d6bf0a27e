import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type Bearing,
  SCAN_PAGE_SIZE,
  TENANT_ACCESS,
  tenantDocuments,
  type TenantUnit,
} from '#domain/access/index.js';
import { Yielder } from '#kernel/yielder.js';
import { inBatches } from '#kernel/in-batches.js';
import { EVENT_STORE, VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { wholeAppends } from '#eventsourcing/log/whole-appends.js';
import { type DomainEvent } from '#eventsourcing/log/domain-event.js';
import { logged } from './logged.js';
import { PROJECTORS, type Projector } from '#eventsourcing/writing/projector.js';
import { accessReportedBy, lockStream } from '#domain/locks/index.js';
import {
  LOCATION_CATEGORY,
  LocationDirectory,
  type LocationEvent,
  locationStream,
} from '#domain/locations/index.js';
import {
  evolve,
  UNIT_CATEGORY,
  type UnitDocument,
  type UnitEvent,
  UNITS,
  type UnitState,
} from '#domain/units/index.js';
import { type DetailsEvent, isDetailsEvent, type Logged, type UnitRecord } from './core/unit-record.js';
import { lostOpening } from './core/lost-opening.js';
import { bearsWithin } from './core/sibling-bearing.js';
import { relevantTenants, type Window } from './core/window.js';
import { CLOCK_TOLERANCE_MS, ReportReader } from './activity/report.reader.js';

/** The length of the first read of a stream. */
const FIRST_EVENTS = 100;
const LONGEST_READ = 500;
/** The work to read and decode one event, in the units of the `Yielder`. */
const WORK_PER_EVENT = 4;

const SEVERAL: Bearing = 'several';

/** The most events in the cache, with the states after them. About 2 kB each. */
const MOST_KEPT = 20_000;

/** The most events of locations in the cache. About 1 kB each. */
const MOST_KEPT_OF_LOCATIONS = 20_000;

/** How types of events about a lock begin. A location may have thousands, and no gate or zone depends on them. */
const OF_LOCKS = 'Lock';

/** The first events of a location, without those of its locks. */
interface LocationBeginning {
  readonly events: readonly Logged<LocationEvent>[];
  /** The revision behind them. */
  readonly next: number;
}

/** Some events of a stream that follow each other. */
export interface Beginning<Event extends DomainEvent> {
  readonly events: readonly Logged<Event>[];
  /** True if no more events follow. */
  readonly isAll: boolean;
}

/** The first events of a unit, and the state after each event. */
export interface UnitBeginning {
  readonly events: readonly Logged<UnitEvent>[];
  readonly states: readonly UnitState[];
}

/** Reads units and their events. */
export type UnitReads = Pick<UnitRecordReader, 'own' | 'unitsOf'>;

/** Reads the events for a unit's history from the log. The views only say which streams and revisions to read. */
@Injectable()
export class UnitRecordReader {
  /** By stream. The cached part of a sound stream never changes, because events only follow. */
  readonly #kept = new LRUCache<string, UnitBeginning>({ maxSize: MOST_KEPT });

  /** By stream, as {@link #kept}. */
  readonly #locations = new LRUCache<string, LocationBeginning>({ maxSize: MOST_KEPT_OF_LOCATIONS });

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly locations: LocationDirectory,
    private readonly reports: ReportReader,
    @Inject(PROJECTORS) private readonly projectors: readonly Pick<Projector<never>, 'fold'>[],
    private readonly damaged: DamagedStreams,
  ) {}

  /**
   * The unit's events from the first on, at least until `enough` returns true.
   * @param first the length of the first read
   * @throws StoreUnavailableError
   */
  own(
    { _id }: Pick<UnitDocument, '_id'>,
    enough: (events: readonly Logged<UnitEvent>[]) => boolean,
    first = FIRST_EVENTS,
  ): Promise<UnitBeginning> {
    return this.#readUntil(_id, first, enough);
  }

  /**
   * A unit's events from the first on, some at a time.
   * @throws StoreUnavailableError, GivenUpError
   */
  async *pagesOf(stream: string, yielder: Yielder): AsyncGenerator<readonly Logged<UnitEvent>[], void> {
    for await (const { events } of this.#pages<UnitEvent>(stream, FIRST_EVENTS, yielder)) yield events;
  }

  /**
   * Adds the events of the other units that matter for the unit's access within a window.
   * @param reads reads these units; another than this one may keep what it has read
   * @throws StoreUnavailableError
   */
  async around(
    { _id }: UnitDocument,
    { events: own, states }: UnitBeginning,
    location: readonly Logged<DetailsEvent>[],
    window: Window,
    reads: UnitReads = this,
  ): Promise<UnitRecord> {
    const tenants = relevantTenants({ own, location }, window);
    const isPast = (events: readonly Logged<UnitEvent>[]) =>
      (events.at(-1)?.instant ?? -Infinity) > window.before.instant;
    const units = [...(await reads.unitsOf(tenants)).values()].flat();
    const streams = new Set(units.map(({ stream }) => stream));
    streams.delete(_id);
    const siblings = await inBatches([...streams], (stream) => reads.own({ _id: stream }, isPast));
    const bearing = siblings.filter((sibling) => bearsWithin(sibling, tenants, window));
    return { own, states, location, siblings: bearing.map(({ events }) => events) };
  }

  /**
   * The instant at which the unit was last opened, by the reports up to an instant. Null: never.
   * @throws StoreUnavailableError
   */
  async lastAccessed(unit_id: string, at: number): Promise<number | null> {
    let last: number | null = null;
    for (const lock_id of await this.locations.lockIdsEverOnUnit(unit_id)) {
      last = await this.#lastAccessedBy(lockStream(lock_id), unit_id, at, last);
    }
    return last;
  }

  /** Reads a lock's reports backwards, as long as one later than `known` may be found. */
  async #lastAccessedBy(
    stream: string,
    unit_id: string,
    at: number,
    known: number | null,
  ): Promise<number | null> {
    let last = known;
    for await (const event of this.reports.backwards(stream, await this.reports.newestBy(stream, at))) {
      const accessed = event.type === 'LockActivityReported' ? accessReportedBy(event) : undefined;
      if (accessed?.unit_id === unit_id) last = Math.max(accessed.at, last ?? -Infinity);
      if (last !== null && event.instant + CLOCK_TOLERANCE_MS < last) break;
    }
    return last;
  }

  /**
   * The events that set name, policy and currency of a location. If somebody deleted their beginning, two stand for them all.
   */
  async details(location_id: string): Promise<Logged<DetailsEvent>[]> {
    const stored = await this.storedDetails(location_id);
    if (stored[0]?.type === 'LocationOpened') return stored;
    const shown = await this.locations.location(location_id);
    return shown === undefined ? [] : lostOpening(locationStream(location_id), shown);
  }

  /** As {@link details}, without what was deleted. A short stream is read whole. */
  async storedDetails(location_id: string): Promise<Logged<DetailsEvent>[]> {
    const stream = locationStream(location_id);
    const first = await this.events.readStream(stream, { limit: FIRST_EVENTS });
    const recorded =
      first.length < FIRST_EVENTS ? wholeAppends(first) : await this.#detailsOfLong(location_id, stream);
    return this.#decode<LocationEvent>(LOCATION_CATEGORY, recorded).filter(isDetailsEvent);
  }

  /** A location as the view shows it, with the zones of one of its units. */
  async shownLocation({ unit_id, location_id }: Pick<UnitDocument, 'unit_id' | 'location_id'>) {
    const [location, [equipment]] = await Promise.all([
      this.locations.location(location_id),
      this.locations.zonesAndLocks([unit_id]),
    ]);
    return location && { location, zone_ids: equipment?.zone_ids ?? [] };
  }

  /** All events of a location except those of its locks. Empty if somebody deleted their beginning. */
  async wholeLocation(location_id: string): Promise<readonly Logged<LocationEvent>[]> {
    const stream = locationStream(location_id);
    const kept = this.#locationKept(stream);
    const news = wholeAppends(await this.events.readStream(stream, { from: kept.next }));
    const last = news.at(-1);
    if (last === undefined) return kept.events;
    const added = this.#decode<LocationEvent>(
      LOCATION_CATEGORY,
      news.filter(({ type }) => !type.startsWith(OF_LOCKS)),
    );
    const events = [...kept.events, ...added];
    this.#locations.set(stream, { events, next: last.revision + 1 }, { size: events.length + 1 });
    return events;
  }

  /** As with units, the store may have deleted events of a damaged stream since. */
  #locationKept(stream: string): LocationBeginning {
    const kept = this.damaged.findDamage(stream) === undefined ? this.#locations.get(stream) : undefined;
    return kept ?? { events: [], next: 0 };
  }

  /** Reads a long stream only at the revisions that the view names. */
  async #detailsOfLong(location_id: string, stream: string): Promise<RecordedEvent[]> {
    // Ask the view for its revision first, then read newer events from the log.
    const shown = await this.locations.shownUpTo(location_id);
    const set_at = (await this.locations.location(location_id))?.set_at ?? [];
    const [known, news] = await Promise.all([
      inBatches(
        set_at.filter((revision) => revision <= shown),
        (from) => this.events.readStream(stream, { from, limit: 1 }),
      ),
      this.events.readStream(stream, { from: shown + 1 }),
    ]);
    return [...known.flat(), ...wholeAppends(news)];
  }

  /** The units' documents in the view, in the order of the streams. @throws StoreUnavailableError */
  async newest(streams: readonly string[]): Promise<(UnitDocument | undefined)[]> {
    return streams.length === 0 ? [] : (await this.views.collection(UNITS)).getMany(streams);
  }

  /**
   * The units that each tenant ever rented or shared, as the tenant's view lists them.
   * @param isScan see `GetOptions`
   * @throws StoreUnavailableError
   */
  async unitsOf(tenants: readonly string[], isScan?: boolean): Promise<Map<string, readonly TenantUnit[]>> {
    const collection = await this.views.collection(TENANT_ACCESS);
    const documents = tenants.length === 0 ? [] : await collection.getMany(tenants, { isScan });
    return new Map(tenants.map((tenant_id, index) => [tenant_id, documents[index]?.units ?? []]));
  }

  /** The streams of all units of tenants who have, or had, several at a location. @throws StoreUnavailableError */
  async tiedUnits(location_id: string): Promise<Set<string>> {
    const tied = new Set<string>();
    const range = { equals: [location_id, SEVERAL] };
    const documents = tenantDocuments(this.views, 'by_location_and_bearing', range, SCAN_PAGE_SIZE);
    for await (const { units } of documents) for (const { stream } of units) tied.add(stream);
    return tied;
  }

  async #readUntil(
    stream: string,
    first: number,
    enough: (events: readonly Logged<UnitEvent>[]) => boolean,
  ): Promise<UnitBeginning> {
    const kept = this.#findKept(stream) ?? { events: [], states: [] };
    if (enough(kept.events)) return kept;
    const events = [...kept.events];
    const states = [...kept.states];
    for await (const page of this.#pages<UnitEvent>(stream, first, new Yielder(), events.length)) {
      for (const event of page.events) {
        events.push(event);
        states.push(evolve(states.at(-1), event, event.revision));
      }
      if (page.isAll || enough(events)) break;
    }
    const read = { events, states };
    this.#kept.set(stream, read, { size: events.length + 1 });
    return read;
  }

  /** The store may have deleted events of a damaged stream since. */
  #findKept(stream: string): UnitBeginning | undefined {
    return this.damaged.findDamage(stream) === undefined ? this.#kept.get(stream) : undefined;
  }

  /** Each read is as long as all reads before it, up to a bound. So there are few reads, and little is read in vain. */
  async *#pages<Event extends DomainEvent>(
    stream: string,
    first: number,
    yielder: Yielder,
    from = 0,
  ): AsyncGenerator<Beginning<Event>, void> {
    let unfinished: RecordedEvent[] = [];
    let read = from;
    for (let limit = first; ; limit = Math.min(read, LONGEST_READ)) {
      const page = await this.events.readStream(stream, { from: read, limit });
      read += page.length;
      const recorded = [...unfinished, ...page];
      const whole = wholeAppends(recorded);
      unfinished = recorded.slice(whole.length);
      const isAll = page.length < limit;
      yield { events: this.#decode<Event>(UNIT_CATEGORY, whole), isAll };
      if (isAll) return;
      await yielder.after(page.length * WORK_PER_EVENT);
    }
  }

  #decode<Event extends DomainEvent>(category: string, recorded: readonly RecordedEvent[]): Logged<Event>[] {
    const known = this.projectors.find(({ fold }) => fold.category === category);
    if (known === undefined) throw new Error(`No projector is bound for ${category}.`);
    return recorded.map((one) => logged<Event>(known.fold.types, one));
  }
}
