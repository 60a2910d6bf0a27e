import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { Snapshot } from '#eventsourcing/writing/aggregate.js';
import { type IdleState, idleState, unitSearchNames, type UnitState } from './core/unit.state.js';

/**
 * The document of one unit: the state of its stream at `revision`. The next command is decided on it. `_id` is the
 * stream's name. A write never replaces a newer revision.
 */
export interface UnitDocument extends StoredDocument, UnitState {
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
  /** The access state if nobody rents the unit. Empty for a rented or retired unit, which is then not in the index. */
  readonly idle_states: readonly IdleState[];
  /** @see unitSearchNames */
  readonly search_names: readonly string[];
}

export const UNITS: CollectionDeclaration<UnitDocument> = {
  name: 'units',
  indexes: {
    by_unit_id: { fields: ['unit_id'] },
    by_location: { fields: ['location_id', 'unit_id'] },
    by_location_and_idle_state: { fields: ['location_id', 'idle_states', 'unit_id'] },
    by_search_name: { fields: ['company_id', 'search_names', 'unit_id'], list: 'search_names' },
  },
};

export function toUnitDocument(stream: string, snapshot: Snapshot<UnitState>): UnitDocument {
  const { state, last_hash, last_at } = snapshot;
  // Field by field: adding fields to a spread object costs microseconds.
  const document: UnitDocument = {
    _id: stream,
    revision: state.revision,
    company_id: state.company_id,
    location_id: state.location_id,
    unit_id: state.unit_id,
    crm_unit_id: state.crm_unit_id,
    unit_name: state.unit_name,
    source_type: state.source_type,
    facts: state.facts,
    tenancy: state.tenancy,
    override: state.override,
    shares: state.shares,
    round_the_clock: state.round_the_clock,
    retired: state.retired,
    set_at: state.set_at,
    written_at: state.written_at,
    last_let: state.last_let ?? null,
    quiet_since: state.quiet_since ?? null,
    last_hash,
    last_at,
    search_names: unitSearchNames(state.unit_name, state.crm_unit_id),
    idle_states: state.tenancy === null && !state.retired ? [idleState(state.facts)] : [],
  };
  return state.offers === undefined ? document : { ...document, offers: state.offers };
}

export function toSnapshot(document: UnitDocument): Snapshot<UnitState> {
  const { revision, last_hash, last_at } = document;
  return { state: document, revision, last_hash, last_at };
}
