import { DeadlinePassedError, within } from '#kernel/within.js';
import { systemClock } from '#kernel/clock.js';
import type { ServerPresence } from '#kernel/server-presence.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { type CallKind, isServerAnswer, unavailable } from './mongodb-errors.js';

/**
 * The time that one call of the port may take, with all its commands. The driver's own `timeoutMS` has no effect in this
 * version, and its other limits start again with each retry.
 */
export class CallDeadline {
  readonly #until: number;

  constructor(
    private readonly milliseconds: number,
    private readonly presence: ServerPresence,
  ) {
    this.#until = performance.now() + milliseconds;
  }

  /** The latest of several deadlines. */
  static latest(deadlines: readonly CallDeadline[]): CallDeadline {
    return deadlines.reduce((latest, one) => (one.#until > latest.#until ? one : latest));
  }

  get isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Milliseconds. */
  get remaining(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Runs a command of the driver. @throws StoreUnavailableError for every error */
  async call<T>(kind: CallKind, command: () => Promise<T>): Promise<T> {
    try {
      return await this.race(kind, command);
    } catch (error) {
      throw unavailable(error, kind);
    }
  }

  /** Like {@link call}, but throws the driver's own errors. */
  race<T>(kind: CallKind, command: () => Promise<T>): Promise<T> {
    return this.presence.watch(
      () => this.#raced(kind, command),
      (end) => end.status === 'fulfilled' || isServerAnswer(end.reason),
    );
  }

  async #raced<T>(kind: CallKind, command: () => Promise<T>): Promise<T> {
    try {
      return await within(systemClock, this.remaining, command());
    } catch (error) {
      throw error instanceof DeadlinePassedError ? this.passedError(kind === 'write') : error;
    }
  }

  passedError(outcomeUnknown: boolean): StoreUnavailableError {
    return new StoreUnavailableError(
      `MongoDB gave no clear answer within ${this.milliseconds} ms.`,
      outcomeUnknown,
    );
  }
}
