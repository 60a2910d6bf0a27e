import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type Projector, checkedByRebuild, type StreamChange } from '#eventsourcing/writing/projector.js';
import { ViewStates } from '#eventsourcing/writing/view-states.js';
import { COMPANY } from './company.aggregate.js';
import { COMPANIES, type CompanyDocument, toCompanyDocument, toSnapshot } from './company.documents.js';
import { type CompanyEvent, companyStream } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';

const STATE_VIEW = {
  collection: COMPANIES,
  idOf: (stream: string) => stream.slice(companyStream('').length),
  toSnapshot,
};

/** Projects streams `company-{company_id}`. */
@Injectable()
export class CompanyProjector implements Projector<CompanyState, CompanyEvent> {
  readonly fold = COMPANY;
  readonly documents = [checkedByRebuild(COMPANIES, ({ _id }) => companyStream(_id))];

  readonly states: ViewStates<CompanyState, CompanyDocument>;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {
    this.states = new ViewStates(views, STATE_VIEW);
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.states.shownRevisions(streams);
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
