import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import type { Snapshot } from './aggregate.js';
import type { StateLoader } from './projector.js';
import { lastEventOf } from './stored-stream.js';

/** A view with one document for each stream, which holds the stream's state. */
interface StateView<State, D extends StoredDocument> {
  readonly collection: CollectionDeclaration<D>;
  readonly idOf: (stream: string) => string;
  readonly toSnapshot: (document: D) => Snapshot<State>;
}

/** Loads the states of streams from their documents. */
export class ViewStates<State, D extends StoredDocument> implements StateLoader<State> {
  constructor(
    private readonly views: Pick<DocumentStore, 'collection'>,
    private readonly view: StateView<State, D>,
  ) {}

  async load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]> {
    const { collection, idOf, toSnapshot } = this.view;
    const documents = await (await this.views.collection(collection)).getMany(streams.map(idOf));
    return documents.map((document) => document && toSnapshot(document));
  }

  /** The revision that each document shows, in the order of `streams`; -1 if there is none. @throws StoreUnavailableError */
  async shownRevisions(streams: readonly string[]): Promise<number[]> {
    return (await this.load(streams)).map((snapshot) => lastEventOf(snapshot).revision);
  }
}
