export const WEBHOOK_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
/** What became of a try: received, not received and to be tried again, or given up. */
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number];

/** Counts tries, for metrics. */
export abstract class WebhookObserver {
  /** Must not throw. */
  abstract countTry(outcome: WebhookOutcome): void;
}
