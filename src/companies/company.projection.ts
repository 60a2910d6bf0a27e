import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { Projection, Snapshot, StreamChange } from '../writing/aggregate.js';
import { COMPANY } from './company.aggregate.js';
import { COMPANIES, toCompanyDocument, toSnapshot } from './company.documents.js';
import { type CompanyEvent, companyStream } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';

/** The streams `company-{company_id}`, whose folds are the companies' own documents. */
@Injectable()
export class CompanyProjection implements Projection<CompanyState, CompanyEvent> {
  readonly fold = COMPANY;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async load(streams: readonly string[]): Promise<(Snapshot<CompanyState> | undefined)[]> {
    const ids = streams.map((stream) => stream.slice(companyStream('').length));
    const documents = await (await this.views.collection(COMPANIES)).getMany(ids);
    return documents.map((document) => document && toSnapshot(document));
  }

  async project(changes: readonly StreamChange<CompanyState, CompanyEvent>[]): Promise<void> {
    await this.views.collection(COMPANIES);
    await this.views.write(
      changes.map(({ after }) => ({
        kind: 'put_if_newer',
        collection: COMPANIES.name,
        document: toCompanyDocument(after),
      })),
    );
  }
}
