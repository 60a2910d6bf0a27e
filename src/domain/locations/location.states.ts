import { LRUCache } from 'lru-cache';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import type { StateLoader, StreamChange } from '#eventsourcing/writing/projector.js';
import { foldOnto, readFrom } from '#eventsourcing/writing/stored-stream.js';
import type { LocationEvent } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LOCATION } from './location.aggregate.js';

const CACHED_STATES = 500;

/** Caches the states of locations. Each load reads newer events from the log, because other processes may write. */
export class LocationStates implements StateLoader<LocationState> {
  /** By stream. */
  readonly #cache = new LRUCache<string, Snapshot<LocationState>>({ max: CACHED_STATES });

  /** @param show updates the views to the state of a change; its list of events may be empty */
  constructor(
    private readonly store: EventStore,
    private readonly show: (change: StreamChange<LocationState, LocationEvent>) => Promise<void>,
  ) {}

  /** @throws StoreUnavailableError @throws UnknownEventError */
  load(streams: readonly string[]): Promise<(Snapshot<LocationState> | undefined)[]> {
    return Promise.all(streams.map((stream) => this.#load(stream)));
  }

  /**
   * The views may lag behind the log. They are updated before the command is decided, because a command that changes
   * nothing is answered without another projection.
   */
  async #load(stream: string): Promise<Snapshot<LocationState> | undefined> {
    const cached = this.#cache.get(stream);
    const newer = await readFrom<LocationEvent>(this.store, LOCATION, stream, (cached?.revision ?? -1) + 1);
    const snapshot = foldOnto(LOCATION, cached, newer);
    if (snapshot === undefined) return undefined;
    if (snapshot.revision >= (this.#cache.get(stream)?.revision ?? -1)) this.#cache.set(stream, snapshot);
    await this.show({ stream, events: [], after: snapshot });
    return snapshot;
  }
}
