import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';

export interface LeadershipOptions {
  /** Keeps the lease. */
  readonly leases: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names the work; one process at a time does it. */
  readonly name: string;
  /** Names this process. */
  readonly owner: string;
  /** How long a silent holder is waited for. */
  readonly milliseconds?: number | undefined;
}

/** The work of the leader. */
export interface LedWork {
  /** Called when the lease was taken; it is renewed meanwhile, however long this takes. A rejection gives it back. */
  lead(lease: Lease): Promise<void>;
  /**
   * Called when the lease was lost or is given back, `lead` still running or not. Resolves once nothing of the work
   * runs any more.
   */
  retire(): Promise<void>;
}

/** The lease under which processes on servers keep the views. */
export const VIEWS_LEASE = 'views';

const USUAL_LEASE = 10_000;

/**
 * Lets one of several processes do a work, by a lease that the store's own clock judges. A holder that falls silent is
 * followed by another; should it wake up, what it writes must be refused by what it writes to (the checkpoint's fence).
 */
export class Leadership {
  #lease: Lease | undefined;
  #stopped = false;
  #cancel: () => void = () => undefined;
  #turn: Promise<void> = Promise.resolve();
  readonly #milliseconds: number;

  constructor(
    private readonly options: LeadershipOptions,
    private readonly work: LedWork,
  ) {
    this.#milliseconds = options.milliseconds ?? USUAL_LEASE;
  }

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
    const taken = await this.#take();
    if (this.#stopped) {
      await this.#resign();
      return false;
    }
    this.#schedule();
    return taken && this.#takeUp();
  }

  /** Gives the lease back, so that another process need not wait for its end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turn;
    await this.#resign();
  }

  #schedule(): void {
    this.#cancel = this.options.clock.after(this.#milliseconds / 3, () => {
      this.#turn = this.#next();
    });
  }

  async #next(): Promise<void> {
    try {
      if (this.#lease !== undefined) await this.#renew(this.#lease);
      // Not waited for: a view that is built anew may take long, and the lease must be kept meanwhile.
      else if (await this.#take()) void this.#takeUp().catch((error: unknown) => this.#warn(error));
    } catch (error) {
      this.#warn(error);
    }
    if (!this.#stopped) this.#schedule();
  }

  #warn(error: unknown): void {
    if (this.#stopped) return;
    const { logger, name } = this.options;
    logger.warn(
      { error, work: name },
      'The lease on background work could not be renewed or taken; trying again.',
    );
  }

  async #take(): Promise<boolean> {
    const { leases, name, owner } = this.options;
    this.#lease = await leases.takeLease(name, owner, this.#milliseconds);
    return this.#lease !== undefined;
  }

  /** Answers whether it was taken up before the lease was lost. */
  async #takeUp(): Promise<boolean> {
    const lease = this.#lease!;
    try {
      await this.work.lead(lease);
      return true;
    } catch (error) {
      const isLost = await this.#isLost(lease);
      if (!isLost) await this.#resign();
      if (!isLost || this.#stopped) throw error;
      this.#warn(error);
      return false;
    }
  }

  /** The store is asked, too: what failed may be that another process is at it, before this one was told. */
  async #isLost(lease: Lease): Promise<boolean> {
    if (this.#lease === lease) await this.#renew(lease).catch(() => undefined);
    return this.#lease !== lease;
  }

  async #renew(lease: Lease): Promise<void> {
    if (await this.options.leases.renewLease(lease)) return;
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    await this.work.retire();
  }

  async #resign(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    // Kept until all has ended: this process must not take up anew what it is still laying down.
    await this.work.retire();
    await this.options.leases.releaseLease(lease).catch(() => undefined);
    if (this.#lease === lease) this.#lease = undefined;
  }
}
