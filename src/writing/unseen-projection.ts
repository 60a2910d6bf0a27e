import type { DomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import type { Fold, Projection, Snapshot } from './aggregate.js';
import { foldOnto, readFrom } from './stored-stream.js';

/** Streams that no view shows: they are folded from the log for each write, so there are few writes to them, or short streams. */
export class UnseenProjection<State, Event extends DomainEvent> implements Projection<State, Event> {
  constructor(
    readonly fold: Fold<State, Event>,
    private readonly store: EventStore,
  ) {}

  /** @throws UnknownEventError @throws StoreUnavailableError */
  load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]> {
    return Promise.all(
      streams.map(async (stream) =>
        foldOnto(this.fold, undefined, await readFrom<Event>(this.store, this.fold, stream, 0)),
      ),
    );
  }

  project(): Promise<void> {
    return Promise.resolve();
  }
}
