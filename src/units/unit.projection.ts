import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../config/injection-tokens.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { Projection, Snapshot } from '../writing/aggregate.js';
import { tenantsNamed, type UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';
import { UNIT_CHANGE_LISTENER, type UnitChange, type UnitChangeListener } from './unit-changes.js';
import { UNIT } from './unit.aggregate.js';
import { toSnapshot, toUnitDocument, UNITS } from './unit.documents.js';

/** The folds of units are the units' own documents; what else shows units listens. */
@Injectable()
export class UnitProjection implements Projection<UnitState, UnitEvent> {
  readonly fold = UNIT;

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(UNIT_CHANGE_LISTENER) private readonly listener: UnitChangeListener,
  ) {}

  async load(streams: readonly string[]): Promise<(Snapshot<UnitState> | undefined)[]> {
    const documents = await (await this.views.collection(UNITS)).getMany(streams);
    return documents.map((document) => document && toSnapshot(document));
  }

  /** Who had a unit once is named by events alone; who has it, by its fold, and by the event that takes it from them. */
  showsEvent(event: UnitEvent, { state }: Snapshot<UnitState>): boolean {
    return tenantsNamed(event).some((tenant_id) => tenant_id !== state.tenancy?.tenant_id);
  }

  prepare(changes: readonly UnitChange[]): unknown {
    return this.listener.prepare?.(changes);
  }

  async project(changes: readonly UnitChange[], prepared?: unknown): Promise<void> {
    const documents = changes.map(({ stream, after }) => toUnitDocument(stream, after));
    // A command that is found again in the log is projected without having been loaded.
    await this.views.collection(UNITS);
    // The unit's own document comes last: whoever finds in it that nothing is to be done finds all views done.
    await this.listener.unitsChanged(changes, prepared);
    await this.views.write(
      documents.map((document) => ({ kind: 'put_if_newer', collection: UNITS.name, document })),
    );
  }
}
