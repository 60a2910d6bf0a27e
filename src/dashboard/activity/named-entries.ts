import { Injectable } from '@nestjs/common';
import { type ActivityEntry, LatestTaps } from '#domain/history/index.js';
import { UnitHistoryReads } from '#api/history/index.js';
import { KeyIssues } from '#domain/locks/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { type NamesById, ThingNames } from '../names/thing-names.js';
import { reportedInstant } from '../parts/happened.js';
import type { ListRange } from '../parts/list-page.js';

type HistoryRange = Parameters<UnitHistoryReads['listForOperator']>[1];

/** A report. `had_key`: a tenant who was denied opened it with a key from before. */
export type UnitReport = ActivityEntry & { readonly had_key?: boolean };

/** The records of a unit, page by page, with the names for their ids. Every method throws StoreUnavailableError. */
@Injectable()
export class NamedEntries {
  constructor(
    private readonly histories: UnitHistoryReads,
    private readonly taps: LatestTaps,
    private readonly directory: UnitDirectory,
    private readonly names: ThingNames,
    private readonly keys: KeyIssues,
  ) {}

  /** With the names of tenants and locations. @throws ApiError 404 */
  async listHistory(unit_id: string, range: HistoryRange) {
    const page = await this.histories.listForOperator(unit_id, range);
    return { ...page, names: await this.names.findInHistory(page.entries) };
  }

  /** Taps on the locks of an existing unit, the newest first, with the names of the tenants. @throws InvalidCursorError */
  async listReports(unit_id: string, range: ListRange) {
    const page = await this.taps.listOfUnit((await this.directory.byUnitId(unit_id))!, range);
    const [entries, names] = await Promise.all([
      this.withHadKey(page.entries),
      this.findReporters(page.entries),
    ]);
    return { ...page, entries, names };
  }

  /** Says of each opening by a tenant who was denied whether the tenant had a key. */
  withHadKey(reports: readonly ActivityEntry[]): Promise<UnitReport[]> {
    return Promise.all(
      reports.map(async (one) => {
        const device_id = one.lock_id ?? one.entry_point_id;
        if (one.denied_units === undefined || device_id === undefined) return one;
        return { ...one, had_key: await this.keys.hadKey(device_id, one.tenant_id, reportedInstant(one)) };
      }),
    );
  }

  /** The names of the tenants whose apps reported. */
  findReporters(reports: readonly Pick<ActivityEntry, 'tenant_id'>[]): Promise<NamesById> {
    return this.names.findTenants(reports.map(({ tenant_id }) => tenant_id));
  }
}
