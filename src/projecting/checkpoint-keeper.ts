import type { Clock } from '../config/clock.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '../documents/until-it-holds.js';
import type { RecordedEvent } from '../log/event-store.js';

/** An event, so that it is found again in the log that it is of. */
export type HandledEvent = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'position'>;

/** How far the catch-up has come. Storage format: add, never change. */
interface Checkpoint extends StoredDocument {
  /** null before the first event. */
  readonly position: string | null;
  /** The event at that position. Absent before the first event, and in checkpoints of older builds. */
  readonly event?: Omit<HandledEvent, 'position'>;
  /** Behind that position, others' events alone stand up to here; absent where nobody has told. */
  readonly passed?: string;
  /** Raised by every save. */
  readonly version: number;
  /** The lease under which it was saved: who holds an earlier one can save no more. */
  readonly fence: number;
}

/** How far the log has been handled. */
export interface Handled {
  /** The position of the last handled event; undefined before the first. */
  readonly position: bigint | undefined;
  readonly event: Checkpoint['event'];
  /** Behind it, others' events alone stand up to here, as far as is known. */
  readonly passed: bigint | undefined;
}

const CHECKPOINTS: CollectionDeclaration<Checkpoint> = { name: 'checkpoints', indexes: {} };
const CHECKPOINT = 'views';

type HowFar = Pick<Checkpoint, 'position' | 'event' | 'passed'>;

/** A checkpoint that lags only makes the next start apply some events again. */
const INTERVAL = 1_000;

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
  #handled: HowFar = { position: null };
  #saved: HowFar | undefined;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly views: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** Up to where everything has been handled, as last saved by any process; undefined before the first. @throws StoreUnavailableError */
  async read(): Promise<bigint | undefined> {
    const { position, passed } = handledBy(await this.#stored());
    return positionOf(passed ?? position);
  }

  /** The same, with the event that is there. @throws StoreUnavailableError */
  async handled(): Promise<Handled> {
    return toHandled(handledBy(await this.#stored()));
  }

  /**
   * Takes the checkpoint over: from here on, who held an earlier lease can save no more.
   * @param fence that of the lease; absent where no other process can work on these stores
   * @throws StoreUnavailableError @throws CheckpointTakenOverError where a later lease has been here
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
   * Saves where a fill has come, whatever was saved before.
   * @param event the last that was handled; undefined where there is none
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
   * Every event up to this one has been handled. Where it cannot be saved now, it will be later.
   * @throws CheckpointTakenOverError @throws StoreUnavailableError
   */
  async move({ id, stream, revision, position }: HandledEvent): Promise<void> {
    await this.#become({ position: String(position), event: { id, stream, revision } });
  }

  /**
   * Behind what was handled last, others' events alone stand up to here; undefined takes back what was told of that.
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

  async #become(handled: HowFar): Promise<void> {
    this.#handled = handled;
    if (this.clock.now() - this.#savedAt >= INTERVAL) await this.#saveOrLater();
    else this.#saveLater();
  }

  /** Saves what was not saved yet, if it can. */
  async close(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    await this.#saving.catch(() => undefined);
    if (this.#handled !== this.#saved) await this.#save().catch(() => undefined);
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

function handledBy({ position, event, passed }: HowFar = { position: null }): HowFar {
  return {
    position,
    ...(event !== undefined && { event }),
    ...(passed !== undefined && { passed }),
  };
}

function toHandled({ position, event, passed }: HowFar): Handled {
  return { position: positionOf(position), event, passed: positionOf(passed) };
}

function positionOf(saved: string | null | undefined): bigint | undefined {
  return typeof saved === 'string' ? BigInt(saved) : undefined;
}
