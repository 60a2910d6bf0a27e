import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';
import type { AppliedEvents } from './applied-events.js';
import type { EventStore, RecordedEvent, Subscription } from './event-store.js';
import { foldOnto, toDomainEvent } from './stored-stream.js';
import type { DomainEvent, StoredDomainEvent, StreamChange, StreamKind } from './stream-kind.js';

/** How far the catch-up has come. `version` is the fence of whoever writes it. */
interface Checkpoint extends StoredDocument {
  readonly position: string;
  readonly version: number;
}

const CHECKPOINTS: CollectionDeclaration<Checkpoint> = { name: 'checkpoints', indexes: {} };
const CHECKPOINT = 'views';

/** A checkpoint that lags only makes the next start apply some events again. */
const CHECKPOINT_INTERVAL = 1_000;
const FARTHEST_COUNTED_LAG = 1_000;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;

type AnyKind = StreamKind<unknown>;

export interface ProjectionRunnerPorts {
  readonly store: EventStore;
  readonly views: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly applied: AppliedEvents;
}

/**
 * Follows the whole log and applies to the views what no write has applied inline: after a crash, what another process
 * wrote, or everything where the views are empty. The checkpoint moves only behind events that were handled, in order.
 */
export class ProjectionRunner {
  #checkpoints: Collection<Checkpoint> | undefined;
  #subscription: Subscription | undefined;
  #position: bigint | undefined;
  #checkpointVersion: number | null = null;
  #savedAt = 0;
  #pause = FIRST_PAUSE;
  #caughtUp = false;
  #stopped = false;
  #cancelRestart: () => void = () => undefined;

  constructor(
    private readonly ports: ProjectionRunnerPorts,
    private readonly kinds: readonly AnyKind[],
  ) {}

  /**
   * Begins to follow the log. Resolves when everything that was stored by then is in the views; interruptions after
   * that are healed with back-off, and until then reject.
   * @throws StoreUnavailableError
   */
  async start(): Promise<void> {
    this.#checkpoints = await this.ports.views.collection(CHECKPOINTS);
    const saved = await this.#checkpoints.get(CHECKPOINT);
    this.#position = saved && BigInt(saved.position);
    this.#checkpointVersion = saved?.version ?? null;
    await new Promise<void>((resolve, reject) => this.#follow(resolve, reject));
  }

  /** Ends after the batch that is being applied; the checkpoint is saved. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelRestart();
    await this.#subscription?.stop();
    if (this.#position !== undefined) await this.#save().catch(() => undefined);
  }

  /** How many events of the log have not been handled yet; counts no further than a thousand. */
  async lag(): Promise<number> {
    const behind = this.#position === undefined ? {} : { after: this.#position };
    return (await this.ports.store.readAll({ ...behind, limit: FARTHEST_COUNTED_LAG })).length;
  }

  /** Whether the views hold everything that was stored when the subscription last began. */
  get caughtUp(): boolean {
    return this.#caughtUp;
  }

  #follow(caughtUp: () => void, failed: (error: unknown) => void): void {
    this.#subscription = this.ports.store.subscribe(this.#position, {
      handle: (events) => this.#handle(events),
      caughtUp: () => {
        this.#caughtUp = true;
        this.#pause = FIRST_PAUSE;
        caughtUp();
      },
      failed: (error) => {
        if (this.#caughtUp) this.#restart(error);
        else failed(error);
      },
    });
  }

  #restart(error: unknown): void {
    if (this.#stopped) return;
    this.ports.logger.warn({ error }, 'The views cannot be brought up to the log; trying again.');
    const again = () =>
      this.#follow(
        () => undefined,
        (next) => this.#restart(next),
      );
    this.#cancelRestart = this.ports.clock.after(this.#pause, again);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }

  async #handle(events: readonly RecordedEvent[]): Promise<void> {
    const missed = events.filter((event) => !this.ports.applied.take(event));
    await this.#apply(missed);
    this.#position = events.at(-1)!.position;
    if (this.ports.clock.now() - this.#savedAt >= CHECKPOINT_INTERVAL) await this.#save();
  }

  async #apply(events: readonly RecordedEvent[]): Promise<void> {
    for (const kind of this.kinds) {
      const some = events.filter(({ stream }) => stream.startsWith(`${kind.category}-`));
      if (some.length > 0) await this.#project(kind, some);
    }
  }

  async #project(kind: AnyKind, events: readonly RecordedEvent[]): Promise<void> {
    const byStream = groupByStream(events.map((event) => toDomainEvent<DomainEvent>(kind, event)));
    const streams = [...byStream.keys()];
    const known = await kind.load(streams);
    const changes = await Promise.all(
      streams.map(async (stream, place): Promise<StreamChange<unknown>> => {
        const some = byStream.get(stream)!;
        return { stream, events: some, after: await this.#foldTo(kind, some, known[place]) };
      }),
    );
    await kind.project(changes);
  }

  /** The fold that holds the events: the one at hand, extended by them, or read from the log where a gap is between. */
  async #foldTo(
    kind: AnyKind,
    events: readonly StoredDomainEvent[],
    known: Awaited<ReturnType<AnyKind['load']>>[number],
  ): Promise<StreamChange<unknown>['after']> {
    const head = known?.revision ?? -1;
    if (known !== undefined && head >= events.at(-1)!.revision) return known;
    const news = events.filter(({ revision }) => revision > head);
    if (news[0]!.revision === head + 1) return foldOnto(kind, known, news)!;
    const recorded = await this.ports.store.readStream(events[0]!.stream);
    return foldOnto(
      kind,
      undefined,
      recorded.map((event) => toDomainEvent<DomainEvent>(kind, event)),
    )!;
  }

  async #save(): Promise<void> {
    const version = (this.#checkpointVersion ?? 0) + 1;
    const document: Checkpoint = { _id: CHECKPOINT, position: String(this.#position), version };
    const [outcome] = await this.ports.views.write([
      { kind: 'compare_and_set', collection: CHECKPOINTS.name, expected: this.#checkpointVersion, document },
    ]);
    if (outcome!.kind !== 'written') throw new Error('Another process moves the checkpoint of the views.');
    this.#checkpointVersion = version;
    this.#savedAt = this.ports.clock.now();
  }
}

function groupByStream(events: readonly StoredDomainEvent[]): Map<string, StoredDomainEvent[]> {
  const groups = new Map<string, StoredDomainEvent[]>();
  for (const event of events) {
    const group = groups.get(event.stream);
    if (group === undefined) groups.set(event.stream, [event]);
    else group.push(event);
  }
  return groups;
}
