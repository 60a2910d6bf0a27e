import { LRUCache } from 'lru-cache';
import type { EventStore } from '../log/event-store.js';
import type { Snapshot, StateLoader, StreamChange } from '../writing/aggregate.js';
import { foldOnto, readFrom } from '../writing/stored-stream.js';
import type { LocationEvent } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LOCATION } from './location.aggregate.js';

/** Locations whose states are kept in memory; any other is folded again from its stream. */
const MOST_KEPT = 500;

/** Locations' states. Each load reads on from the log, so that several processes may write. */
export class LocationStates implements StateLoader<LocationState> {
  /** By stream. */
  readonly #kept = new LRUCache<string, Snapshot<LocationState>>({ max: MOST_KEPT });

  /** @param show brings the views up to the state of a change that has no events */
  constructor(
    private readonly store: EventStore,
    private readonly show: (change: StreamChange<LocationState, LocationEvent>) => Promise<void>,
  ) {}

  /** @throws StoreUnavailableError @throws UnknownEventError */
  load(streams: readonly string[]): Promise<(Snapshot<LocationState> | undefined)[]> {
    return Promise.all(streams.map((stream) => this.#load(stream)));
  }

  /**
   * The log may hold a change that no view shows yet. A command may find that nothing is left to change and be answered
   * at once, so the views are brought up first.
   */
  async #load(stream: string): Promise<Snapshot<LocationState> | undefined> {
    const kept = this.#kept.get(stream);
    const news = await readFrom<LocationEvent>(this.store, LOCATION, stream, (kept?.revision ?? -1) + 1);
    const snapshot = foldOnto(LOCATION, kept, news);
    if (snapshot === undefined) return undefined;
    if (snapshot.revision >= (this.#kept.get(stream)?.revision ?? -1)) this.#kept.set(stream, snapshot);
    await this.show({ stream, events: [], after: snapshot });
    return snapshot;
  }
}
