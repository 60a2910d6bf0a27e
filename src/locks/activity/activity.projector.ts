import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '../../documents/document-store.js';
import {
  type Aggregate,
  type Projector,
  checkedView,
  type Snapshot,
  type StateLoader,
  type StreamChange,
} from '../../writing/aggregate.js';
import { lastEventOf } from '../../writing/stored-stream.js';
import {
  ACTIVITY_EVENT_TYPES,
  type ActivityReported,
  type ActivityState,
  decideActivity,
  evolveActivity,
  type AppendActivity,
} from '../core/activity.events.js';
import { LOW_BATTERY } from '../low-battery.js';
import { UNIT_ACTIVITY, unitActivityWrites } from './unit-activity.js';

/** The state of an activity stream, so that a new report does not read the whole stream. `_id` is the stream's name. */
interface ActivityHead extends StoredDocument, ActivityState {
  readonly revision: number;
  readonly last_hash: string;
  readonly last_at: number;
  /** The company, if the battery is low. */
  readonly low_battery_of?: string;
  /** The company, and the instant at which the newest failure was recorded, if there is one. */
  readonly failed_of?: string;
  readonly failed_at?: number;
}

export const ACTIVITY_HEADS: CollectionDeclaration<ActivityHead> = {
  name: 'activity_heads',
  indexes: {
    by_low_battery: { fields: ['low_battery_of'], sparse: true },
    by_failure: { fields: ['failed_of', 'failed_at'], sparse: true },
  },
};

export const LOCK_VIEWS = [ACTIVITY_HEADS, UNIT_ACTIVITY] as const;

type Activity = Aggregate<ActivityState, ActivityReported, AppendActivity, undefined, never>;

function activityOf(category: string): Activity {
  return { category, types: ACTIVITY_EVENT_TYPES, evolve: evolveActivity, decide: decideActivity };
}

abstract class ActivityProjector implements Projector<ActivityState, ActivityReported> {
  abstract readonly fold: Activity;
  readonly documents = [
    checkedView(ACTIVITY_HEADS, ({ _id }) => _id),
    checkedView(UNIT_ACTIVITY, ({ lock_id }) => `lock-${lock_id}`, 'latest'),
  ];

  readonly states: StateLoader<ActivityState> = { load: (streams) => loadHeads(this.views, streams) };

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async shown(streams: readonly string[]): Promise<number[]> {
    return (await this.states.load(streams)).map((snapshot) => lastEventOf(snapshot).revision);
  }

  async project(changes: readonly StreamChange<ActivityState, ActivityReported>[]): Promise<void> {
    for (const declaration of LOCK_VIEWS) await this.views.collection<never>(declaration as never);
    const events = changes.flatMap((change) => change.events);
    const ofLocks = events.filter((event) => event.type === 'LockActivityReported');
    await this.views.write([...unitActivityWrites(ofLocks), ...changes.map(headWrite)]);
  }
}

/** Projects streams `lock-{lock_id}`: reports about a lock. */
@Injectable()
export class LockActivityProjector extends ActivityProjector {
  readonly fold = activityOf('lock');
}

/** Projects streams `entry-point-{entry_point_id}`: reports about an entry point. */
@Injectable()
export class EntryPointActivityProjector extends ActivityProjector {
  readonly fold = activityOf('entry-point');
}

@Injectable()
export class ActivityProjectors {
  constructor(
    private readonly locks: LockActivityProjector,
    private readonly entryPoints: EntryPointActivityProjector,
  ) {}

  of({ type }: ActivityReported): LockActivityProjector | EntryPointActivityProjector {
    return type === 'LockActivityReported' ? this.locks : this.entryPoints;
  }
}

/** In the order of `streams`. @throws StoreUnavailableError */
async function loadHeads(
  views: DocumentStore,
  streams: readonly string[],
): Promise<(Snapshot<ActivityState> | undefined)[]> {
  const heads = await (await views.collection(ACTIVITY_HEADS)).getMany(streams);
  return heads.map(
    (head) =>
      head && {
        state: stateOf(head),
        revision: head.revision,
        last_hash: head.last_hash,
        last_at: head.last_at,
      },
  );
}

function stateOf({ reported, battery, failure }: ActivityHead): ActivityState {
  return { reported, ...(battery && { battery }), ...(failure && { failure }) };
}

function headWrite({ stream, after }: StreamChange<ActivityState>): DocumentWrite {
  const { state, revision, last_hash, last_at } = after;
  const { battery, failure } = state;
  const low = battery && battery.percent < LOW_BATTERY && { low_battery_of: battery.company_id };
  const failed = failure && { failed_of: failure.company_id, failed_at: failure.recorded_at };
  const document: ActivityHead = { _id: stream, ...state, ...low, ...failed, revision, last_hash, last_at };
  return { kind: 'put_if_newer', collection: ACTIVITY_HEADS.name, document };
}
