import type { Clock } from '#kernel/clock.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';

/** Identifies an event, to check that a log holds it. */
export type HandledEvent = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>;

/** The progress of the catch-up. Storage format: add, never change. */
interface Checkpoint extends StoredDocument {
  /** The position of the last handled event. Null before the first. */
  readonly position: string | null;
  /** The event at that position. Absent before the first event, and in checkpoints of old versions. */
  readonly event?: Omit<HandledEvent, 'position'>;
  /** From `position` to here, the store holds only events of other applications. Absent if it is not known. */
  readonly passed?: string;
  /** Rises with every save. */
  readonly version: number;
  /** The fence of the lease under which it was saved. The holder of an earlier lease can save no more. */
  readonly fence: number;
}

/** The checkpoint with its positions as numbers. */
export interface Handled {
  readonly position: bigint | undefined;
  readonly event: Checkpoint['event'];
  readonly passed: bigint | undefined;
}

const CHECKPOINTS: CollectionDeclaration<Checkpoint> = { name: 'checkpoints', indexes: {} };
const CHECKPOINT = 'views';

type SavedProgress = Pick<Checkpoint, 'position' | 'event' | 'passed'>;

/** Milliseconds between two saves. After a crash the events since the last save are only checked again. */
const SAVE_EVERY_MS = 1_000;

/** Another process keeps the checkpoint now, under a later lease. */
class CheckpointTakenOverError extends Error {
  readonly code = 'checkpoint_taken_over';

  constructor() {
    super('Another process moves the checkpoint of the views.');
    this.name = 'CheckpointTakenOverError';
  }
}

/** Keeps the position up to which every event has been handled. */
export class CheckpointKeeper {
  #version: number | null = null;
  #fence = 0;
  #handled: SavedProgress = { position: null };
  #saved: SavedProgress | undefined;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly views: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** The position up to which all events were handled, as last saved by any process. @throws StoreUnavailableError */
  async read(): Promise<bigint | undefined> {
    const { position, passed } = handledBy(await this.#stored());
    return positionOf(passed ?? position);
  }

  /** The checkpoint as last saved by any process. @throws StoreUnavailableError */
  async handled(): Promise<Handled> {
    return toHandled(handledBy(await this.#stored()));
  }

  /**
   * Takes over the checkpoint. Then the holder of an earlier lease can save no more.
   * @param fence of the lease; absent if no other process uses these stores
   * @throws StoreUnavailableError @throws CheckpointTakenOverError if the holder of a later lease has taken it over
   */
  async open(fence?: number): Promise<Handled> {
    const stored = await this.#stored();
    this.#fence = fence ?? stored?.fence ?? 0;
    if (stored !== undefined && stored.fence > this.#fence) throw new CheckpointTakenOverError();
    this.#version = stored?.version ?? null;
    this.#handled = handledBy(stored);
    await this.#save();
    return toHandled(this.#handled);
  }

  /**
   * Saves the end of a fill, without regard to the checkpoint before.
   * @param event the last handled event; undefined if the log has none
   * @throws as {@link open}
   */
  async replace(fence: number | undefined, event: HandledEvent | undefined): Promise<void> {
    await this.open(fence);
    this.#handled =
      event === undefined
        ? { position: null }
        : {
            position: String(event.position),
            event: { id: event.id, stream: event.stream, revision: event.revision },
          };
    await this.#save();
  }

  /**
   * Moves the checkpoint to a handled event. It may be saved later.
   * @throws CheckpointTakenOverError @throws StoreUnavailableError
   */
  async move({ id, stream, revision, position }: HandledEvent): Promise<void> {
    await this.#become({ position: String(position), event: { id, stream, revision } });
  }

  /**
   * Sets {@link Checkpoint.passed}.
   * @throws as {@link move}
   */
  async pass(passed: bigint | undefined): Promise<void> {
    const { position, event } = this.#handled;
    await this.#become({
      position,
      ...(event !== undefined && { event }),
      ...(passed !== undefined && { passed: String(passed) }),
    });
  }

  async #become(handled: SavedProgress): Promise<void> {
    this.#handled = handled;
    if (this.clock.now() - this.#savedAt >= SAVE_EVERY_MS) await this.#saveOrLater();
    else this.#saveLater();
  }

  /** Saves the checkpoint, if the store can be reached. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#saving.catch(() => undefined);
    if (this.#handled !== this.#saved) await this.#save().catch(() => undefined);
  }

  #saveLater(): void {
    this.#cancel ??= this.clock.after(SAVE_EVERY_MS, () => void this.#saveOrLater().catch(() => undefined));
  }

  /** Tries until it is saved, because other processes wait for it. Perhaps no event follows that would save it. */
  async #saveOrLater(): Promise<void> {
    try {
      await this.#save();
    } catch (error) {
      if (!(error instanceof CheckpointTakenOverError)) this.#saveLater();
      throw error;
    }
  }

  #save(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write());
    return this.#saving;
  }

  /**
   * A conflict may come from an own save without an answer, or from the last save of the former leader. Both are
   * overwritten. A save under a later lease is never overwritten.
   */
  #write(): Promise<void> {
    return untilItHolds(async () => {
      if (await this.#isWritten()) return undefined;
      const stored = await this.#stored();
      if ((stored?.fence ?? 0) > this.#fence) throw new CheckpointTakenOverError();
      this.#version = stored?.version ?? null;
      return OVERTAKEN;
    });
  }

  async #isWritten(): Promise<boolean> {
    const handled = this.#handled;
    const document: Checkpoint = {
      _id: CHECKPOINT,
      ...handled,
      version: (this.#version ?? 0) + 1,
      fence: this.#fence,
    };
    const [outcome] = await this.views.write([
      { kind: 'compare_and_set', collection: CHECKPOINTS.name, expected: this.#version, document },
    ]);
    if (outcome!.kind !== 'written') return false;
    this.#version = document.version;
    this.#saved = handled;
    this.#savedAt = this.clock.now();
    return true;
  }

  async #stored(): Promise<Checkpoint | undefined> {
    const checkpoints: Collection<Checkpoint> = await this.views.collection(CHECKPOINTS);
    return checkpoints.get(CHECKPOINT);
  }
}

function handledBy({ position, event, passed }: SavedProgress = { position: null }): SavedProgress {
  return {
    position,
    ...(event !== undefined && { event }),
    ...(passed !== undefined && { passed }),
  };
}

function toHandled({ position, event, passed }: SavedProgress): Handled {
  return { position: positionOf(position), event, passed: positionOf(passed) };
}

function positionOf(saved: string | null | undefined): bigint | undefined {
  return typeof saved === 'string' ? BigInt(saved) : undefined;
}
