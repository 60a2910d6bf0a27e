import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { AccessEvent } from '#domain/access/index.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { checkedByRebuild, type Projector, type StreamChange } from '#eventsourcing/writing/projector.js';
import { ViewStates } from '#eventsourcing/writing/view-states.js';
import { ANNOUNCED } from './announced.aggregate.js';
import {
  ANNOUNCED_VIEW,
  type AnnouncedDocument,
  toAnnouncedDocument,
  toSnapshot,
} from './announced.documents.js';
import type { AnnouncedState } from './core/announced.state.js';

const STATE_VIEW = { collection: ANNOUNCED_VIEW, idOf: (stream: string) => stream, toSnapshot };

/** Projects streams `access-{company_id}.{unit_id}`. */
@Injectable()
export class AnnouncedProjector implements Projector<AnnouncedState, AccessEvent> {
  readonly fold = ANNOUNCED;
  readonly documents = [checkedByRebuild(ANNOUNCED_VIEW, ({ _id }) => _id)];

  readonly states: ViewStates<AnnouncedState, AnnouncedDocument>;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {
    this.states = new ViewStates(views, STATE_VIEW);
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.states.shownRevisions(streams);
  }

  async project(changes: readonly StreamChange<AnnouncedState, AccessEvent>[]): Promise<void> {
    await this.views.collection(ANNOUNCED_VIEW);
    await this.views.write(
      changes.map(({ stream, after }) => ({
        kind: 'put_if_newer',
        collection: ANNOUNCED_VIEW.name,
        document: toAnnouncedDocument(stream, after),
      })),
    );
  }
}
