import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '../config/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore } from '../documents/document-store.js';

/** A page that was applied whole, by what its source knows it. */
export interface KnownPage {
  readonly url: string;
  readonly etag: string;
  readonly next: string | null;
}

/** `_id` is the source's. */
interface KnownPagesRecord {
  readonly _id: string;
  /** That of the source as it was read. */
  readonly turn: number;
  readonly pages: readonly KnownPage[];
}

const KNOWN_PAGES: CollectionDeclaration<KnownPagesRecord> = { name: 'pull_known_pages', indexes: {} };

/** Pages that are remembered of one source; further ones are always asked for whole. */
const MOST_PAGES = 500;
const LONGEST_ETAG = 512;

/**
 * Which pages a source need not send again (decisions §8, conditional requests). A page of which an entry was refused is
 * not among them: what made it wrong may be mended on this side. @throws StoreUnavailableError from every method
 */
@Injectable()
export class KnownPages {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async of(source: { readonly _id: string; readonly turn: number }): Promise<ReadonlyMap<string, KnownPage>> {
    const record = await (await this.records.collection(KNOWN_PAGES)).get(source._id);
    const pages = record?.turn === source.turn ? record.pages : [];
    return new Map(pages.map((page) => [page.url, page]));
  }

  async keep(
    { _id, turn }: { readonly _id: string; readonly turn: number },
    known: readonly KnownPage[],
  ): Promise<void> {
    await this.records.collection(KNOWN_PAGES);
    const pages = known.filter(({ etag }) => etag.length <= LONGEST_ETAG).slice(0, MOST_PAGES);
    const document: KnownPagesRecord = { _id, turn, pages };
    await this.records.write([{ kind: 'put', collection: KNOWN_PAGES.name, document }]);
  }
}
