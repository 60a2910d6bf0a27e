import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { type Battery, type Failure, lockStream } from '../core/activity.events.js';
import { ACTIVITY_HEADS } from './activity.projector.js';

/** The newest report of a lock. */
export interface LastReport {
  /** When it was recorded, in milliseconds. */
  readonly at: number;
  /** The last charge, which may be of an older report. */
  readonly battery: Battery | null;
}

/** So many locks are those of a whole location: their documents would push others out of the cache. */
const SCANNED_FROM = 500;

/** Reads the newest charge and the newest failure of locks and entry points. Every method throws StoreUnavailableError. */
@Injectable()
export class Conditions {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** Charges by lock id. Locks without a report of their battery are absent. */
  async batteriesOf(lock_ids: readonly string[]): Promise<ReadonlyMap<string, Battery>> {
    if (lock_ids.length === 0) return new Map();
    const heads = await (await this.views.collection(ACTIVITY_HEADS)).getMany(lock_ids.map(lockStream));
    return new Map(
      heads.flatMap((head, index) =>
        head?.battery === undefined ? [] : [[lock_ids[index]!, head.battery] as const],
      ),
    );
  }

  /** The newest report of each lock, by lock id. Locks without a report are absent. */
  async lastReportsOf(lock_ids: readonly string[]): Promise<ReadonlyMap<string, LastReport>> {
    if (lock_ids.length === 0) return new Map();
    const collection = await this.views.collection(ACTIVITY_HEADS);
    const heads = await collection.getMany(lock_ids.map(lockStream), {
      isScan: lock_ids.length >= SCANNED_FROM,
    });
    return new Map(
      heads.flatMap((head, index) => {
        if (head === undefined) return [];
        const { last_at, battery = null } = head;
        return [[lock_ids[index]!, { at: last_at, battery }] as const];
      }),
    );
  }

  /** The low batteries of a company's locks and entry points, the lowest first. */
  async lowBatteriesOf(company_id: string): Promise<Battery[]> {
    const heads = await this.views.collection(ACTIVITY_HEADS);
    const low = await wholeList(heads, 'by_low_battery', { equals: [company_id] });
    return low.map(({ battery }) => battery!).sort((one, other) => one.percent - other.percent);
  }

  /**
   * The newest failure of each of a company's locks and entry points, the newest first.
   * @param since milliseconds; failures that were recorded earlier are left out
   */
  async failuresOf(company_id: string, since: number): Promise<Failure[]> {
    const heads = await this.views.collection(ACTIVITY_HEADS);
    const failed = await wholeList(heads, 'by_failure', { equals: [company_id], from: since });
    return failed.map(({ failure }) => failure!).sort((one, other) => other.at - one.at);
  }
}
