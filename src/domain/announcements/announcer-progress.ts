import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';

/** How far the announcer has come. */
export interface Progress extends StoredDocument {
  readonly version: number;
  /** The position in the log up to which each event was followed. Null: none was. */
  readonly position: string | null;
  /** While all units are looked at: the last stream that was. */
  readonly pass: { readonly after: string | null } | null;
}

const PROGRESS: CollectionDeclaration<Progress> = { name: 'announcement_progress', indexes: {} };
const ID = 'announcer';

/** Keeps the announcer's progress among the views: where they are lost, it looks at all units. Throws StoreUnavailableError. */
@Injectable()
export class AnnouncerProgress {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async read(): Promise<Progress | undefined> {
    return (await this.views.collection(PROGRESS)).get(ID);
  }

  /** @returns undefined if it was written or removed meanwhile */
  async write(
    known: Progress | undefined,
    change: Pick<Progress, 'position' | 'pass'>,
  ): Promise<Progress | undefined> {
    const document: Progress = { _id: ID, version: (known?.version ?? 0) + 1, ...change };
    const expected = known?.version ?? null;
    const outcome = await writeOne(this.views, PROGRESS, { kind: 'compare_and_set', expected, document });
    return outcome === 'written' ? document : undefined;
  }

  /** Lets the announcer look at all units again: a rebuild may have changed decisions without an event. */
  async forget(): Promise<void> {
    await writeOne(this.views, PROGRESS, { kind: 'delete', id: ID });
  }
}
