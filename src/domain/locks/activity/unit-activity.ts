import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import type { LockActivityReported } from '../core/activity.events.js';
import { accessReportedBy } from '../core/activity.events.js';

/** The time of a unit's last access. `_id` is the unit's id. */
interface UnitActivityDocument extends StoredDocument {
  readonly last_accessed_at: number;
  /** The lock that the report was about. */
  readonly lock_id: string;
  /** The same instant. As a revision it only grows, in whatever order reports arrive. */
  readonly revision: number;
}

export const UNIT_ACTIVITY: CollectionDeclaration<UnitActivityDocument> = {
  name: 'unit_activity',
  indexes: {},
};

@Injectable()
export class UnitActivity {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** Milliseconds by unit id. Units that were never unlocked are absent. @throws StoreUnavailableError */
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

/** One write for each unit, with its latest access. */
export function unitActivityWrites(events: readonly LockActivityReported[]): DocumentWrite[] {
  const latest = new Map<string, UnitActivityDocument>();
  for (const event of events) {
    const accessed = accessReportedBy(event);
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
