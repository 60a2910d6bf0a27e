import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';

/**
 * Raise it when a view gets a new indexed field, or when the forms change that searches compare. Views of a lower format are
 * filled again before the service reads them, and until then it answers 503. Other new values in a field are not worth that:
 * a rebuild adds them.
 */
const VIEWS_FORMAT = 12;

/** Says that a fill of the views is complete. It is written last. */
interface Mark extends StoredDocument {
  readonly format: number;
  readonly filled_at: number;
}

const MARKS: CollectionDeclaration<Mark> = { name: 'fills', indexes: {} };
const ID = 'views';

/** Stores that a fill of the views is complete. */
export class FillMark {
  constructor(private readonly views: DocumentStore) {}

  /** True if the service may read the views. @throws StoreUnavailableError */
  async isSet(): Promise<boolean> {
    return ((await this.#format()) ?? 0) >= VIEWS_FORMAT;
  }

  /** @throws StoreUnavailableError */
  async state(): Promise<'unfilled' | 'older' | 'present' | 'later'> {
    const format = await this.#format();
    if (format === undefined) return 'unfilled';
    if (format === VIEWS_FORMAT) return 'present';
    return format < VIEWS_FORMAT ? 'older' : 'later';
  }

  async #format(): Promise<number | undefined> {
    const marks: Collection<Mark> = await this.views.collection(MARKS);
    return (await marks.get(ID))?.format;
  }

  /** @param filled_at milliseconds @throws StoreUnavailableError */
  async set(filled_at: number): Promise<void> {
    const document: Mark = { _id: ID, format: VIEWS_FORMAT, filled_at };
    await writeOne(this.views, MARKS, { kind: 'put', document });
  }
}
