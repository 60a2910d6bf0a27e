import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Subscription, SubscriptionHandler } from '../event-store.js';
import type { EventLog } from './event-log.js';

const batchEvents = 500;
/** With batches of large events, what a slow handler keeps in memory. */
const batchCharacters = 4_194_304;

/**
 * Reads the log from where its handler stands, and again when told of a commit. What was committed is asked for and never
 * handed over: hence no gap, no repetition, and nothing piles up behind a slow handler.
 */
export class LogSubscription implements Subscription {
  /** Settles once no further call of the handler will come. */
  readonly ended: Promise<void>;
  private readonly storedAtStart: number;
  private hasReportedCaughtUp = false;
  private isStopped = false;
  private hasNews = false;
  private whenNews: (() => void) | undefined;

  constructor(
    private readonly log: EventLog,
    private position: number,
    private readonly handler: SubscriptionHandler,
  ) {
    this.storedAtStart = log.head();
    this.ended = this.run();
  }

  /** Something was committed. */
  wake(): void {
    this.hasNews = true;
    this.whenNews?.();
  }

  stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    return this.ended;
  }

  private async run(): Promise<void> {
    try {
      while (!this.isStopped) {
        // Without it a long catch-up whose handler does no IO would hold the event loop.
        await nextTurn();
        await this.deliver();
      }
    } catch (error) {
      if (!this.isStopped) this.handler.failed?.(error);
      this.isStopped = true;
    }
  }

  private async deliver(): Promise<void> {
    if (this.isStopped) return;
    this.hasNews = false;
    const events = this.log.readAfter(this.position, batchEvents, batchCharacters);
    const last = events.at(-1);
    if (last !== undefined) {
      await this.handler.handle(events);
      this.position = Number(last.position);
    }
    if (this.isStopped) return;
    this.reportCaughtUp();
    if (last === undefined && !this.hasNews) {
      await new Promise<void>((resolve) => (this.whenNews = resolve));
      this.whenNews = undefined;
    }
  }

  private reportCaughtUp(): void {
    if (this.hasReportedCaughtUp || this.position < this.storedAtStart) return;
    this.hasReportedCaughtUp = true;
    this.handler.caughtUp?.();
  }
}
