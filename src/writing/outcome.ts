import type { Snapshot } from './aggregate.js';

/** The result of a command for one stream. */
export type Outcome<State, Result, Refusal> =
  | {
      readonly kind: 'done';
      readonly result: Result;
      /** The state that was decided on; undefined: there was no stream. */
      readonly before: Snapshot<State> | undefined;
      /** The state after the command; undefined: nothing changed and there was no stream. */
      readonly after: Snapshot<State> | undefined;
      /** In milliseconds: when the events occurred, or now where nothing changed. */
      readonly applied_at: number;
      /** False where the command had nothing to change. */
      readonly changed: boolean;
    }
  | { readonly kind: 'rejected'; readonly refusal: Refusal };
