import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import {
  type Aggregate,
  type Projector,
  shownIn,
  type StateLoader,
  type StreamChange,
} from '../../writing/aggregate.js';
import { headOf } from '../../writing/stored-stream.js';
import {
  ACTIVITY_EVENT_TYPES,
  type ActivityReported,
  type ActivityState,
  decideActivity,
  evolveActivity,
  type AppendActivity,
} from '../core/activity.events.js';
import { headWrite, loadHeads } from './activity-heads.js';
import { ACTIVITY_HEADS, LOCK_VIEWS, UNIT_ACTIVITY } from './lock-views.js';
import { unitActivityWrites } from './unit-activity.js';

type Activity = Aggregate<ActivityState, ActivityReported, AppendActivity, undefined, never>;

/** The reports of tenants' apps about one thing. */
function activityOf(category: string): Activity {
  return { category, types: ACTIVITY_EVENT_TYPES, evolve: evolveActivity, decide: decideActivity };
}

abstract class ActivityProjector implements Projector<ActivityState, ActivityReported> {
  abstract readonly fold: Activity;
  readonly documents = [
    shownIn(ACTIVITY_HEADS, ({ _id }) => _id),
    shownIn(UNIT_ACTIVITY, ({ lock_id }) => `lock-${lock_id}`, 'latest'),
  ];

  readonly states: StateLoader<ActivityState> = { load: (streams) => loadHeads(this.views, streams) };

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  async shown(streams: readonly string[]): Promise<number[]> {
    return (await this.states.load(streams)).map((snapshot) => headOf(snapshot).revision);
  }

  async project(changes: readonly StreamChange<ActivityState, ActivityReported>[]): Promise<void> {
    for (const declaration of LOCK_VIEWS) await this.views.collection<never>(declaration as never);
    const events = changes.flatMap((change) => change.events);
    const ofLocks = events.filter((event) => event.type === 'LockActivityReported');
    await this.views.write([...unitActivityWrites(ofLocks), ...changes.map(headWrite)]);
  }
}

/** Streams `lock-{lock_id}`: what tenants' apps reported of a lock. */
@Injectable()
export class LockActivityProjector extends ActivityProjector {
  readonly fold = activityOf('lock');
}

/** Streams `entry-point-{entry_point_id}`: the same of entry points. */
@Injectable()
export class EntryPointActivityProjector extends ActivityProjector {
  readonly fold = activityOf('entry-point');
}

/** Which of the projectors an event is for. */
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
