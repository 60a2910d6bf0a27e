import type { Snapshot } from './aggregate.js';

/** What became of one stream's part of a write. */
export type WriteOutcome<State, Result, Refusal> =
  | {
      readonly kind: 'done';
      readonly result: Result;
      /** The stream as the decision found it; undefined where there was none. */
      readonly before: Snapshot<State> | undefined;
      /** The stream as the write left it; undefined where a write that changes nothing met no stream. */
      readonly after: Snapshot<State> | undefined;
      /** When the write took effect, in milliseconds: that of its events, or now where nothing changed. */
      readonly applied_at: number;
      /** False where the decision found nothing to change. */
      readonly changed: boolean;
    }
  | { readonly kind: 'rejected'; readonly refusal: Refusal };
