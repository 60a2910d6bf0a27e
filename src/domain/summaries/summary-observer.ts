import type { MailFailure } from './mail/mail-sender.js';

export const COUNTED_MAILS = [
  'sent',
  'unreachable',
  'deferred',
  'refused',
  'unknown',
] as const satisfies readonly (MailFailure | 'sent')[];
export type CountedMail = (typeof COUNTED_MAILS)[number];

/** Counts mails to operators, for metrics. */
export abstract class SummaryObserver {
  /** Must not throw. */
  abstract countSummary(outcome: CountedMail): void;
}
