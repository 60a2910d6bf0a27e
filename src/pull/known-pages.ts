import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';

/** A page of which every entry was applied. */
export interface KnownPage {
  readonly url: string;
  readonly etag: string;
  readonly next: string | null;
}

/** `_id` is that of the source. */
interface KnownPagesRecord {
  readonly _id: string;
  /** The source's `turn` when the pages were read. */
  readonly turn: number;
  readonly pages: readonly KnownPage[];
}

const KNOWN_PAGES: CollectionDeclaration<KnownPagesRecord> = { name: 'pull_known_pages', indexes: {} };

/** The most pages that are kept for one source. Further pages are always fetched whole. */
const MOST_PAGES = 500;
const LONGEST_ETAG = 512;

/**
 * Keeps the pages that a source need not send again if they have not changed (decisions §8). A page with a refused entry is
 * always fetched again, because the entry may be accepted next time. Every method throws StoreUnavailableError.
 */
@Injectable()
export class KnownPages {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async read(source: {
    readonly _id: string;
    readonly turn: number;
  }): Promise<ReadonlyMap<string, KnownPage>> {
    const record = await (await this.records.collection(KNOWN_PAGES)).get(source._id);
    const pages = record?.turn === source.turn ? record.pages : [];
    return new Map(pages.map((page) => [page.url, page]));
  }

  async keep(
    { _id, turn }: { readonly _id: string; readonly turn: number },
    known: readonly KnownPage[],
  ): Promise<void> {
    const pages = known.filter(({ etag }) => etag.length <= LONGEST_ETAG).slice(0, MOST_PAGES);
    const document: KnownPagesRecord = { _id, turn, pages };
    await writeOne(this.records, KNOWN_PAGES, { kind: 'put', document });
  }
}
