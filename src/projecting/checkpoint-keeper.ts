import type { Clock } from '../config/clock.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';
import type { RecordedEvent } from '../log/event-store.js';

/** An event, so that it is found again in the log that it is of. */
export type HandledEvent = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>;

/** How far the catch-up has come. Storage format: add, never change. */
interface Checkpoint extends StoredDocument {
  /** null before the first event. */
  readonly position: string | null;
  /** What stands at that position; absent before the first event, and in checkpoints that were saved before there was this. */
  readonly event?: Omit<HandledEvent, 'position'>;
  /** Raised by every save. */
  readonly version: number;
  /** The lease under which it was saved: who holds an earlier one can save no more. */
  readonly fence: number;
}

const CHECKPOINTS: CollectionDeclaration<Checkpoint> = { name: 'checkpoints', indexes: {} };
const CHECKPOINT = 'views';

/** A checkpoint that lags only makes the next start apply some events again. */
const INTERVAL = 1_000;
const ATTEMPTS = 5;

/** Another process keeps the checkpoint now, under a later lease. */
class CheckpointTakenOverError extends Error {
  readonly code = 'checkpoint_taken_over';

  constructor() {
    super('Another process moves the checkpoint of the views.');
    this.name = 'CheckpointTakenOverError';
  }
}

/** Keeps the position up to which every event has been handled. Saved now and then, and when it is closed. */
export class CheckpointKeeper {
  #version: number | null = null;
  #fence = 0;
  #handled: Pick<Checkpoint, 'position' | 'event'> = { position: null };
  #saved: string | null | undefined;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly views: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** The position last saved, by any process; undefined before the first. @throws StoreUnavailableError */
  async read(): Promise<bigint | undefined> {
    return positionOf(await this.#stored());
  }

  /**
   * Takes the checkpoint over: from here on, who held an earlier lease can save no more.
   * @param fence that of the lease; absent where no other process can work on these stores
   * @returns where to go on, and what was handled last, where that is known
   * @throws StoreUnavailableError @throws CheckpointTakenOverError where a later lease has been here
   */
  async open(fence?: number): Promise<{ position: bigint | undefined; event: Checkpoint['event'] }> {
    const stored = await this.#stored();
    this.#fence = fence ?? stored?.fence ?? 0;
    if (stored !== undefined && stored.fence > this.#fence) throw new CheckpointTakenOverError();
    this.#version = stored?.version ?? null;
    this.#handled = handledBy(stored);
    await this.#save();
    return { position: positionOf(stored), event: this.#handled.event };
  }

  /**
   * Every event up to this one has been handled. Where it cannot be saved now, it will be later.
   * @throws CheckpointTakenOverError @throws StoreUnavailableError
   */
  async move({ id, stream, revision, position }: HandledEvent): Promise<void> {
    this.#handled = { position: String(position), event: { id, stream, revision } };
    if (this.clock.now() - this.#savedAt >= INTERVAL) await this.#saveOrLater();
    else this.#saveLater();
  }

  /** Saves what was not saved yet, if it can. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#saving.catch(() => undefined);
    if (this.#handled.position !== this.#saved) await this.#save().catch(() => undefined);
  }

  #saveLater(): void {
    this.#cancel ??= this.clock.after(INTERVAL, () => void this.#saveOrLater().catch(() => undefined));
  }

  /** Tried until it is saved: where no event follows, nothing else would, and other processes wait for it to be there. */
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
   * A conflict may be this process's own save whose answer was lost, or the last one of its predecessor: both are
   * written over. One under a later lease stands.
   */
  async #write(): Promise<void> {
    for (let attempt = 1; !(await this.#isWritten()); attempt += 1) {
      const stored = await this.#stored();
      if (attempt === ATTEMPTS || (stored?.fence ?? 0) > this.#fence) throw new CheckpointTakenOverError();
      this.#version = stored?.version ?? null;
    }
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
    this.#saved = handled.position;
    this.#savedAt = this.clock.now();
    return true;
  }

  async #stored(): Promise<Checkpoint | undefined> {
    const checkpoints: Collection<Checkpoint> = await this.views.collection(CHECKPOINTS);
    return checkpoints.get(CHECKPOINT);
  }
}

function handledBy(checkpoint: Checkpoint | undefined): Pick<Checkpoint, 'position' | 'event'> {
  if (checkpoint === undefined) return { position: null };
  const { position, event } = checkpoint;
  return event === undefined ? { position } : { position, event };
}

function positionOf(checkpoint: Checkpoint | undefined): bigint | undefined {
  return typeof checkpoint?.position === 'string' ? BigInt(checkpoint.position) : undefined;
}
