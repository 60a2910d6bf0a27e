import { KeyedMutex } from '#kernel/keyed-mutex.js';
import type { DamagedStreams } from './damaged-streams.js';
import { StreamDeletedError } from './event-store.errors.js';
import {
  type AppendOutcome,
  type EventStore,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamAppend,
  STREAM_CHANGED,
  type Subscription,
  type SubscriptionHandler,
} from './event-store.js';
import { subscribeToSome } from './filtered-subscription.js';
import { isOurs } from './is-ours.js';
import { readSoundBackwards } from './read-sound-backwards.js';

/** The member of a stream's metadata that deletes its beginning up to a revision. */
const TRUNCATE_BEFORE = '$tb';
/** The members that delete its oldest events, by age and by number: those that follow as well. */
const RETENTION = ['$maxAge', '$maxCount'] as const;

/**
 * Shows only what the service wrote, so that folds, views, histories, feeds and exports need not know of damage:
 * - A stream ends before its first event without the service's mark.
 * - A stream that was deleted, or lost its beginning, is empty when it is read. The whole log shows the events that the
 *   store still holds.
 * - A damaged stream takes no append. A stream whose events the store will delete takes none either, because nothing
 *   acknowledged may be lost.
 */
export class SoundStreams implements EventStore {
  /** By stream, the position of the newest change that was looked at. */
  readonly #newestChanges = new Map<string, bigint>();
  readonly #looks = new KeyedMutex();

  constructor(
    private readonly store: EventStore,
    readonly damaged: DamagedStreams,
  ) {}

  async append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const sound = appends.filter(({ stream }) => this.damaged.findDamage(stream) === undefined);
    const stored = sound.length === 0 ? [] : await this.store.append(sound);
    for (const outcome of stored)
      if (isDamaged(outcome)) await this.damaged.found(lost(outcome.stream, 'deleted'));
    const byStream = new Map(stored.map((outcome) => [outcome.stream, outcome]));
    return appends.map(
      ({ stream }) => byStream.get(stream) ?? { kind: 'conflict', stream, actual: 'damaged' },
    );
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    try {
      return options.backwards === true
        ? await readSoundBackwards(this.store, this.damaged, stream, options)
        : await this.#readForwards(stream, options);
    } catch (error) {
      if (!(error instanceof StreamDeletedError)) throw error;
      await this.damaged.found(lost(stream, 'deleted'));
      return [];
    }
  }

  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.#soundOf(await this.store.readAll(options));
  }

  head(): Promise<bigint | undefined> {
    return this.store.head();
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    return subscribeToSome(this.store, after, handler, (events) => this.#soundOf(events));
  }

  ping(): Promise<void> {
    return this.store.ping();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  async #readForwards(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> {
    const from = options.from ?? 0;
    const events = await this.store.readStream(stream, options);
    const [first] = events;
    const isShortened = first === undefined ? this.#hasLost(stream, from) : first.revision > from;
    if (isShortened && options.limit !== 0) {
      await this.damaged.found(lost(stream, 'shortened'));
      return [];
    }
    return this.#soundOf(events);
  }

  /** True for a stream that held this revision when it was limited. */
  #hasLost(stream: string, from: number): boolean {
    const damage = this.damaged.findDamage(stream);
    return damage?.cause === 'limited' && damage.revision > from;
  }

  async #soundOf(events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
    const sound: RecordedEvent[] = [];
    for (const event of events) {
      const { stream, revision } = event;
      if (event.type === STREAM_CHANGED) await this.#inspectAfter(event);
      else if (!isOurs(event)) await this.damaged.found({ stream, revision, cause: 'foreign_event' });
      else if (!this.#isBehindDamage(event)) sound.push(event);
    }
    return sound;
  }

  #isBehindDamage({ stream, revision }: RecordedEvent): boolean {
    const damage = this.damaged.findDamage(stream);
    return damage?.cause === 'foreign_event' && revision >= damage.revision;
  }

  /**
   * Several readers come to the changes of a stream at once, and some are behind. A reader must not bring back what a later
   * change took away, so the looks at one stream follow each other, and an old change is not looked at again.
   */
  #inspectAfter(change: RecordedEvent): Promise<void> {
    const { stream, position } = change;
    return this.#looks.run([stream], async () => {
      const newest = this.#newestChanges.get(stream);
      if (newest !== undefined && position < newest) return;
      this.#newestChanges.set(stream, position);
      await this.#inspect(change);
    });
  }

  /** Reads what the stream is now. */
  async #inspect({ stream, data }: RecordedEvent): Promise<void> {
    const [first] = await this.readStream(stream, { limit: 1 });
    const isLimited = RETENTION.some((limit) => Number(data[limit]) > 0);
    if (first === undefined) {
      if (isLimited || Number(data[TRUNCATE_BEFORE]) > 0) await this.damaged.found(lost(stream, 'shortened'));
    } else if (isLimited) await this.#foundLimited(stream);
    else await this.damaged.restored(stream);
  }

  async #foundLimited(stream: string): Promise<void> {
    const [last] = await this.readStream(stream, { backwards: true, limit: 1 });
    if (last !== undefined)
      await this.damaged.found({ stream, revision: last.revision + 1, cause: 'limited' });
  }
}

function isDamaged(outcome: AppendOutcome): boolean {
  return outcome.kind === 'conflict' && outcome.actual === 'damaged';
}

function lost(stream: string, cause: 'deleted' | 'shortened') {
  return { stream, revision: 0, cause } as const;
}
