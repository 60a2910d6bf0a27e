import { Inject, Injectable } from '@nestjs/common';
import { TENANT_ACCESS } from '../access/index.js';
import { EVENT_STORE, VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore, RecordedEvent } from '../log/event-store.js';
import { decodeEvent } from '../log/codec.js';
import { wholeAppends } from '../log/whole-appends.js';
import { type DomainEvent } from '../log/domain-event.js';
import { PROJECTIONS, type Projection } from '../writing/aggregate.js';
import { accessToldBy, type LockActivityReported } from '../locks/index.js';
import {
  LOCATION_CATEGORY,
  LocationDirectory,
  type LocationEvent,
  locationStream,
} from '../locations/index.js';
import { UNIT_CATEGORY, type UnitDocument, type UnitEvent } from '../units/index.js';
import { type DetailsEvent, isDetailsEvent, type Logged, type UnitRecord } from './core/unit-record.js';
import { tenantsInQuestion, type Window } from './core/window.js';

const LOCK_CATEGORY = 'lock';

/** How many streams are read at once, how many events of a stream first, and of a lock backwards. */
const READ_AT_ONCE = 16;
const FIRST_EVENTS = 100;
const FIRST_REPORTS = 10;

/** How far ahead of its report an activity may be dated, by the app's clock and by that of another process. */
const FURTHEST_AHEAD = 15 * 60_000;

/** The first events of a stream. */
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
   * The unit's own events with whatever else bears on its access within a window.
   * @throws StoreUnavailableError
   */
  async around(
    { _id, location_id }: UnitDocument,
    own: readonly Logged<UnitEvent>[],
    window: Window,
  ): Promise<UnitRecord> {
    const location = await this.#details(location_id);
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
      last = await this.#lastAccessedBy(`${LOCK_CATEGORY}-${lock_id}`, unit_id, at, last);
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
    for await (const event of this.#reportsBackwards(stream, at)) {
      const accessed = accessToldBy(event);
      if (accessed?.unit_id === unit_id) last = Math.max(accessed.at, last ?? -Infinity);
      if (last !== null && event.instant + FURTHEST_AHEAD < last) break;
    }
    return last;
  }

  async *#reportsBackwards(stream: string, at: number): AsyncGenerator<Logged<LockActivityReported>> {
    let from = await this.#newestBy(stream, at);
    for (let limit = FIRST_REPORTS; from >= 0; limit *= 2) {
      const page = await this.events.readStream(stream, { backwards: true, from, limit });
      yield* this.#decode<LockActivityReported>(LOCK_CATEGORY, page);
      from = page.length < limit ? -1 : page.at(-1)!.revision - 1;
    }
  }

  /** The revision of a stream's newest event at an instant, -1 for none: within a stream, time never goes back. */
  async #newestBy(stream: string, at: number): Promise<number> {
    const [head] = await this.events.readStream(stream, { backwards: true, limit: 1 });
    if (head === undefined) return -1;
    if (instantOf(head) <= at) return head.revision;
    let newest = -1;
    for (let later = head.revision; later - newest > 1;) {
      const middle = Math.floor((newest + later) / 2);
      const [event] = await this.events.readStream(stream, { from: middle, limit: 1 });
      if (instantOf(event!) <= at) newest = middle;
      else later = middle;
    }
    return newest;
  }

  /** What the location's stream says of policy and name; the view says where. */
  async #details(location_id: string): Promise<Logged<DetailsEvent>[]> {
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

  /** The streams of all units that the tenants ever had to do with, but for one. */
  async #otherStreams(tenants: readonly string[], stream: string): Promise<string[]> {
    if (tenants.length === 0) return [];
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany(tenants);
    const streams = documents.flatMap((document) => document?.units.map((unit) => unit.stream) ?? []);
    return [...new Set(streams)].filter((other) => other !== stream);
  }

  /** Each further read is as long as all before it: few reads, and never much more than is needed. */
  async #readUntil<Event extends DomainEvent>(
    category: string,
    stream: string,
    first: number,
    enough: (events: readonly Logged<Event>[]) => boolean,
  ): Promise<Beginning<Event>> {
    let recorded: RecordedEvent[] = [];
    for (let limit = first; ; limit = recorded.length) {
      const page = await this.events.readStream(stream, { from: recorded.length, limit });
      recorded = recorded.concat(page);
      const events = this.#decode<Event>(category, wholeAppends(recorded));
      const isAll = page.length < limit;
      if (isAll || enough(events)) return { events, isAll };
    }
  }

  #decode<Event extends DomainEvent>(category: string, recorded: readonly RecordedEvent[]): Logged<Event>[] {
    const known = this.projections.find(({ fold }) => fold.category === category);
    if (known === undefined) throw new Error(`No projection is bound for ${category}.`);
    return recorded.map((one) => ({
      ...decodeEvent<Event>(known.fold.types, one),
      instant: instantOf(one),
      position: one.position,
    }));
  }
}

function instantOf({ metadata }: RecordedEvent): number {
  return Date.parse(metadata['occurred_at'] as string);
}

/** Some at a time, so that no number of them is too large. */
async function inTurns<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += READ_AT_ONCE) {
    results.push(...(await Promise.all(all.slice(from, from + READ_AT_ONCE).map(work))));
  }
  return results;
}
