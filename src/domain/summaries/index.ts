export type { DayFigures } from './core/day-figures.js';
export { MailSender } from './mail/mail-sender.js';
export { mailAdapter } from './mail/mail-adapter.js';
export { SummariesModule } from './summaries.module.js';
export { SummaryFigures } from './summary-figures.js';
export { SUMMARY_LINKS_KEY } from './summary-links.js';
export { COUNTED_MAILS, type CountedMail, SummaryObserver } from './summary-observer.js';
export { SummaryRounds } from './summary-rounds.js';
export {
  SUMMARY_OUTCOMES,
  type SummaryOutcome,
  type SummarySubscription,
  SummarySubscriptions,
  switchOffSummaries,
} from './summary-subscriptions.js';
export { SummarySwitch } from './summary-switch.js';
