import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../config/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '../documents/document-store.js';
import { type Projector, checkedView, type Snapshot, type StateLoader } from '../writing/aggregate.js';
import { lastEventOf } from '../writing/stored-stream.js';
import { UNIT_CATEGORY, type UnitEvent } from './core/unit.events.js';
import { type IdleState, idleState, unitSearchNames, type UnitState } from './core/unit.state.js';
import { UNIT_CHANGE_LISTENER, type UnitChange, type UnitChangeListener } from './unit-changes.js';
import { UNIT } from './unit.aggregate.js';

/** Prefix of a path key that is the service's own identifier of a unit. */
export const UNIT_ID_PREFIX = 'ulid:';

/** Whether a path's key is `ulid:{unit_id}`. Any other key is the integrator's own identifier. */
export function isUnitId(key: string): boolean {
  return key.startsWith(UNIT_ID_PREFIX);
}

/** Characters of an encoded key. A longer key is cut and gets a hash, because stores limit the length of names. */
const LONGEST_READABLE = 200;

/**
 * Name of a unit's stream: `unit-{company_id}.{crm_unit_id}`. With this name, the store refuses to create a unit twice.
 * All characters but letters, digits, `-` and `_` are percent-encoded.
 */
export function unitStream(company_id: string, crm_unit_id: string): string {
  const encoded = encode(crm_unit_id);
  const readable =
    encoded.length <= LONGEST_READABLE
      ? encoded
      : `${encoded.slice(0, LONGEST_READABLE)}~${hash('sha256', crm_unit_id)}`;
  return `${UNIT_CATEGORY}-${company_id}.${readable}`;
}

function encode(text: string): string {
  if (/^[A-Za-z0-9_-]*$/.test(text)) return text;
  return encodeURIComponent(text).replace(/[.!~*'()]/g, (character) => `%${hex(character)}`);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase();
}

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
    written_at: state.written_at,
    last_hash,
    last_at,
    search_names: unitSearchNames(state.unit_name, state.crm_unit_id),
    idle_states: state.tenancy === null && !state.retired ? [idleState(state.facts)] : [],
  };
}

export function toSnapshot(document: UnitDocument): Snapshot<UnitState> {
  const { revision, last_hash, last_at } = document;
  return { state: document, revision, last_hash, last_at };
}

class UnitStates implements StateLoader<UnitState> {
  constructor(private readonly views: DocumentStore) {}

  async load(streams: readonly string[]): Promise<(Snapshot<UnitState> | undefined)[]> {
    const documents = await (await this.views.collection(UNITS)).getMany(streams);
    return documents.map((document) => document && toSnapshot(document));
  }
}

/** Writes the documents of units, after all other views that show units. */
@Injectable()
export class UnitProjector implements Projector<UnitState, UnitEvent> {
  readonly fold = UNIT;
  readonly documents = [checkedView(UNITS, ({ _id }) => _id)];

  readonly states: UnitStates;

  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(UNIT_CHANGE_LISTENER) private readonly listener: UnitChangeListener,
  ) {
    this.states = new UnitStates(views);
  }

  async shown(streams: readonly string[]): Promise<number[]> {
    return (await this.states.load(streams)).map((snapshot) => lastEventOf(snapshot).revision);
  }

  prepare(changes: readonly UnitChange[]): unknown {
    return this.listener.prepare?.(changes);
  }

  async project(changes: readonly UnitChange[], prepared?: unknown): Promise<void> {
    const writes = changes.map(({ stream, after }): DocumentWrite => {
      return { kind: 'put_if_newer', collection: UNITS.name, document: toUnitDocument(stream, after) };
    });
    // A repeated command is projected without a load, so the collection may not be open yet.
    await this.views.collection(UNITS);
    // The unit's own document comes last: its revision then proves that all other views are up to date.
    await this.listener.unitsChanged(changes, prepared);
    await this.views.write(writes);
  }
}
