import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { type Projector, checkedByRebuild } from '#eventsourcing/writing/projector.js';
import { ViewStates } from '#eventsourcing/writing/view-states.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';
import { UnitChangeListener, type UnitChange } from './unit-changes.js';
import { UNIT } from './unit.aggregate.js';
import { toSnapshot, toUnitDocument, type UnitDocument, UNITS } from './unit.documents.js';

const STATE_VIEW = { collection: UNITS, idOf: (stream: string) => stream, toSnapshot };

/** Writes the documents of units, after all other views that show units. */
@Injectable()
export class UnitProjector implements Projector<UnitState, UnitEvent> {
  readonly fold = UNIT;
  readonly documents = [checkedByRebuild(UNITS, ({ _id }) => _id)];

  readonly states: ViewStates<UnitState, UnitDocument>;

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly listener: UnitChangeListener,
  ) {
    this.states = new ViewStates(views, STATE_VIEW);
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.states.shownRevisions(streams);
  }

  async project(changes: readonly UnitChange[]): Promise<void> {
    const writes = changes.map(({ stream, after }): DocumentWrite => {
      return { kind: 'put_if_newer', collection: UNITS.name, document: toUnitDocument(stream, after) };
    });
    // A repeated command is projected without a load, so the collection may not be open yet.
    await this.views.collection(UNITS);
    // The unit's own document comes last: its revision then proves that all other views are up to date.
    await this.listener.unitsChanged(changes);
    await this.views.write(writes);
  }
}
