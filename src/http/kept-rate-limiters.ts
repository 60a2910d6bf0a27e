import type { Clock } from '../config/clock.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../documents/document-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { KeyedMutex } from '../writing/keyed-mutex.js';
import {
  memoryRateLimiters,
  type RateLimiter,
  type RateLimiterFactory,
  type RatePolicy,
} from './rate-limiter.js';

/** What of a key's points has been taken in a window that a restart must not open anew. */
interface CountedWindow extends StoredDocument {
  readonly version: number;
  readonly points: number;
  readonly expires_at: number;
}

const COUNTED_WINDOWS: CollectionDeclaration<CountedWindow> = {
  name: 'counted_windows',
  indexes: {},
  expiry: 'expires_at',
};

/** Shorter windows end soon, and are counted often. */
const LEAST_SECONDS = 60 * 60;

/** Each that fails is another process's that came through: this many are no longer one's luck. */
const MOST_ATTEMPTS = 50;

/**
 * Counts in this process's memory and, what a day or an hour allows, in the records, where it outlives the process. Counting
 * throws StoreUnavailableError where other processes never let it.
 */
export function keptRateLimiters(records: DocumentStore, clock: Clock): RateLimiterFactory {
  const turns = new KeyedMutex();
  return (policy) =>
    policy.windowSeconds < LEAST_SECONDS
      ? memoryRateLimiters(policy)
      : new KeptRateLimiter(policy, records, clock, turns);
}

class KeptRateLimiter implements RateLimiter {
  constructor(
    private readonly policy: RatePolicy,
    private readonly records: DocumentStore,
    private readonly clock: Clock,
    private readonly turns: KeyedMutex,
  ) {}

  async consume(key: string, points = 1) {
    const window = await this.#change(key, (taken) => taken + points);
    return this.#stateOf(window, window.points <= this.policy.limit);
  }

  async peek(key: string) {
    const window = await this.#read(key);
    return this.#stateOf(window, window.points < this.policy.limit);
  }

  async giveBack(key: string) {
    if ((await this.#read(key)).points > 0) await this.#change(key, (taken) => Math.max(0, taken - 1));
  }

  async reset(key: string) {
    await this.records.collection(COUNTED_WINDOWS);
    await this.records.write([{ kind: 'delete', collection: COUNTED_WINDOWS.name, id: this.#idOf(key) }]);
  }

  /** Those of this process take turns, so that only other processes' counting can come in between. */
  #change(key: string, pointsOf: (taken: number) => number): Promise<CountedWindow> {
    return this.turns.run([this.#idOf(key)], () => this.#changeInTurn(key, pointsOf));
  }

  async #changeInTurn(key: string, pointsOf: (taken: number) => number): Promise<CountedWindow> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const before = await this.#read(key);
      const document = { ...before, version: before.version + 1, points: pointsOf(before.points) };
      const expected = before.version === 0 ? null : before.version;
      const [outcome] = await this.records.write([
        { kind: 'compare_and_set', collection: COUNTED_WINDOWS.name, expected, document },
      ]);
      if (outcome?.kind === 'written') return document;
    }
    throw new StoreUnavailableError(
      `Others count the same window of ${this.policy.name} without end.`,
      false,
    );
  }

  /** The window that is open; version 0: one that is to begin now. */
  async #read(key: string): Promise<CountedWindow> {
    const _id = this.#idOf(key);
    const stored = await (await this.records.collection(COUNTED_WINDOWS)).get(_id);
    if (stored !== undefined && this.clock.now() < stored.expires_at) return stored;
    const expires_at = this.clock.now() + this.policy.windowSeconds * 1_000;
    return { _id, version: stored?.version ?? 0, points: 0, expires_at };
  }

  #idOf(key: string): string {
    return `${this.policy.name} ${key}`;
  }

  #stateOf({ points, expires_at }: CountedWindow, allowed: boolean) {
    const { limit } = this.policy;
    const resetSeconds = Math.max(1, Math.ceil((expires_at - this.clock.now()) / 1_000));
    return { allowed, limit, remaining: Math.max(0, limit - points), resetSeconds };
  }
}
