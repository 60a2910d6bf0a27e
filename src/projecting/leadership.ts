import type { Logger } from '../config/logger.js';
import { type HeldLease, type LeaseOptions, takeLease, USUAL_LEASE } from '../documents/take-lease.js';

export interface LeadershipOptions extends LeaseOptions {
  readonly logger: Logger;
}

/** The work of the leader. */
export interface LedWork {
  /** Called when the lease was taken; it is renewed meanwhile, however long this takes. A rejection gives it back. */
  lead(lease: HeldLease): Promise<void>;
  /**
   * Called when the lease was lost or is given back, `lead` still running or not. Resolves once nothing of the work
   * runs any more.
   */
  retire(): Promise<void>;
}

/** The lease under which processes on servers keep the views. */
export const VIEWS_LEASE = 'views';

/**
 * Lets one of several processes do a work under a lease. A holder that falls silent is followed by another. If it wakes
 * up, the fence of the lease must refuse what it writes.
 */
export class Leadership {
  #lease: HeldLease | undefined;
  #stopped = false;
  #cancel: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: LeadershipOptions,
    private readonly work: LedWork,
  ) {}

  /** Whether this process does the work now. */
  get leading(): boolean {
    return this.#lease !== undefined;
  }

  /**
   * Tries once to lead and goes on trying.
   * @returns whether the work was taken up here; otherwise another process has it, or had it once the lease was lost
   * @throws what `lead` throws under a lease that is still held @throws StoreUnavailableError
   */
  async start(): Promise<boolean> {
    const lease = await this.#take();
    if (!this.#stopped) return lease !== undefined && this.#takeUp(lease);
    await this.#resign();
    return false;
  }

  /** Gives the lease back, so that another process need not wait for its end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turn;
    await this.#resign();
  }

  async #take(): Promise<HeldLease | undefined> {
    const lease = await takeLease(this.options);
    this.#lease = lease;
    if (lease === undefined) this.#tryLater();
    else
      lease.lost.addEventListener('abort', () => {
        this.#turn = this.#lose(lease);
      });
    return lease;
  }

  #tryLater(): void {
    this.#cancel();
    if (this.#stopped) return;
    const { clock, milliseconds = USUAL_LEASE } = this.options;
    this.#cancel = clock.after(milliseconds / 3, () => {
      this.#turn = this.#tryAgain();
    });
  }

  async #tryAgain(): Promise<void> {
    try {
      const lease = await this.#take();
      // Not waited for: a view that is built anew may take long, and the process may have to stop meanwhile.
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

  /** Answers whether it was taken up before the lease was lost. */
  async #takeUp(lease: HeldLease): Promise<boolean> {
    try {
      await this.work.lead(lease);
      return true;
    } catch (error) {
      // The store is asked, too: the failure may be that another process leads, before this one was told.
      await lease.demand().catch(() => undefined);
      const isLost = lease.lost.aborted;
      await (isLost ? this.#turn : this.#resign());
      if (!isLost || this.#stopped) throw error;
      this.#warn(error);
      return false;
    }
  }

  async #lose(lease: HeldLease): Promise<void> {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    await this.work.retire();
    this.#tryLater();
  }

  async #resign(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    // Kept until all has ended: this process must not take up anew what it is still stopping.
    await this.work.retire();
    await lease.release();
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#tryLater();
  }
}
