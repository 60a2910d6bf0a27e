import type { CollectionDeclaration, StoredDocument } from '../documents/document-store.js';
import type { Snapshot } from '../writing/aggregate.js';
import { type IdleState, idleState } from './core/idle-state.js';
import type { UnitState } from './core/unit.state.js';

/**
 * A unit's own document: the fold of its stream up to `revision`, which is the state that the next write decides on.
 * `_id` is the stream's name. Guarded by `revision`.
 */
export interface UnitDocument extends StoredDocument, UnitState {
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
  /** What the unit is listed as while nobody rents it; empty while somebody does or it is retired, and so without an entry in the index. */
  readonly idle_states: readonly IdleState[];
}

export const UNITS: CollectionDeclaration<UnitDocument> = {
  name: 'units',
  indexes: {
    by_unit_id: { fields: ['unit_id'] },
    by_location: { fields: ['location_id', 'unit_id'] },
    by_location_and_idle_state: { fields: ['location_id', 'idle_states', 'unit_id'] },
  },
};

export function toUnitDocument(stream: string, snapshot: Snapshot<UnitState>): UnitDocument {
  const { state, last_hash, last_at } = snapshot;
  // Field by field: a spread object that gains fields costs microseconds.
  return {
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
    retired: state.retired,
    set_at: state.set_at,
    last_hash,
    last_at,
    idle_states: state.tenancy === null && !state.retired ? [idleState(state.facts)] : [],
  };
}

/** Documents that an earlier build wrote do not say it. */
export function isRetired({ retired }: Pick<UnitState, 'retired'>): boolean {
  return retired === true;
}

export function toSnapshot(document: UnitDocument): Snapshot<UnitState> {
  const { revision, last_hash, last_at } = document;
  return { state: document, revision, last_hash, last_at };
}
