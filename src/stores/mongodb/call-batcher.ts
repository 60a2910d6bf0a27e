import { RefusedCallError, type CallKind } from './mongodb-errors.js';
import { CallDeadline } from './call-deadline.js';

/** A kind of calls that the driver can send as one. */
export interface BatchedKind<C, R> {
  readonly kind: CallKind;
  /** @returns results in the order of `calls` */
  send(calls: readonly C[], deadline: CallDeadline): Promise<readonly R[]>;
}

export interface BatchedCall<C, R> {
  readonly lane: BatchedKind<C, R>;
  readonly call: C;
  /** A full batch takes the same number of calls from each company. */
  readonly company: string;
  /** Number of ids or writes. */
  readonly count: number;
  /** About so many bytes are written. */
  readonly bytes: number;
  /** Ids of the written documents. Two writes to one document never share a batch, and keep their order. */
  readonly writes: readonly string[];
  /** Sent alone and at once, but after earlier writes to its documents. */
  readonly isAlone: boolean;
}

interface Entry extends BatchedCall<unknown, unknown> {
  readonly deadline: CallDeadline;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer?: NodeJS.Timeout;
}

const largestCount = 256;
const largestBytes = 4 * 1_024 * 1_024;
const mostBatches = 4;
/** Milliseconds after which the next batch no longer waits for a running one. */
const longestWait = 250;

/**
 * Sends calls on one collection in batches. The first call goes at once. Calls that come while it runs wait, and are sent
 * as one batch when it ends.
 */
export class CallBatcher {
  #waiting: Entry[] = [];
  readonly #running = new Map<object, BatchedKind<never, never>>();
  readonly #beingWritten = new Set<string>();

  /**
   * @throws StoreUnavailableError after the deadline. If the call was still waiting, nothing was stored; otherwise the
   * outcome of a write is unknown.
   */
  run<C, R>(call: BatchedCall<C, R>, deadline: CallDeadline): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const entry: Entry = { ...call, deadline, resolve: resolve as (result: unknown) => void, reject };
      this.#waiting.push(entry);
      this.#sendReady();
      if (this.#waiting.includes(entry)) this.#startTimer(entry);
    });
  }

  #startTimer(entry: Entry): void {
    entry.timer = setTimeout(() => {
      const isWaiting = this.#waiting.includes(entry);
      if (isWaiting) this.#waiting = this.#waiting.filter((other) => other !== entry);
      entry.reject(entry.deadline.passedError(entry.lane.kind === 'write' && !isWaiting));
    }, entry.deadline.remaining);
  }

  #sendReady(): void {
    for (let batch = this.#nextBatch(); batch !== undefined; batch = this.#nextBatch()) {
      const sent = new Set(batch);
      this.#waiting = this.#waiting.filter((entry) => !sent.has(entry));
      void this.#send(batch);
    }
  }

  #nextBatch(): Entry[] | undefined {
    const isFull = this.#running.size >= mostBatches;
    if (isFull && !this.#waiting.some(({ isAlone }) => isAlone)) return undefined;
    const free = this.#withoutEarlierWrite();
    const alone = free.find(({ isAlone }) => isAlone);
    if (alone !== undefined) return [alone];
    if (isFull) return undefined;
    const busy = new Set<unknown>(this.#running.values());
    for (const lane of new Set(free.map((entry) => entry.lane))) {
      const entries = free.filter((entry) => entry.lane === lane);
      if (!busy.has(lane) || isTooLarge(entries)) return fairBatch(entries);
    }
    return undefined;
  }

  #withoutEarlierWrite(): Entry[] {
    const earlier = new Set(this.#beingWritten);
    return this.#waiting.filter(({ writes }) => {
      const isFree = !writes.some((id) => earlier.has(id));
      for (const id of writes) earlier.add(id);
      return isFree;
    });
  }

  async #send(batch: readonly Entry[]): Promise<void> {
    const { lane, isAlone } = batch[0]!;
    if (batch.length > 1) for (const entry of batch) if (entry.timer === undefined) this.#startTimer(entry);
    const written = batch.flatMap(({ writes }) => writes);
    for (const id of written) this.#beingWritten.add(id);
    const stopWaiting = (): void => {
      if (this.#running.delete(batch)) this.#sendReady();
    };
    if (!isAlone) this.#running.set(batch, lane as BatchedKind<never, never>);
    const timer = isAlone ? undefined : setTimeout(stopWaiting, longestWait);
    await this.#settle(lane, batch);
    clearTimeout(timer);
    for (const id of written) this.#beingWritten.delete(id);
    this.#running.delete(batch);
    this.#sendReady();
  }

  async #settle(lane: BatchedKind<unknown, unknown>, batch: readonly Entry[]): Promise<void> {
    try {
      const deadline = CallDeadline.latest(batch.map((entry) => entry.deadline));
      const results = await lane.send(
        batch.map(({ call }) => call),
        deadline,
      );
      batch.forEach((entry, position) => entry.resolve(results[position]));
    } catch (error) {
      // The server refused the batch, perhaps because of one call. The others must not fail with it.
      if (batch.length > 1 && error instanceof RefusedCallError) {
        await Promise.all(batch.map((entry) => this.#settle(lane, [entry])));
      } else for (const entry of batch) entry.reject(error);
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
    }
  }
}

/** As many entries as fit in one batch: first the first entry of each company, then the second of each, and so on. */
function fairBatch(entries: readonly Entry[]): Entry[] {
  const counts = new Map<string, number>();
  const ranked = entries.map((entry) => {
    const rank = counts.get(entry.company) ?? 0;
    counts.set(entry.company, rank + 1);
    return { entry, rank };
  });
  const batch: Entry[] = [];
  for (const { entry } of ranked.sort((left, right) => left.rank - right.rank)) {
    batch.push(entry);
    if (batch.length > 1 && isTooLarge(batch)) return batch.slice(0, -1);
  }
  return batch;
}

function isTooLarge(entries: readonly Entry[]): boolean {
  let count = 0;
  let bytes = 0;
  for (const entry of entries) {
    count += entry.count;
    bytes += entry.bytes;
  }
  return count > largestCount || bytes > largestBytes;
}

/** True for a call that is too large to share a batch. */
export function isLargeCall(count: number): boolean {
  return count > largestCount;
}

/** The company's id in a key. A key without one counts as a company of its own. */
export function companyIn(key: string): string {
  return /[0-9A-HJKMNP-TV-Z]{26}/.exec(key)?.[0] ?? key;
}
