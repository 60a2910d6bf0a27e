import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore } from '../documents/document-store.js';
import {
  type Projector,
  checkedView,
  type Snapshot,
  type StateLoader,
  type StreamChange,
} from '../writing/aggregate.js';
import { lastEventOf } from '../writing/stored-stream.js';
import { COMPANY } from './company.aggregate.js';
import { COMPANIES, toCompanyDocument, toSnapshot } from './company.documents.js';
import { type CompanyEvent, companyStream } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';

class CompanyStates implements StateLoader<CompanyState> {
  constructor(private readonly views: DocumentStore) {}

  async load(streams: readonly string[]): Promise<(Snapshot<CompanyState> | undefined)[]> {
    const ids = streams.map((stream) => stream.slice(companyStream('').length));
    const documents = await (await this.views.collection(COMPANIES)).getMany(ids);
    return documents.map((document) => document && toSnapshot(document));
  }
}

/** Projects streams `company-{company_id}`. */
@Injectable()
export class CompanyProjector implements Projector<CompanyState, CompanyEvent> {
  readonly fold = COMPANY;
  readonly documents = [checkedView(COMPANIES, ({ _id }) => companyStream(_id))];

  readonly states: CompanyStates;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {
    this.states = new CompanyStates(views);
  }

  async shown(streams: readonly string[]): Promise<number[]> {
    return (await this.states.load(streams)).map((snapshot) => lastEventOf(snapshot).revision);
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
