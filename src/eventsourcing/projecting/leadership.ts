import { pause } from '#kernel/pause.js';
import type { Logger } from '#kernel/logger.js';
import {
  type HeldLease,
  type LeaseOptions,
  takeLease,
  USUAL_LEASE_MS,
} from '#eventsourcing/documents/take-lease.js';

export interface LeadershipOptions extends LeaseOptions {
  readonly logger: Logger;
}

/** The work of the leader. */
export interface LedWork {
  /** Starts the work when this process becomes the leader. The lease is renewed meanwhile. If it rejects, the lease is released. */
  lead(lease: HeldLease): Promise<void>;
  /**
   * Ends the work when the lease was lost or is released, also during `lead`. Resolves when all of the work has ended. If it
   * rejects, the work may go on: the lease is not released then.
   */
  retire(): Promise<void>;
}

/** The name of the lease under which one process keeps the views. */
export const VIEWS_LEASE = 'views';

/** The time from taking the lease to its release or loss. */
interface Term {
  readonly lease: HeldLease;
  /** True when the work has started; false if `stop` came first. Rejects with the error of `lead`. */
  readonly started: Promise<boolean>;
  /** Resolves when the work has ended, and then the lease was released. */
  readonly ended: Promise<void>;
}

/**
 * Elects a leader among several processes by a lease: acquire, lead, renew, release, and again. If the leader is silent,
 * another process becomes the leader. If it wakes up then, the fence must refuse its writes.
 */
export class Leadership {
  readonly #stopping = new AbortController();
  /** All terms of this process, one after another, until `stop`. */
  #terms: Promise<void> = Promise.resolve();
  #lease: HeldLease | undefined;

  constructor(
    private readonly options: LeadershipOptions,
    private readonly work: LedWork,
  ) {}

  /** True if this process is the leader. */
  get leading(): boolean {
    return this.#lease !== undefined && !this.#lease.lost.aborted;
  }

  /**
   * Tries to become the leader now, and again later.
   * @returns true if the work was started here; false if another process leads
   * @throws the error of `lead`, if the lease is still held @throws StoreUnavailableError
   */
  async start(): Promise<boolean> {
    if (this.#isStopped) return false;
    const acquiring = this.#acquire();
    this.#terms = acquiring.then(
      (first) => this.#runTerms(first),
      () => undefined,
    );
    // `stop` throws the error.
    this.#terms.catch(() => undefined);
    const first = await acquiring;
    return first !== undefined && this.#hasStarted(first);
  }

  /** Ends the work and releases the lease, so that another process can lead at once. Starts no work afterwards. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#terms;
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #runTerms(first: Term | undefined): Promise<void> {
    const { clock, milliseconds = USUAL_LEASE_MS } = this.options;
    let term = first;
    for (;;) {
      await term?.ended;
      await pause(clock, milliseconds / 3, this.#stopping.signal);
      if (this.#isStopped) return;
      term = await this.#acquireAgain();
    }
  }

  async #acquireAgain(): Promise<Term | undefined> {
    try {
      const term = await this.#acquire();
      term?.started.catch((error: unknown) => this.#warn(error));
      return term;
    } catch (error) {
      this.#warn(error);
      return undefined;
    }
  }

  /** Takes the lease if it is free, and begins a term. Undefined if another process leads. */
  async #acquire(): Promise<Term | undefined> {
    const lease = await takeLease(this.options);
    if (lease === undefined) return undefined;
    this.#lease = lease;
    const started = this.#lead(lease);
    return { lease, started, ended: this.#holdAndRelease(lease, started) };
  }

  async #lead(lease: HeldLease): Promise<boolean> {
    if (this.#isStopped) return false;
    await this.work.lead(lease);
    return true;
  }

  /** Holds the lease, which renews itself, while the work runs. Then ends the work, and only then releases the lease. */
  async #holdAndRelease(lease: HeldLease, started: Promise<boolean>): Promise<void> {
    await aborted(this.#endOfTerm(lease, started));
    await this.#retire(lease);
    if (!lease.lost.aborted) await lease.release();
    this.#lease = undefined;
  }

  /** Aborted by the loss of the lease, by `stop`, or if the work did not start. */
  #endOfTerm({ lost, demand }: HeldLease, started: Promise<boolean>): AbortSignal {
    const term = new AbortController();
    const end = () => term.abort();
    lost.addEventListener('abort', end, { signal: term.signal });
    this.#stopping.signal.addEventListener('abort', end, { signal: term.signal });
    if (this.#isStopped) end();
    // Check the lease in the store: perhaps another process leads, and this one does not know it yet.
    started.catch(() =>
      demand()
        .catch(() => undefined)
        .then(end),
    );
    return term.signal;
  }

  async #retire({ lost }: HeldLease): Promise<void> {
    try {
      await this.work.retire();
    } catch (error) {
      if (!lost.aborted) throw error;
      this.#warn(error);
    }
  }

  /** False if the lease was lost before the work had started. */
  async #hasStarted({ lease, started, ended }: Term): Promise<boolean> {
    try {
      return await started;
    } catch (error) {
      await ended;
      if (!lease.lost.aborted || this.#isStopped) throw error;
      this.#warn(error);
      return false;
    }
  }

  #warn(error: unknown): void {
    if (this.#isStopped) return;
    const { logger, name } = this.options;
    logger.warn({ error, work: name }, 'Background work could not be taken up; trying again.');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
