import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { checkedByRebuild, type Projector, type StreamChange } from '#eventsourcing/writing/projector.js';
import { ViewStates } from '#eventsourcing/writing/view-states.js';
import { type PassEvent, passStream } from './core/pass.events.js';
import type { PassState } from './core/pass.state.js';
import { PASS } from './pass.aggregate.js';
import { type PassDocument, PASSES, toPassDocument, toSnapshot } from './pass.documents.js';

const idOf = (stream: string) => stream.slice(passStream('').length);
const STATE_VIEW = { collection: PASSES, idOf, toSnapshot };

/** Projects streams `pass-{pass_id}`. */
@Injectable()
export class PassProjector implements Projector<PassState, PassEvent> {
  readonly fold = PASS;
  readonly documents = [checkedByRebuild(PASSES, ({ _id }) => passStream(_id))];

  readonly states: ViewStates<PassState, PassDocument>;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {
    this.states = new ViewStates(views, STATE_VIEW);
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.states.shownRevisions(streams);
  }

  async project(changes: readonly StreamChange<PassState, PassEvent>[]): Promise<void> {
    // A repeated command is projected without a load, so the collection may not be open yet.
    await this.views.collection(PASSES);
    await this.views.write(
      changes.map(({ after }) => ({
        kind: 'put_if_newer',
        collection: PASSES.name,
        document: toPassDocument(after),
      })),
    );
  }
}
