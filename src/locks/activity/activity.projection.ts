import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { Aggregate, Projection, Snapshot, StreamChange } from '../../writing/aggregate.js';
import {
  ACTIVITY_EVENT_TYPES,
  type ActivityRefusal,
  type ActivityReported,
  type ActivityState,
  decideActivity,
  evolveActivity,
  type AppendActivity,
} from '../core/activity.events.js';
import { headWrite, loadHeads } from './activity-heads.js';
import { LOCK_VIEWS } from './lock-views.js';
import { unitActivityWrites } from './unit-activity.js';

type Activity = Aggregate<ActivityState, ActivityReported, AppendActivity, undefined, ActivityRefusal>;

/** What tenants' apps reported of one thing. */
function activityOf(category: string): Activity {
  return { category, types: ACTIVITY_EVENT_TYPES, evolve: evolveActivity, decide: decideActivity };
}

abstract class ActivityProjection implements Projection<ActivityState, ActivityReported> {
  abstract readonly fold: Activity;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  load(streams: readonly string[]): Promise<(Snapshot<ActivityState> | undefined)[]> {
    return loadHeads(this.views, streams);
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
export class LockActivityProjection extends ActivityProjection {
  readonly fold = activityOf('lock');
}

/** Streams `entry-point-{entry_point_id}`: the same of entry points. */
@Injectable()
export class EntryPointActivityProjection extends ActivityProjection {
  readonly fold = activityOf('entry-point');
}

/** Which of the projections an event is for. */
@Injectable()
export class ActivityProjections {
  constructor(
    private readonly locks: LockActivityProjection,
    private readonly entryPoints: EntryPointActivityProjection,
  ) {}

  of({ type }: ActivityReported): LockActivityProjection | EntryPointActivityProjection {
    return type === 'LockActivityReported' ? this.locks : this.entryPoints;
  }
}
