import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore, Page } from '../documents/document-store.js';
import { wholeList } from '../documents/pages.js';
import { isPossibleId } from '../http/possible-id.js';
import { COMPANIES, type CompanyDocument } from './company.documents.js';

/** Which page of a list: `limit` of at least 1, and the cursor the page before ended with. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Reads companies from the views. The answer holds every acknowledged write. @throws StoreUnavailableError from every
 * method
 */
@Injectable()
export class CompanyDirectory {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** Ids come from paths as clients wrote them: what cannot be one is not there, and never reaches the store. */
  async company(company_id: string): Promise<CompanyDocument | undefined> {
    return isPossibleId(company_id) ? (await this.views.collection(COMPANIES)).get(company_id) : undefined;
  }

  /** Companies in the order they were registered. @throws InvalidCursorError for a cursor this list did not make. */
  async companies({ limit, cursor }: PageRequest): Promise<Page<CompanyDocument>> {
    return (await this.views.collection(COMPANIES)).find('by_created_at', { equals: [], limit, cursor });
  }

  /** In the order of `company_ids`, undefined where there is none. */
  async named(company_ids: readonly string[]): Promise<(CompanyDocument | undefined)[]> {
    return (await this.views.collection(COMPANIES)).getMany(company_ids);
  }

  /** The sandboxes whose clock was ever set forward. */
  async ahead(): Promise<CompanyDocument[]> {
    return wholeList(await this.views.collection(COMPANIES), 'by_ahead_seconds', { equals: [], from: 1 });
  }
}
