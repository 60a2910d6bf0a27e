import type { DomainEvent } from '../log/domain-event.js';
import type { EventStore } from '../log/event-store.js';
import type { Fold, Snapshot, StateLoader } from './aggregate.js';
import { foldOnto, readFrom } from './stored-stream.js';

/** Loads states from the log, for streams that no view shows. They are short, or seldom written. */
export class LogStates<State, Event extends DomainEvent> implements StateLoader<State> {
  /** @param store absent if commands do not depend on earlier events: then the stream is read only after a conflict */
  constructor(
    private readonly fold: Fold<State, Event>,
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
}
