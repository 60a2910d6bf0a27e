import type { NoticeOutcome } from './notice-outcome.js';

/** Counts texts, for metrics. */
export abstract class NoticeObserver {
  /** Must not throw. @param outcome `delayed`: the budget was full */
  abstract countNotice(outcome: NoticeOutcome | 'delayed'): void;
}
