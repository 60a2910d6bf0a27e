import { backOff } from '#kernel/core/back-off.js';
import type { Clock } from '#kernel/clock.js';
import type { ServerPresence } from '#kernel/server-presence.js';
import { EventTooLargeError, StreamDeletedError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { AppendOutcome, StreamAppend } from '#eventsourcing/log/event-store.js';
import { AppendQueue } from './append-queue.js';
import type { BatchClient } from './batch-client.js';
import type { Attempt } from './batch-wire.js';
import type { ClientReads } from './client-reads.js';
import type { CheckedAppend } from './event-format.js';
import type { EventStoreDbTimings } from './timings.js';
import { type DeadlinePassedError, within } from '#kernel/within.js';
import { pause } from '#kernel/pause.js';

/**
 * Milliseconds that the server may try. It tries for at most 2 s. The deadline is sent as an instant, so it must be late
 * enough for a server whose clock is ahead.
 */
const SERVER_DEADLINE_MS = 60_000;

/** Number of simultaneous reads that check whether an append was stored. */
const MOST_LOOK_UPS = 32;

/** The attempts of one append so far. */
interface Progress {
  /** An attempt may have stored the events, although the server did not acknowledge it. */
  maybeStored: boolean;
  reason: string;
}

/**
 * Appends to one stream until the outcome is known. After an attempt without a clear answer, it sends the same events
 * again with the same ids and the same expected revision. The server then gives the answer of the first attempt. If that
 * is not clear either, it reads the stream.
 */
export class ClientAppends {
  /** Bounded, because after a broken connection every append may need a read. */
  readonly #settling = new AppendQueue(MOST_LOOK_UPS).caller();

  constructor(
    private readonly client: Pick<BatchClient, 'append'>,
    private readonly reads: ClientReads,
    private readonly clock: Clock,
    private readonly timings: EventStoreDbTimings,
    private readonly presence: ServerPresence,
    private readonly lettingGo: AbortSignal,
  ) {}

  /** @throws StoreUnavailableError, EventTooLargeError */
  async append(append: CheckedAppend): Promise<AppendOutcome> {
    const giveUpAt = this.clock.now() + this.timings.appendDeadline;
    const progress: Progress = { maybeStored: false, reason: '' };
    for (let failures = 1; ; failures += 1) {
      const outcome = await this.#settled(append, progress, await this.#attempt(append));
      if (outcome) return outcome;
      const next = backOff(failures, this.timings.backOff);
      if (this.lettingGo.aborted || this.clock.now() + next >= giveUpAt) throw unavailable(append, progress);
      await pause(this.clock, next, this.lettingGo);
    }
  }

  async #attempt(append: CheckedAppend): Promise<Attempt> {
    const call = () => this.client.append(append, Date.now() + SERVER_DEADLINE_MS);
    try {
      return await this.presence.watch(
        () => within(this.clock, this.timings.appendAttempt, call()),
        (end) => end.status === 'fulfilled' && !['unknown', 'not_sent'].includes(end.value.kind),
      );
    } catch (error) {
      return { kind: 'unknown', reason: (error as DeadlinePassedError).message };
    }
  }

  /** The outcome; undefined if another attempt is needed. */
  async #settled(
    append: CheckedAppend,
    progress: Progress,
    attempt: Attempt,
  ): Promise<AppendOutcome | undefined> {
    switch (attempt.kind) {
      case 'acknowledged':
        return this.#acknowledged(append, progress, attempt.outcome);
      case 'conflict': {
        // An earlier attempt of this append may have stored the events.
        const found = progress.maybeStored ? await this.#lookUp(append, progress) : undefined;
        return found ?? { kind: 'conflict', stream: append.stream, actual: attempt.actual };
      }
      case 'too_large':
        throw new EventTooLargeError(append.stream);
      default:
        progress.reason = attempt.reason;
        progress.maybeStored ||= attempt.kind === 'unknown';
        if (attempt.kind === 'refused') throw unavailable(append, progress);
        return undefined;
    }
  }

  /** The position in the answer to a repeated append is not documented, so it is read from the stream. */
  async #acknowledged(append: CheckedAppend, progress: Progress, outcome: AppendOutcome | undefined) {
    const first = !progress.maybeStored;
    progress.maybeStored = true;
    return first && outcome ? outcome : this.#stored(append, progress);
  }

  /** Undefined if the stream cannot be read now: an acknowledged append must not fail because of that. */
  async #stored(append: CheckedAppend, progress: Progress): Promise<AppendOutcome | undefined> {
    try {
      return await this.#lookUp(append, progress);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return undefined;
      throw error;
    }
  }

  /** Reads the revisions that the append would have. Undefined if other events are there. */
  async #lookUp(append: CheckedAppend, progress: Progress): Promise<AppendOutcome | undefined> {
    const from = append.expected === 'no_stream' ? 0 : append.expected + 1;
    let found;
    try {
      found = await this.#settling(append.stream, () =>
        this.reads.stream(append.stream, { from, limit: append.events.length }),
      );
    } catch (error) {
      if (error instanceof StreamDeletedError) return undefined;
      if (!(error instanceof StoreUnavailableError)) throw error;
      progress.reason = error.message;
      throw unavailable(append, progress);
    }
    const last = found.at(-1);
    const same =
      found.length === append.events.length &&
      found.every((event, index) => event.id === append.events[index]?.id);
    return last && same
      ? { kind: 'appended', stream: append.stream, revision: last.revision, position: last.position }
      : undefined;
  }
}

function unavailable({ stream }: StreamAppend, { maybeStored, reason }: Progress): StoreUnavailableError {
  const outcome = maybeStored ? 'whether its events are stored is unknown' : 'nothing was stored';
  return new StoreUnavailableError(`The append to ${stream} failed, ${outcome}: ${reason}.`, maybeStored);
}
