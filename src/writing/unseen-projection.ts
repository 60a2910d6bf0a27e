import type { DomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import type { Fold, Projection, Snapshot } from './aggregate.js';
import { foldOnto, readFrom } from './stored-stream.js';

/** Streams that no view shows and of which no fold is kept: they are read from the log, so they are short, or seldom written. */
export class UnseenProjection<State, Event extends DomainEvent> implements Projection<State, Event> {
  /**
   * @param store where each write reads its stream first. Absent: where a command leaves an event whatever came before it,
   *   a stream that has begun is read only after the conflict which that meets.
   */
  constructor(
    readonly fold: Fold<State, Event>,
    private readonly store?: Pick<EventStore, 'readStream'>,
  ) {}

  /** @throws UnknownEventError @throws StoreUnavailableError */
  load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]> {
    const { fold, store } = this;
    return Promise.all(
      streams.map(
        async (stream) => store && foldOnto(fold, undefined, await readFrom(store, fold, stream, 0)),
      ),
    );
  }

  project(): Promise<void> {
    return Promise.resolve();
  }
}
