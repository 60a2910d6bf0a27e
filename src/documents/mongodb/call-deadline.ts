import { DeadlinePassedError, within } from '../../base/within.js';
import { systemClock } from '../../config/clock.js';
import type { ServerPresence } from '../../storage/server-presence.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import { type CallKind, isSpoken, unavailable } from './mongodb-errors.js';

/**
 * The time that one call of the port may take, however many commands it sends. The driver's own `timeoutMS` does
 * nothing in the version used, and its other limits add up when it tries again.
 */
export class CallDeadline {
  private readonly until: number;

  constructor(
    private readonly milliseconds: number,
    private readonly presence: ServerPresence,
  ) {
    this.until = performance.now() + milliseconds;
  }

  /** The one that passes last. */
  static latest(deadlines: readonly CallDeadline[]): CallDeadline {
    return deadlines.reduce((latest, one) => (one.until > latest.until ? one : latest));
  }

  get isOver(): boolean {
    return performance.now() >= this.until;
  }

  /** Milliseconds. */
  get remaining(): number {
    return Math.max(0, this.until - performance.now());
  }

  /** Runs a command of the driver. @throws StoreUnavailableError for anything that goes wrong. */
  async call<T>(kind: CallKind, command: () => Promise<T>): Promise<T> {
    try {
      return await this.race(kind, command);
    } catch (error) {
      throw unavailable(error, kind);
    }
  }

  /** The same with the driver's own errors, for those who look into them. */
  race<T>(kind: CallKind, command: () => Promise<T>): Promise<T> {
    return this.presence.watch(
      () => this.raced(kind, command),
      (end) => end.status === 'fulfilled' || isSpoken(end.reason),
    );
  }

  private async raced<T>(kind: CallKind, command: () => Promise<T>): Promise<T> {
    try {
      return await within(systemClock, this.remaining, command());
    } catch (error) {
      throw error instanceof DeadlinePassedError ? this.passedError(kind === 'write') : error;
    }
  }

  /** The error of a call whose time has passed. */
  passedError(outcomeUnknown: boolean): StoreUnavailableError {
    return new StoreUnavailableError(
      `MongoDB gave no clear answer within ${this.milliseconds} ms.`,
      outcomeUnknown,
    );
  }
}
