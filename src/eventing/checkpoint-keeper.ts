import type { Clock } from '../config/clock.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';

/** How far the catch-up has come. */
interface Checkpoint extends StoredDocument {
  readonly position: string;
  /** Raised by every save, so that a process that was followed by another can save no more. */
  readonly version: number;
}

const CHECKPOINTS: CollectionDeclaration<Checkpoint> = { name: 'checkpoints', indexes: {} };
const CHECKPOINT = 'views';

/** A checkpoint that lags only makes the next start apply some events again. */
const INTERVAL = 1_000;

/** Keeps the position up to which every event has been handled. Saved now and then, and when it is closed. */
export class CheckpointKeeper {
  #version: number | null = null;
  #position: bigint | undefined;
  #saved: bigint | undefined;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;

  constructor(
    private readonly views: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** The position last saved, by any process; undefined before the first. @throws StoreUnavailableError */
  async read(): Promise<bigint | undefined> {
    const saved = await (await this.#collection()).get(CHECKPOINT);
    return saved && BigInt(saved.position);
  }

  /** Takes the checkpoint over from whoever moved it before. @returns where to go on. @throws StoreUnavailableError */
  async open(): Promise<bigint | undefined> {
    const saved = await (await this.#collection()).get(CHECKPOINT);
    this.#version = saved?.version ?? null;
    this.#position = saved && BigInt(saved.position);
    if (saved !== undefined) await this.#save();
    return this.#position;
  }

  /** Every event up to this position has been handled. @throws Error where another process has taken over */
  async move(position: bigint): Promise<void> {
    this.#position = position;
    if (this.clock.now() - this.#savedAt >= INTERVAL) await this.#save();
    else this.#cancel ??= this.clock.after(INTERVAL, () => void this.#save().catch(() => undefined));
  }

  /** Saves what was not saved yet, if it can. */
  async close(): Promise<void> {
    this.#cancel?.();
    await this.#saving.catch(() => undefined);
    if (this.#position !== this.#saved) await this.#save().catch(() => undefined);
  }

  #save(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write());
    return this.#saving;
  }

  async #write(): Promise<void> {
    const position = this.#position;
    const version = (this.#version ?? 0) + 1;
    const document: Checkpoint = { _id: CHECKPOINT, position: String(position), version };
    const [outcome] = await this.views.write([
      { kind: 'compare_and_set', collection: CHECKPOINTS.name, expected: this.#version, document },
    ]);
    if (outcome!.kind !== 'written') throw new Error('Another process moves the checkpoint of the views.');
    this.#version = version;
    this.#saved = position;
    this.#savedAt = this.clock.now();
  }

  #collection(): Promise<Collection<Checkpoint>> {
    return this.views.collection(CHECKPOINTS);
  }
}
