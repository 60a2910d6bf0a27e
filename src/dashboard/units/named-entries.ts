import { Injectable } from '@nestjs/common';
import { type ActivityEntry, LatestTaps, OperatorUnitHistoryController } from '../../history/index.js';
import { KeyIssues } from '../../locks/index.js';
import { UnitDirectory } from '../../units/index.js';
import { type NamesById, ThingNames } from '../names/thing-names.js';
import { reportedInstant } from '../parts/happened.js';
import type { ListRange } from '../parts/list-page.js';

type HistoryRange = Parameters<OperatorUnitHistoryController['history']>[1];

/** A report. `had_key`: a tenant who was denied opened it with a key from before. */
export type UnitReport = ActivityEntry & { readonly had_key?: boolean };

/** The records of a unit, page by page, with the names for their ids. Every method throws StoreUnavailableError. */
@Injectable()
export class NamedEntries {
  constructor(
    private readonly histories: OperatorUnitHistoryController,
    private readonly taps: LatestTaps,
    private readonly directory: UnitDirectory,
    private readonly names: ThingNames,
    private readonly keys: KeyIssues,
  ) {}

  /** With the names of tenants and locations. @throws ApiError 404 */
  async history(unit_id: string, range: HistoryRange) {
    const page = (await this.histories.history(unit_id, range)).data;
    return { ...page, names: await this.names.inHistory(page.entries) };
  }

  /** Taps on the locks of an existing unit, the newest first, with the names of the tenants. @throws InvalidCursorError */
  async reports(unit_id: string, range: ListRange) {
    const page = await this.taps.ofUnit((await this.directory.byUnitId(unit_id))!, range);
    const [entries, names] = await Promise.all([this.withKeys(page.entries), this.reporters(page.entries)]);
    return { ...page, entries, names };
  }

  /** Says of each opening by a tenant who was denied whether the tenant had a key. */
  withKeys(reports: readonly ActivityEntry[]): Promise<UnitReport[]> {
    return Promise.all(
      reports.map(async (one) => {
        const device_id = one.lock_id ?? one.entry_point_id;
        if (one.denied_units === undefined || device_id === undefined) return one;
        return { ...one, had_key: await this.keys.hadKey(device_id, one.tenant_id, reportedInstant(one)) };
      }),
    );
  }

  /** The names of the tenants whose apps reported. */
  reporters(reports: readonly Pick<ActivityEntry, 'tenant_id'>[]): Promise<NamesById> {
    return this.names.tenants(reports.map(({ tenant_id }) => tenant_id));
  }
}
