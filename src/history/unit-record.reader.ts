import { Inject, Injectable } from '@nestjs/common';
import { TENANT_ACCESS } from '../access/index.js';
import { EVENT_STORE, VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore, RecordedEvent } from '../log/event-store.js';
import { decodeEvent } from '../log/codec.js';
import { wholeAppends } from '../log/whole-appends.js';
import { type DomainEvent } from '../log/domain-event.js';
import { PROJECTIONS, type Projection } from '../writing/aggregate.js';
import { accessedUnit, type LockActivityReported } from '../locks/index.js';
import { LOCATION_CATEGORY, type LocationEvent, locationStream } from '../locations/index.js';
import { UNIT_CATEGORY, type UnitDocument, type UnitEvent } from '../units/index.js';
import { isDetailsEvent, type Logged, type UnitRecord } from './core/unit-record.js';

const LOCK_CATEGORY = 'lock';

/** How many streams are read at once, and how many events of a lock at a time. */
const STREAMS_AT_ONCE = 16;
const LOCK_PAGE = 200;

/** How far ahead of its report an activity may be dated, by the app's clock and by that of another process. */
const FURTHEST_AHEAD = 15 * 60_000;

/** What the log holds about a unit, and which locks were ever on its door. */
export interface LoadedUnit {
  readonly record: UnitRecord;
  /** When each lock was first attached, in milliseconds. */
  readonly locks: ReadonlyMap<string, number>;
}

/** Reads from the log all that a unit's history is made of. Views only say which streams to read. */
@Injectable()
export class UnitRecordReader {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(PROJECTIONS) private readonly projections: readonly Pick<Projection<never>, 'fold'>[],
  ) {}

  /** @throws StoreUnavailableError */
  async load({ _id, unit_id, location_id }: UnitDocument): Promise<LoadedUnit> {
    const own = await this.#read<UnitEvent>(UNIT_CATEGORY, _id);
    const [streams, location] = await Promise.all([
      this.#siblingStreams(own, _id),
      this.#read<LocationEvent>(LOCATION_CATEGORY, locationStream(location_id)),
    ]);
    const siblings: Logged<UnitEvent>[][] = [];
    for (let from = 0; from < streams.length; from += STREAMS_AT_ONCE) {
      const some = streams.slice(from, from + STREAMS_AT_ONCE);
      siblings.push(...(await Promise.all(some.map((one) => this.#read<UnitEvent>(UNIT_CATEGORY, one)))));
    }
    const record = { own, siblings, location: location.filter(isDetailsEvent) };
    return { record, locks: locksOf(location, unit_id) };
  }

  /**
   * When the unit was last opened, by what was reported up to an instant; null for never.
   * @throws StoreUnavailableError
   */
  async lastAccessed(unit_id: string, { locks }: LoadedUnit, at: number): Promise<number | null> {
    let last: number | null = null;
    for (const [lock_id, attached] of locks) {
      if (attached <= at) last = await this.#lastAccessedBy(`${LOCK_CATEGORY}-${lock_id}`, unit_id, at, last);
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
    for await (const event of this.#activityBackwards(stream)) {
      const reportedByThen = event.instant <= at && accessedUnit(event) === unit_id;
      if (reportedByThen) last = Math.max(event.data.occurred_at, last ?? event.data.occurred_at);
      if (last !== null && event.instant + FURTHEST_AHEAD < last) break;
    }
    return last;
  }

  async *#activityBackwards(stream: string): AsyncGenerator<Logged<LockActivityReported>> {
    for (let from: number | undefined; ;) {
      const start = from === undefined ? {} : { from };
      const page = await this.events.readStream(stream, { backwards: true, limit: LOCK_PAGE, ...start });
      yield* this.#decode<LockActivityReported>(LOCK_CATEGORY, page);
      const oldest = page.at(-1);
      if (oldest === undefined || oldest.revision === 0) return;
      from = oldest.revision - 1;
    }
  }

  /** The streams of all units that the unit's tenants, past and present, ever had to do with. */
  async #siblingStreams(own: readonly Logged<UnitEvent>[], stream: string): Promise<string[]> {
    const tenants = new Set(
      own.flatMap((event) => (event.type === 'TenantMovedIn' ? [event.data.tenant_id] : [])),
    );
    const documents = await (await this.views.collection(TENANT_ACCESS)).getMany([...tenants]);
    const streams = documents.flatMap((document) => document?.units.map((unit) => unit.stream) ?? []);
    return [...new Set(streams)].filter((other) => other !== stream);
  }

  async #read<Event extends DomainEvent>(category: string, stream: string): Promise<Logged<Event>[]> {
    return this.#decode(category, wholeAppends(await this.events.readStream(stream)));
  }

  #decode<Event extends DomainEvent>(category: string, recorded: readonly RecordedEvent[]): Logged<Event>[] {
    const known = this.projections.find(({ fold }) => fold.category === category);
    if (known === undefined) throw new Error(`No projection is bound for ${category}.`);
    return recorded.map((one) => {
      const event = decodeEvent<Event>(known.fold.types, one);
      return { ...event, instant: Date.parse(event.metadata.occurred_at), position: one.position };
    });
  }
}

function locksOf(location: readonly Logged<LocationEvent>[], unit_id: string): Map<string, number> {
  const locks = new Map<string, number>();
  for (const { type, data, instant } of location) {
    if (type !== 'LockAttached' || data.unit_id !== unit_id || locks.has(data.lock_id)) continue;
    locks.set(data.lock_id, instant);
  }
  return locks;
}
