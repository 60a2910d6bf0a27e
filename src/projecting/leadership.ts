import type { Logger } from '../config/logger.js';
import { type HeldLease, type LeaseOptions, takeLease, USUAL_LEASE } from '../documents/take-lease.js';

export interface LeadershipOptions extends LeaseOptions {
  readonly logger: Logger;
}

/** The work of the leader. */
export interface LedWork {
  /** Starts the work when this process becomes the leader. The lease is renewed meanwhile. If it rejects, the lease is released. */
  lead(lease: HeldLease): Promise<void>;
  /** Ends the work when the lease was lost or is released, also during `lead`. Resolves when all of the work has ended. */
  retire(): Promise<void>;
}

/** The name of the lease under which one process keeps the views. */
export const VIEWS_LEASE = 'views';

/**
 * Elects a leader among several processes by a lease. If the leader is silent, another process becomes the leader. If it wakes
 * up then, the fence must refuse its writes.
 */
export class Leadership {
  #lease: HeldLease | undefined;
  #stopped = false;
  #cancel: () => void = () => undefined;
  #underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: LeadershipOptions,
    private readonly work: LedWork,
  ) {}

  /** True if this process is the leader. */
  get leading(): boolean {
    return this.#lease !== undefined;
  }

  /**
   * Tries to become the leader now, and again later.
   * @returns true if the work was started here; false if another process leads
   * @throws the error of `lead`, if the lease is still held @throws StoreUnavailableError
   */
  async start(): Promise<boolean> {
    const lease = await this.#take();
    if (!this.#stopped) return lease !== undefined && this.#takeUp(lease);
    await this.#resign();
    return false;
  }

  /** Ends the work and releases the lease, so that another process can lead at once. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#underWay;
    await this.#resign();
  }

  async #take(): Promise<HeldLease | undefined> {
    const lease = await takeLease(this.options);
    this.#lease = lease;
    if (lease === undefined) this.#tryLater();
    else
      lease.lost.addEventListener('abort', () => {
        this.#underWay = this.#lose(lease);
      });
    return lease;
  }

  #tryLater(): void {
    this.#cancel();
    if (this.#stopped) return;
    const { clock, milliseconds = USUAL_LEASE } = this.options;
    this.#cancel = clock.after(milliseconds / 3, () => {
      this.#underWay = this.#tryAgain();
    });
  }

  async #tryAgain(): Promise<void> {
    try {
      const lease = await this.#take();
      // Do not wait: the work may take long to start, and `stop` waits for this attempt.
      if (lease !== undefined) void this.#takeUp(lease).catch((error: unknown) => this.#warn(error));
    } catch (error) {
      this.#warn(error);
      this.#tryLater();
    }
  }

  #warn(error: unknown): void {
    if (this.#stopped) return;
    const { logger, name } = this.options;
    logger.warn({ error, work: name }, 'Background work could not be taken up; trying again.');
  }

  /** Returns false if the lease was lost before the work had started. */
  async #takeUp(lease: HeldLease): Promise<boolean> {
    try {
      await this.work.lead(lease);
      return true;
    } catch (error) {
      // Check the lease in the store: perhaps another process leads, and this one does not know it yet.
      await lease.demand().catch(() => undefined);
      const isLost = lease.lost.aborted;
      await (isLost ? this.#underWay : this.#resign());
      if (!isLost || this.#stopped) throw error;
      this.#warn(error);
      return false;
    }
  }

  async #lose(lease: HeldLease): Promise<void> {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    await this.work.retire().catch((error: unknown) => this.#warn(error));
    this.#tryLater();
  }

  async #resign(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    // Keep the lease until the work has ended, so that this process does not start it again meanwhile.
    await this.work.retire();
    await lease.release();
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#tryLater();
  }
}
