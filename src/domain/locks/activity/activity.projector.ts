import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import type { Aggregate, Kind, Snapshot } from '#eventsourcing/writing/aggregate.js';
import { type Projector, checkedByRebuild, type StreamChange } from '#eventsourcing/writing/projector.js';
import { ViewStates } from '#eventsourcing/writing/view-states.js';
import {
  ACTIVITY_EVENT_TYPES,
  type ActivityCommand,
  type ActivityReported,
  type ActivityState,
  decideActivity,
  evolveActivity,
} from '../core/activity.events.js';
import { LOW_BATTERY } from '../low-battery.js';
import { UNIT_ACTIVITY, unitActivityWrites } from './unit-activity.js';

/** The state of an activity stream, so that a new report does not read the whole stream. `_id` is the stream's name. */
interface ActivityHead extends StoredDocument, ActivityState {
  readonly revision: number;
  readonly last_hash: string;
  readonly last_at: number;
  readonly location_id: string;
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
    by_location: { fields: ['location_id', 'last_at'] },
  },
};

const STATE_VIEW = { collection: ACTIVITY_HEADS, idOf: (stream: string) => stream, toSnapshot };

export const LOCK_VIEWS = [ACTIVITY_HEADS, UNIT_ACTIVITY] as const;

export type ActivityKind = Kind<ActivityState, ActivityReported, ActivityCommand, undefined, never>;

type Activity = Aggregate<ActivityKind>;

function activityOf(category: string): Activity {
  return { category, types: ACTIVITY_EVENT_TYPES, evolve: evolveActivity, decide: decideActivity };
}

abstract class ActivityProjector implements Projector<ActivityState, ActivityReported> {
  abstract readonly fold: Activity;
  readonly documents = [
    checkedByRebuild(ACTIVITY_HEADS, ({ _id }) => _id),
    checkedByRebuild(UNIT_ACTIVITY, ({ lock_id }) => `lock-${lock_id}`, 'latest'),
  ];

  readonly states: ViewStates<ActivityState, ActivityHead>;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {
    this.states = new ViewStates(views, STATE_VIEW);
  }

  shown(streams: readonly string[]): Promise<number[]> {
    return this.states.shownRevisions(streams);
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

  projectorOf({ type }: ActivityReported): LockActivityProjector | EntryPointActivityProjector {
    return type === 'LockActivityReported' ? this.locks : this.entryPoints;
  }
}

function toSnapshot(head: ActivityHead): Snapshot<ActivityState> {
  const { revision, last_hash, last_at } = head;
  return { state: stateOf(head), revision, last_hash, last_at };
}

function stateOf({ reported, battery, failure }: ActivityHead): ActivityState {
  return { reported, ...(battery && { battery }), ...(failure && { failure }) };
}

function headWrite({ stream, events, after }: StreamChange<ActivityState, ActivityReported>): DocumentWrite {
  const { state, revision, last_hash, last_at } = after;
  const { battery, failure } = state;
  const low = battery && battery.percent < LOW_BATTERY && { low_battery_of: battery.company_id };
  const failed = failure && { failed_of: failure.company_id, failed_at: failure.recorded_at };
  // A lock or an entry point never leaves its location.
  const { location_id } = events.at(-1)!.data;
  const place = { _id: stream, location_id };
  const document: ActivityHead = { ...place, ...state, ...low, ...failed, revision, last_hash, last_at };
  return { kind: 'put_if_newer', collection: ACTIVITY_HEADS.name, document };
}
