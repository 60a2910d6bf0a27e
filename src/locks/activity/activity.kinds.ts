import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { Snapshot, StreamChange, StreamKind } from '../../writing/stream-kind.js';
import type {
  ActivityReported,
  ActivityState,
  EntryPointActivityReported,
  LockActivityReported,
} from '../core/activity.events.js';
import { ACTIVITY_SCHEMA, evolveActivity } from '../core/activity.events.js';
import { headWrite, loadHeads } from './activity-heads.js';
import { LOCK_VIEWS } from './lock-views.js';
import { unitActivityWrites } from './unit-activity.js';

/** Streams of what tenants' apps reported of one thing. */
abstract class ActivityKind<Event extends ActivityReported> implements StreamKind<ActivityState, Event> {
  abstract readonly category: string;
  readonly schema = ACTIVITY_SCHEMA;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  evolve(state: ActivityState | undefined): ActivityState {
    return evolveActivity(state);
  }

  load(streams: readonly string[]): Promise<(Snapshot<ActivityState> | undefined)[]> {
    return loadHeads(this.views, streams);
  }

  async project(changes: readonly StreamChange<ActivityState, Event>[]): Promise<void> {
    for (const declaration of LOCK_VIEWS) await this.views.collection<never>(declaration as never);
    const events: ActivityReported[] = changes.flatMap((change) => change.events);
    const ofLocks = events.filter((event) => event.type === 'LockActivityReported');
    await this.views.write([...unitActivityWrites(ofLocks), ...changes.map(headWrite)]);
  }
}

/** Streams `lock-{lock_id}`: what tenants' apps reported of a lock. */
@Injectable()
export class LockActivityKind extends ActivityKind<LockActivityReported> {
  readonly category = 'lock';
}

/** Streams `entry-point-{entry_point_id}`: the same of entry points. */
@Injectable()
export class EntryPointActivityKind extends ActivityKind<EntryPointActivityReported> {
  readonly category = 'entry-point';
}
