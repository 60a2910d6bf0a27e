import type { Decided, DomainEvent, Snapshot, StreamKind, WriteContext } from './stream-kind.js';

/** What became of one stream's part of a write. */
export type StreamOutcome<Result, Refusal> =
  | {
      readonly kind: 'done';
      readonly result: Result;
      /** Head revision after the write. */
      readonly revision: number;
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
 * The one way to write: load N, decide N, append N in one call, project N. Conflicts are decided again.
 * See docs/design.md.
 */
export interface StreamWriter {
  /**
   * @param streams distinct names of streams of this kind.
   * @param prepare is given the folds in the order of `streams` and answers a decision function for each; it may look
   *   things up (a tenant's id). It is called again, for the streams that must be decided again only.
   * @returns outcomes in the order of `streams`, after the views of every changed stream have been applied.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError (conflict after conflict)
   */
  write<State, Event extends DomainEvent, Result, Refusal>(
    kind: StreamKind<State, Event>,
    streams: readonly string[],
    prepare: (
      snapshots: readonly (Snapshot<State> | undefined)[],
      streams: readonly string[],
    ) => Promise<readonly Decide<State, Event, Result, Refusal>[]>,
    context: WriteContext,
  ): Promise<StreamOutcome<Result, Refusal>[]>;

  /** A stream's whole fold, read from the log itself; undefined where there is no such stream. */
  fold<State, Event extends DomainEvent>(
    kind: StreamKind<State, Event>,
    stream: string,
  ): Promise<Snapshot<State> | undefined>;
}

export const STREAM_WRITER = Symbol('StreamWriter');
