import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { Decided, Snapshot, StreamKind, WriteContext } from './stream-kind.js';

/** What became of one stream's part of a write. */
export type StreamOutcome<State, Result, Refusal> =
  | {
      readonly kind: 'done';
      readonly result: Result;
      /** The stream as the write left it; undefined where a write that changes nothing met no stream. */
      readonly after: Snapshot<State> | undefined;
      /** When the write took effect, in milliseconds: that of its events, or now where nothing changed. */
      readonly applied_at: number;
      /** False where the decision found nothing to change. */
      readonly changed: boolean;
    }
  | { readonly kind: 'rejected'; readonly refusal: Refusal };

/** Decides one stream's part from its newest fold (undefined: the stream does not exist). Pure; `now` in milliseconds. */
export type Decide<State, Event extends DomainEvent, Result, Refusal> = (
  snapshot: Snapshot<State> | undefined,
  now: number,
) => Decided<Event, Result, Refusal>;

/**
 * Is given folds in the order of `streams` and answers a decision function for each; it may look things up (a tenant's
 * id). It is called again for the streams that must be decided again, and for those only.
 * @param recovered for each stream, the events that an earlier attempt at this command has stored behind the fold. What
 *   they name must be taken from them: names may stand for something else by now.
 */
export type Prepare<State, Event extends DomainEvent, Result, Refusal> = (
  snapshots: readonly (Snapshot<State> | undefined)[],
  streams: readonly string[],
  recovered: readonly (readonly StoredDomainEvent<Event>[] | undefined)[],
) => Promise<readonly Decide<State, Event, Result, Refusal>[]>;

/**
 * The one way to write: load N, decide N, append N in one call, project N. Conflicts are decided again; a command that
 * an attempt before this one has done is not done twice (docs/design.md).
 */
export interface StreamWriter {
  /**
   * @param streams distinct names of streams of this kind.
   * @returns outcomes in the order of `streams`, after the views of every changed stream have been applied.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError (conflict after conflict)
   */
  write<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: Prepare<State, Event, Result, Refusal>,
    context: WriteContext,
  ): Promise<StreamOutcome<State, Result, Refusal>[]>;

  /** Decides as `write` would and stores nothing. */
  preview<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: Prepare<State, Event, Result, Refusal>,
  ): Promise<StreamOutcome<State, Result, Refusal>[]>;
}

export const STREAM_WRITER = Symbol('StreamWriter');
