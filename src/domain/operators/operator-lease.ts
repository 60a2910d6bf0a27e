import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type { Deadline } from '#kernel/yielder.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type HeldLease, waitForLease } from '#eventsourcing/documents/take-lease.js';
import { tooManyAttempts } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { Slots } from '#kernel/slots.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { Operators } from './operators.js';

const LEASE = 'operators';
/** Only the holder of this lease waits for the first one. So a process with a full queue does not keep out the others. */
const NEXT_LEASE = 'operators_next';
const QUEUE = { atOnce: 1, waiting: 64, waitSeconds: 5 } as const;
const MOST_PER_OPERATOR = 2;
/** Changes at once by all operators who have the same companies and sites. */
const MOST_PER_SCOPE = 8;

/** The author of a change: an operator, or `system` for the environment and the command line, which may do everything. */
export type Author = OperatorPrincipal | 'system';

/** The author of a change, and the context of the request. */
export interface ChangeOrigin {
  readonly author: Author;
  readonly context: WriteContext;
}

/**
 * Allows one change of operators and their credentials at a time, over all processes. The author's rights are checked again
 * under the lease (decisions §6).
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
   * Runs `work` under the lease. Operators of all companies are served before others.
   * @throws ApiError 401 if the author's rights have changed since the request was admitted; 429 if the author has too many
   * changes under way, or has waited too long
   * @throws GivenUpError if the request's deadline is over; StoreUnavailableError if another process keeps the lease
   */
  hold<T>(origin: ChangeOrigin, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    return this.enter(origin, (hold) => hold(work));
  }

  /**
   * The same for a change that does some work before it takes the lease. That work counts as a change under way.
   * @param change calls `hold` with the work that runs under the lease
   */
  async enter<T>(
    { author, context: { deadline } }: ChangeOrigin,
    change: (hold: <W>(work: (lease: HeldLease) => Promise<W>) => Promise<W>) => Promise<T>,
  ): Promise<T> {
    const leave = this.#enter(author);
    try {
      return await change((work) => this.#inTurn(author, deadline, work));
    } finally {
      leave();
    }
  }

  /** Counts a change as under way. Returns the function that ends the count. @throws ApiError 429 */
  #enter(author: Author): () => void {
    if (author === 'system') return () => undefined;
    const bounds: [string, number][] = [[`operator ${author.id}`, MOST_PER_OPERATOR]];
    if (author.companies !== null) bounds.push([`scope ${scopeKey(author)}`, MOST_PER_SCOPE]);
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
    author: Author,
    deadline: Deadline | undefined,
    work: (lease: HeldLease) => Promise<T>,
  ): Promise<T> {
    const release = await this.#queue.take(author === 'system' || author.companies === null, deadline);
    try {
      const lease = await this.#take(deadline);
      try {
        if (author !== 'system') await this.operators.assertRights(author);
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

function scopeKey({ companies, sites }: OperatorPrincipal): string {
  return [...(companies ?? []), ...(sites ?? []).map(({ location_id }) => location_id)].sort().join();
}
