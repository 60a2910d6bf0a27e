import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '../../config/ports.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { Snapshot, StreamChange, StreamKind } from '../../eventing/stream-kind.js';
import type {
  ActivityState,
  EntryPointActivityReported,
  LockActivityReported,
} from '../core/activity.events.js';
import { ACTIVITY_SCHEMA, evolveActivity } from '../core/activity.events.js';
import { headWrite, loadHeads } from './activity-heads.js';
import { UNIT_ACTIVITY, unitActivityWrites } from './unit-activity.js';

/** Streams `lock-{lock_id}`: what tenants' apps reported of a lock. */
@Injectable()
export class LockActivityKind implements StreamKind<ActivityState, LockActivityReported> {
  readonly category = 'lock';
  readonly schema = ACTIVITY_SCHEMA;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  evolve(state: ActivityState | undefined): ActivityState {
    return evolveActivity(state);
  }

  load(streams: readonly string[]): Promise<(Snapshot<ActivityState> | undefined)[]> {
    return loadHeads(this.views, streams);
  }

  async project(changes: readonly StreamChange<ActivityState, LockActivityReported>[]): Promise<void> {
    await this.views.collection(UNIT_ACTIVITY);
    const events = changes.flatMap((change) => change.events);
    await this.views.write([...unitActivityWrites(events), ...changes.map(headWrite)]);
  }
}

/** Streams `entry-point-{entry_point_id}`: the same of entry points. */
@Injectable()
export class EntryPointActivityKind implements StreamKind<ActivityState, EntryPointActivityReported> {
  readonly category = 'entry-point';
  readonly schema = ACTIVITY_SCHEMA;

  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  evolve(state: ActivityState | undefined): ActivityState {
    return evolveActivity(state);
  }

  load(streams: readonly string[]): Promise<(Snapshot<ActivityState> | undefined)[]> {
    return loadHeads(this.views, streams);
  }

  async project(changes: readonly StreamChange<ActivityState, EntryPointActivityReported>[]): Promise<void> {
    await this.views.write(changes.map(headWrite));
  }
}
