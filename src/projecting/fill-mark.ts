import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';
import { writeOne } from '../documents/write-one.js';

/**
 * Raise it when a view gets a new indexed field. Views of a lower format are filled again before the service reads them,
 * and until then it answers 503. New values in a field that is there already are not worth that: a rebuild adds them.
 */
const VIEWS_FORMAT = 5;

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
    const marks: Collection<Mark> = await this.views.collection(MARKS);
    return ((await marks.get(ID))?.format ?? 0) >= VIEWS_FORMAT;
  }

  /** @param filled_at milliseconds @throws StoreUnavailableError */
  async set(filled_at: number): Promise<void> {
    const document: Mark = { _id: ID, format: VIEWS_FORMAT, filled_at };
    await writeOne(this.views, MARKS, { kind: 'put', document });
  }
}
