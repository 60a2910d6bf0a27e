import { RefusedCallError, type CallKind } from './mongodb-errors.js';
import { CallDeadline } from './call-deadline.js';

/** Calls of one kind that the driver can make as one. */
export interface Lane<C, R> {
  readonly kind: CallKind;
  /** Makes the calls as one. @returns their results, in the order of `calls` */
  send(calls: readonly C[], deadline: CallDeadline): Promise<readonly R[]>;
}

export interface BatchedCall<C, R> {
  readonly lane: Lane<C, R>;
  readonly call: C;
  /** Companies take turns. */
  readonly company: string;
  /** Ids or writes. */
  readonly count: number;
  bytes(): number;
  /** The documents that it writes: two writes of one document never share a batch, and keep their order. */
  readonly writes: readonly string[];
  /** Goes alone and at once, but behind earlier writes of its documents. */
  readonly isAlone: boolean;
}

interface Entry extends BatchedCall<unknown, unknown> {
  readonly deadline: CallDeadline;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  timer?: NodeJS.Timeout;
  size?: number;
}

const largestCount = 256;
const largestBytes = 4 * 1_024 * 1_024;
const mostBatches = 4;
/** Milliseconds. A batch that takes longer holds nobody back. */
const young = 250;

/**
 * Joins the calls on one collection. The first call goes at once. While it is under way, others gather, and go as one
 * when it is back. A call never joins a batch that was sent.
 */
export class CallBatcher {
  #gathered: Entry[] = [];
  readonly #underWay = new Map<object, Lane<never, never>>();
  readonly #beingWritten = new Set<string>();

  /**
   * @throws StoreUnavailableError where its deadline passes: while it is gathered, nothing was stored; afterwards the
   * outcome of a write is unknown
   */
  run<C, R>(call: BatchedCall<C, R>, deadline: CallDeadline): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const entry: Entry = {
        ...call,
        deadline,
        resolve: resolve as (result: unknown) => void,
        reject,
      };
      this.#gathered.push(entry);
      this.#sendDue();
      if (this.#gathered.includes(entry)) this.#bound(entry);
    });
  }

  #bound(entry: Entry): void {
    entry.timer = setTimeout(() => {
      const isGathered = this.#gathered.includes(entry);
      if (isGathered) this.#gathered = this.#gathered.filter((other) => other !== entry);
      entry.reject(entry.deadline.passedError(entry.lane.kind === 'write' && !isGathered));
    }, entry.deadline.remaining);
  }

  #sendDue(): void {
    for (let batch = this.#next(); batch !== undefined; batch = this.#next()) {
      const sent = new Set(batch);
      this.#gathered = this.#gathered.filter((entry) => !sent.has(entry));
      void this.#send(batch);
    }
  }

  #next(): Entry[] | undefined {
    const free = this.#gathered.length === 0 ? [] : this.#withoutEarlierWrite();
    const alone = free.find(({ isAlone }) => isAlone);
    if (alone !== undefined) return [alone];
    if (this.#underWay.size >= mostBatches) return undefined;
    const busy = new Set<unknown>(this.#underWay.values());
    for (const lane of new Set(free.map((entry) => entry.lane))) {
      const entries = free.filter((entry) => entry.lane === lane);
      if (!busy.has(lane) || isTooMuch(entries)) return inTurn(entries);
    }
    return undefined;
  }

  #withoutEarlierWrite(): Entry[] {
    const earlier = new Set(this.#beingWritten);
    return this.#gathered.filter(({ writes }) => {
      const isFree = !writes.some((id) => earlier.has(id));
      for (const id of writes) earlier.add(id);
      return isFree;
    });
  }

  async #send(batch: readonly Entry[]): Promise<void> {
    const { lane, isAlone } = batch[0]!;
    if (batch.length > 1) for (const entry of batch) if (entry.timer === undefined) this.#bound(entry);
    const written = batch.flatMap(({ writes }) => writes);
    for (const id of written) this.#beingWritten.add(id);
    const leave = (): void => {
      if (this.#underWay.delete(batch)) this.#sendDue();
    };
    if (!isAlone) this.#underWay.set(batch, lane as Lane<never, never>);
    const timer = isAlone ? undefined : setTimeout(leave, young);
    await this.#settle(lane, batch);
    clearTimeout(timer);
    for (const id of written) this.#beingWritten.delete(id);
    this.#underWay.delete(batch);
    this.#sendDue();
  }

  async #settle(lane: Lane<unknown, unknown>, batch: readonly Entry[]): Promise<void> {
    try {
      const deadline = CallDeadline.latest(batch.map((entry) => entry.deadline));
      const results = await lane.send(
        batch.map(({ call }) => call),
        deadline,
      );
      batch.forEach((entry, position) => entry.resolve(results[position]));
    } catch (error) {
      // One call may be refused for what is its own, and must fail nobody else.
      if (batch.length > 1 && error instanceof RefusedCallError) {
        await Promise.all(batch.map((entry) => this.#settle(lane, [entry])));
      } else for (const entry of batch) entry.reject(error);
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
    }
  }
}

/** As many as one batch holds, the companies in turn. */
function inTurn(entries: readonly Entry[]): Entry[] {
  const turns = new Map<string, number>();
  const ranked = entries.map((entry) => {
    const turn = turns.get(entry.company) ?? 0;
    turns.set(entry.company, turn + 1);
    return { entry, turn };
  });
  const batch: Entry[] = [];
  for (const { entry } of ranked.sort((left, right) => left.turn - right.turn)) {
    batch.push(entry);
    if (batch.length > 1 && isTooMuch(batch)) return batch.slice(0, -1);
  }
  return batch;
}

function isTooMuch(entries: readonly Entry[]): boolean {
  let [count, bytes] = [0, 0];
  for (const entry of entries) {
    count += entry.count;
    bytes += entries.length > 1 ? (entry.size ??= entry.bytes()) : 0;
  }
  return count > largestCount || bytes > largestBytes;
}

/** Too many to share a batch. */
export function isLarge(count: number): boolean {
  return count > largestCount;
}

/** The company that a key begins with, or the key: no other calls are then held back for it. */
export function companyIn(key: string): string {
  return /[0-9A-HJKMNP-TV-Z]{26}/.exec(key)?.[0] ?? key;
}
