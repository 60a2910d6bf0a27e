import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore, DocumentPage } from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { COMPANIES, type CompanyDocument } from './company.documents.js';

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Reads companies from the views, which contain every answered write.
 * @throws StoreUnavailableError from every method
 */
@Injectable()
export class CompanyDirectory {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** Clients may put any text into a path. A text that cannot be an id never reaches the store. */
  async company(company_id: string): Promise<CompanyDocument | undefined> {
    return isPossibleId(company_id) ? (await this.views.collection(COMPANIES)).get(company_id) : undefined;
  }

  /** Companies in the order they were registered. @throws InvalidCursorError for a cursor of another list */
  async companies({ limit, cursor }: PageRequest): Promise<DocumentPage<CompanyDocument>> {
    return (await this.views.collection(COMPANIES)).find('by_created_at', { equals: [], limit, cursor });
  }

  /** In the order of `company_ids`; undefined if there is none. */
  async named(company_ids: readonly string[]): Promise<(CompanyDocument | undefined)[]> {
    return (await this.views.collection(COMPANIES)).getMany(company_ids);
  }

  /** The sandboxes whose clock was ever advanced. */
  async ahead(): Promise<CompanyDocument[]> {
    return wholeList(await this.views.collection(COMPANIES), 'by_ahead_seconds', { equals: [], from: 1 });
  }
}
