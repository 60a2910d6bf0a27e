import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '../../documents/document-store.js';
import type { LockActivityReported } from '../core/activity.events.js';
import { accessToldBy } from '../core/activity.events.js';

/** When a unit was last opened. `_id` is the unit's id. */
export interface UnitActivityDocument extends StoredDocument {
  readonly last_accessed_at: number;
  /** The lock that told it. */
  readonly lock_id: string;
  /** The same instant: the guard that lets it move forward only, in whatever order reports arrive or are replayed. */
  readonly revision: number;
}

export const UNIT_ACTIVITY: CollectionDeclaration<UnitActivityDocument> = {
  name: 'unit_activity',
  indexes: {},
};

@Injectable()
export class UnitActivity {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /**
   * By unit id, when each was last unlocked (milliseconds); a unit that never was is absent.
   * @throws StoreUnavailableError
   */
  async lastAccessed(unit_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (unit_ids.length === 0) return new Map();
    const documents = await (await this.views.collection(UNIT_ACTIVITY)).getMany(unit_ids);
    return new Map(
      documents
        .filter((document) => document !== undefined)
        .map(({ _id, last_accessed_at }) => [_id, last_accessed_at]),
    );
  }
}

/** The writes that reported activity causes: one per unit, with its latest instant. */
export function unitActivityWrites(events: readonly LockActivityReported[]): DocumentWrite[] {
  const latest = new Map<string, UnitActivityDocument>();
  for (const event of events) {
    const accessed = accessToldBy(event);
    if (accessed === undefined) continue;
    const { unit_id: _id, at } = accessed;
    if (at <= (latest.get(_id)?.revision ?? -Infinity)) continue;
    latest.set(_id, { _id, last_accessed_at: at, lock_id: event.data.lock_id, revision: at });
  }
  return [...latest.values()].map((document) => ({
    kind: 'put_if_newer',
    collection: UNIT_ACTIVITY.name,
    document,
  }));
}
