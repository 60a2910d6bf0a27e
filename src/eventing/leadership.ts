import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';

export interface LeadershipOptions {
  readonly views: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names the work; one process at a time does it. */
  readonly name: string;
  /** Names this process. */
  readonly owner: string;
  /** How long a silent holder is waited for. */
  readonly milliseconds?: number;
}

/** What is done while leading. */
export interface LedWork {
  /** Called when the lease was taken. A rejection gives it back. */
  lead(): Promise<void>;
  /** Called when the lease was lost or is given back. Resolves once nothing of the work runs any more. */
  retire(): Promise<void>;
}

const USUAL_LEASE = 10_000;

/**
 * Lets one of several processes do a work, by a lease that the store's own clock judges. A holder that falls silent is
 * followed by another; should it wake up, what it writes must be refused by what it writes to (the checkpoint's version).
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

  /** Tries once to lead and goes on trying. Resolves after the first attempt. @throws what `lead` throws */
  async start(): Promise<void> {
    await this.#takeUp();
    this.#schedule();
  }

  /** Gives the lease back, so that another process need not wait for its end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#turn;
    await this.#layDown();
  }

  #schedule(): void {
    this.#cancel = this.options.clock.after(this.#milliseconds / 3, () => {
      this.#turn = this.#next();
    });
  }

  async #next(): Promise<void> {
    try {
      await (this.#lease === undefined ? this.#takeUp() : this.#renew());
    } catch (error) {
      const { logger, name } = this.options;
      logger.warn({ error, work: name }, 'The lease on background work could not be settled; trying again.');
    }
    if (!this.#stopped) this.#schedule();
  }

  async #takeUp(): Promise<void> {
    const { views, name, owner } = this.options;
    const lease = await views.takeLease(name, owner, this.#milliseconds);
    if (lease === undefined) return;
    this.#lease = lease;
    try {
      await this.work.lead();
    } catch (error) {
      await this.#layDown();
      throw error;
    }
  }

  async #renew(): Promise<void> {
    if (await this.options.views.renewLease(this.#lease!)) return;
    this.#lease = undefined;
    await this.work.retire();
  }

  async #layDown(): Promise<void> {
    const lease = this.#lease;
    if (lease === undefined) return;
    this.#lease = undefined;
    await this.work.retire();
    await this.options.views.releaseLease(lease).catch(() => undefined);
  }
}
