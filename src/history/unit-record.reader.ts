import { Inject, Injectable } from '@nestjs/common';
import { TENANT_ACCESS, type TenantAccessDocument } from '../access/index.js';
import { Breath } from '../config/breath.js';
import { inTurns } from '../config/in-turns.js';
import { EVENT_STORE, VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore, RecordedEvent } from '../log/event-store.js';
import { wholeAppends } from '../log/whole-appends.js';
import { type DomainEvent } from '../log/domain-event.js';
import { logged } from './logged.js';
import { PROJECTIONS, type Projection } from '../writing/aggregate.js';
import { accessToldBy, lockStream } from '../locks/index.js';
import {
  LOCATION_CATEGORY,
  LocationDirectory,
  type LocationEvent,
  locationStream,
} from '../locations/index.js';
import { UNIT_CATEGORY, type UnitDocument, type UnitEvent } from '../units/index.js';
import { type DetailsEvent, isDetailsEvent, type Logged, type UnitRecord } from './core/unit-record.js';
import { tenantsInQuestion, type Window } from './core/window.js';
import { FURTHEST_AHEAD, ReportReader } from './activity/report.reader.js';

/** How many events of a stream are read first. */
const FIRST_EVENTS = 100;
/** How many events are read and decoded in one go, each of which is so many pieces of work. */
const MOST_READ = 500;
const PIECES_OF_EVENT = 4;

export type TenantUnit = TenantAccessDocument['units'][number];

/** The first events of a stream, or those that follow them. */
export interface Beginning<Event extends DomainEvent> {
  readonly events: readonly Logged<Event>[];
  /** Nothing follows them. */
  readonly isAll: boolean;
}

/** Reads from the log what a unit's history is made of, and no more. Views only say where it stands. */
@Injectable()
export class UnitRecordReader {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly locations: LocationDirectory,
    private readonly reports: ReportReader,
    @Inject(PROJECTIONS) private readonly projections: readonly Pick<Projection<never>, 'fold'>[],
  ) {}

  /**
   * The unit's own events from the first on, at least until they are enough.
   * @param first how many are read first
   * @throws StoreUnavailableError
   */
  own(
    { _id }: UnitDocument,
    enough: (events: readonly Logged<UnitEvent>[]) => boolean,
    first = FIRST_EVENTS,
  ): Promise<Beginning<UnitEvent>> {
    return this.#readUntil<UnitEvent>(UNIT_CATEGORY, _id, first, enough);
  }

  /**
   * A unit's events from the first on, some at a time.
   * @throws StoreUnavailableError, GivenUpError
   */
  async *pagesOf(stream: string, breath: Breath): AsyncGenerator<readonly Logged<UnitEvent>[], void> {
    for await (const { events } of this.#pages<UnitEvent>(UNIT_CATEGORY, stream, FIRST_EVENTS, breath))
      yield events;
  }

  /**
   * The unit's own events with whatever else bears on its access within a window.
   * @throws StoreUnavailableError
   */
  async around(
    { _id, location_id }: UnitDocument,
    own: readonly Logged<UnitEvent>[],
    window: Window,
  ): Promise<UnitRecord> {
    const location = await this.details(location_id);
    const tenants = tenantsInQuestion({ own, location }, window);
    const isPast = (events: readonly Logged<UnitEvent>[]) =>
      (events.at(-1)?.instant ?? -Infinity) > window.before.instant;
    const siblings = await inTurns(await this.#otherStreams(tenants, _id), (stream) =>
      this.#readUntil<UnitEvent>(UNIT_CATEGORY, stream, FIRST_EVENTS, isPast),
    );
    return { own, location, siblings: siblings.map(({ events }) => events) };
  }

  /**
   * When the unit was last opened, by what was reported up to an instant; null for never.
   * @throws StoreUnavailableError
   */
  async lastAccessed(unit_id: string, at: number): Promise<number | null> {
    let last: number | null = null;
    for (const lock_id of await this.locations.locksEverOf(unit_id)) {
      last = await this.#lastAccessedBy(lockStream(lock_id), unit_id, at, last);
    }
    return last;
  }

  /** Reads a lock's activity backwards, as far as something later than `known` may still be found. */
  async #lastAccessedBy(
    stream: string,
    unit_id: string,
    at: number,
    known: number | null,
  ): Promise<number | null> {
    let last = known;
    for await (const event of this.reports.backwards(stream, await this.reports.newestBy(stream, at))) {
      const accessed = event.type === 'LockActivityReported' ? accessToldBy(event) : undefined;
      if (accessed?.unit_id === unit_id) last = Math.max(accessed.at, last ?? -Infinity);
      if (last !== null && event.instant + FURTHEST_AHEAD < last) break;
    }
    return last;
  }

  /** What the location's stream says of policy and name; the view says where. */
  async details(location_id: string): Promise<Logged<DetailsEvent>[]> {
    const stream = locationStream(location_id);
    // What the view does not show yet is read, so that it need not be up to date; it is asked first, as it moves on.
    const shown = await this.locations.shownUpTo(location_id);
    const set_at = (await this.locations.location(location_id))?.set_at ?? [];
    const [known, news] = await Promise.all([
      inTurns(
        set_at.filter((revision) => revision <= shown),
        (from) => this.events.readStream(stream, { from, limit: 1 }),
      ),
      this.events.readStream(stream, { from: shown + 1 }),
    ]);
    const events = this.#decode<LocationEvent>(LOCATION_CATEGORY, [...known.flat(), ...wholeAppends(news)]);
    return events.filter(isDetailsEvent);
  }

  /**
   * By tenant, the units that the tenant ever had to do with, up to which revision the views know them.
   * @throws StoreUnavailableError
   */
  async unitsOf(tenants: readonly string[]): Promise<Map<string, readonly TenantUnit[]>> {
    const collection = await this.views.collection(TENANT_ACCESS);
    const documents = tenants.length === 0 ? [] : await collection.getMany(tenants);
    return new Map(tenants.map((tenant_id, place) => [tenant_id, documents[place]?.units ?? []]));
  }

  /** The streams of all units that the tenants ever had to do with, but for one. */
  async #otherStreams(tenants: readonly string[], stream: string): Promise<string[]> {
    const units = [...(await this.unitsOf(tenants)).values()].flat();
    return [...new Set(units.map((unit) => unit.stream))].filter((other) => other !== stream);
  }

  async #readUntil<Event extends DomainEvent>(
    category: string,
    stream: string,
    first: number,
    enough: (events: readonly Logged<Event>[]) => boolean,
  ): Promise<Beginning<Event>> {
    const events: Logged<Event>[] = [];
    for await (const page of this.#pages<Event>(category, stream, first, new Breath())) {
      for (const event of page.events) events.push(event);
      if (page.isAll || enough(events)) return { events, isAll: page.isAll };
    }
    return { events, isAll: true };
  }

  /** Each further read is as long as all before it, up to a bound: few reads, never much more than is needed, and room for others in between. */
  async *#pages<Event extends DomainEvent>(
    category: string,
    stream: string,
    first: number,
    breath: Breath,
  ): AsyncGenerator<Beginning<Event>, void> {
    let unfinished: RecordedEvent[] = [];
    for (let [read, limit] = [0, first]; ; limit = Math.min(read, MOST_READ)) {
      const page = await this.events.readStream(stream, { from: read, limit });
      read += page.length;
      const recorded = [...unfinished, ...page];
      const whole = wholeAppends(recorded);
      unfinished = recorded.slice(whole.length);
      const isAll = page.length < limit;
      yield { events: this.#decode<Event>(category, whole), isAll };
      if (isAll) return;
      await breath.after(page.length * PIECES_OF_EVENT);
    }
  }

  #decode<Event extends DomainEvent>(category: string, recorded: readonly RecordedEvent[]): Logged<Event>[] {
    const known = this.projections.find(({ fold }) => fold.category === category);
    if (known === undefined) throw new Error(`No projection is bound for ${category}.`);
    return recorded.map((one) => logged<Event>(known.fold.types, one));
  }
}
