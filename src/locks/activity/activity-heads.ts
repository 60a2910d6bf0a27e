import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '../../documents/document-store.js';
import type { Snapshot, StreamChange } from '../../writing/aggregate.js';
import type { ActivityState } from '../core/activity.events.js';

/** How far a stream of activity has come, so that a report need not fold all the reports before it. */
export interface ActivityHead extends StoredDocument, ActivityState {
  readonly revision: number;
  readonly last_hash: string;
  readonly last_at: number;
}

export const ACTIVITY_HEADS: CollectionDeclaration<ActivityHead> = { name: 'activity_heads', indexes: {} };

/** The newest known folds of activity streams, in the order of `streams`. @throws StoreUnavailableError */
export async function loadHeads(
  views: DocumentStore,
  streams: readonly string[],
): Promise<(Snapshot<ActivityState> | undefined)[]> {
  const heads = await (await views.collection(ACTIVITY_HEADS)).getMany(streams);
  return heads.map(
    (head) =>
      head && {
        state: { reported: head.reported },
        revision: head.revision,
        last_hash: head.last_hash,
        last_at: head.last_at,
      },
  );
}

/** The write that keeps a stream's newest fold. */
export function headWrite({ stream, after }: StreamChange<ActivityState>): DocumentWrite {
  const { state, revision, last_hash, last_at } = after;
  const document: ActivityHead = { _id: stream, reported: state.reported, revision, last_hash, last_at };
  return { kind: 'put_if_newer', collection: ACTIVITY_HEADS.name, document };
}
