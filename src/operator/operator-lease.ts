import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type { Deadline } from '../config/yielder.js';
import type { DocumentStore } from '../documents/document-store.js';
import { type HeldLease, waitForLease } from '../documents/take-lease.js';
import { tooManyAttempts } from '../http/api-error.js';
import type { OperatorPrincipal } from '../http/authentication.js';
import { Slots } from '../http/slots.js';
import type { WriteContext } from '../writing/write-context.js';
import { Operators } from './operators.js';

const LEASE = 'operators';
/** Its holder is the next to hold the other one: a process with a full queue lets the others in. */
const NEXT_LEASE = 'operators_next';
const QUEUE = { atOnce: 1, waiting: 64, waitSeconds: 5 } as const;
const MOST_OF_AN_OPERATOR = 2;
/** Changes at once by all operators of the same companies, where these are not all companies. */
const MOST_OF_A_SCOPE = 8;

/** The author of a change: an operator, or the environment and the command line, which may do everything. */
export type Asker = OperatorPrincipal | 'system';

export interface AskedBy {
  readonly asker: Asker;
  readonly context: WriteContext;
}

/**
 * Orders the changes of operators and of credentials that they make: one at a time, in whichever process. The rights of
 * who asks are judged again once the lease is held (decisions §6).
 */
@Injectable()
export class OperatorLease {
  readonly #queue: Slots;
  /** Changes under way, by operator and by scope. */
  readonly #underWay = new Map<string, number>();

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly operators: Operators,
  ) {
    this.#queue = new Slots(QUEUE, clock);
  }

  /**
   * Runs `work` under the lease. Operators of all companies go first.
   * @throws ApiError 401 if the asker's rights have changed since they were admitted; 429 if the asker has too many
   * changes under way, or has waited too long
   * @throws GivenUpError if the request is over; StoreUnavailableError if another process keeps the lease
   */
  hold<T>(asked: AskedBy, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    return this.enter(asked, (hold) => hold(work));
  }

  /**
   * The same for a change that is prepared before it needs the lease. Preparing counts as a change under way.
   * @param change calls `hold` with what runs under the lease
   */
  async enter<T>(
    { asker, context: { deadline } }: AskedBy,
    change: (hold: (work: (lease: HeldLease) => Promise<T>) => Promise<T>) => Promise<T>,
  ): Promise<T> {
    const leave = this.#enter(asker);
    try {
      return await change((work) => this.#inTurn(asker, deadline, work));
    } finally {
      leave();
    }
  }

  /** Counts the asker's changes. Returns what takes this one off again. @throws ApiError 429 */
  #enter(asker: Asker): () => void {
    if (asker === 'system') return () => undefined;
    const bounds: [string, number][] = [[`operator ${asker.id}`, MOST_OF_AN_OPERATOR]];
    if (asker.companies !== null)
      bounds.push([`scope ${[...asker.companies].sort().join()}`, MOST_OF_A_SCOPE]);
    const countOf = (key: string) => this.#underWay.get(key) ?? 0;
    if (bounds.some(([key, most]) => countOf(key) >= most)) {
      const { waitSeconds } = QUEUE;
      throw tooManyAttempts({ windowSeconds: waitSeconds, retryAfterSeconds: waitSeconds });
    }
    for (const [key] of bounds) this.#underWay.set(key, countOf(key) + 1);
    return () => {
      for (const [key] of bounds) {
        if (countOf(key) > 1) this.#underWay.set(key, countOf(key) - 1);
        else this.#underWay.delete(key);
      }
    };
  }

  async #inTurn<T>(
    asker: Asker,
    deadline: Deadline | undefined,
    work: (lease: HeldLease) => Promise<T>,
  ): Promise<T> {
    const release = await this.#queue.take(asker === 'system' || asker.companies === null, deadline);
    try {
      const lease = await this.#take(deadline);
      try {
        if (asker !== 'system') await this.operators.demandRights(asker);
        return await work(lease);
      } finally {
        await lease.release();
      }
    } finally {
      release();
    }
  }

  async #take(deadline: Deadline | undefined): Promise<HeldLease> {
    const { records: leases, clock, ids } = this;
    const ports = { leases, clock, owner: ids.ulid() };
    const next = await waitForLease({ ...ports, name: NEXT_LEASE }, deadline);
    try {
      return await waitForLease({ ...ports, name: LEASE }, deadline);
    } finally {
      await next.release();
    }
  }
}
