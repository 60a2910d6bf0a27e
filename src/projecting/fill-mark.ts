import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '../documents/document-store.js';

/** Raised when a view gains an indexed field: views of a lower format are filled anew before they are served from. */
const VIEWS_FORMAT = 3;

/** Which fill of the views has ended. Written last, so views that are absent or unfinished have none. */
interface Mark extends StoredDocument {
  readonly format: number;
  readonly filled_at: number;
}

const MARKS: CollectionDeclaration<Mark> = { name: 'fills', indexes: {} };
const ID = 'views';

/** The durable mark of a fill that has ended. */
export class FillMark {
  constructor(private readonly views: DocumentStore) {}

  /** Whether the views may be served from. @throws StoreUnavailableError */
  async isSet(): Promise<boolean> {
    const marks: Collection<Mark> = await this.views.collection(MARKS);
    return ((await marks.get(ID))?.format ?? 0) >= VIEWS_FORMAT;
  }

  /** @param filled_at milliseconds @throws StoreUnavailableError */
  async set(filled_at: number): Promise<void> {
    await this.views.collection(MARKS);
    const document: Mark = { _id: ID, format: VIEWS_FORMAT, filled_at };
    await this.views.write([{ kind: 'put', collection: MARKS.name, document }]);
  }
}
