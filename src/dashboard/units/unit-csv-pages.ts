import { Get, Param } from '@nestjs/common';
import {
  type ActivityEntry,
  type HistoryEntry,
  OperatorActivityController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import { Costly, ForOperators } from '../../http/index.js';
import { csvFile, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { pagesAsCsv, rowsAsCsv } from '../parts/csv.js';
import { actorText, changeText } from './history-list.js';

const LARGEST_PAGE = 500;

/** What happened to a unit, as files that a spreadsheet opens. */
@ForOperators('auditor')
@Pages('dashboard/units/:unit_id')
export class UnitCsvPages {
  constructor(
    private readonly history: OperatorUnitHistoryController,
    private readonly activity: OperatorActivityController,
  ) {}

  /** Oldest first. */
  @Costly()
  @Get('history.csv')
  async entries(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const read = async (cursor?: string) =>
      (await this.history.history(unit_id, { limit: LARGEST_PAGE, ...(cursor && { cursor }) })).data!;
    return csvFile('history', pagesAsCsv(HISTORY_COLUMNS, await read(), { more: read, rows: historyAsCsv }));
  }

  /** Newest first. */
  @Costly()
  @Get('reports.csv')
  async reports(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const read = async (cursor?: string) =>
      (await this.activity.ofUnit(unit_id, { limit: LARGEST_PAGE, ...(cursor && { cursor }) })).data!;
    return csvFile('reports', pagesAsCsv(REPORT_COLUMNS, await read(), { more: read, rows: reportsAsCsv }));
  }
}

const HISTORY_COLUMNS = [
  'occurred_at',
  'type',
  'by',
  'state',
  'reason',
  'changes',
  'revision',
  'hash',
] as const;

function historyAsCsv({ entries }: { readonly entries: readonly HistoryEntry[] }): string {
  const rows = entries.map((entry) => ({
    ...entry,
    by: actorText(entry),
    state: entry.access?.to.state,
    reason: entry.access?.to.reason,
    changes: Object.entries(entry.changes)
      .map(([name, change]) => changeText(name, change))
      .join('; '),
  }));
  return rowsAsCsv(HISTORY_COLUMNS, rows);
}

const REPORT_COLUMNS = [
  ...(['occurred_at', 'recorded_at', 'lock_id', 'lock_name', 'event', 'result'] as const),
  ...(['failure_code', 'tenant_id', 'battery_percent', 'message'] as const),
];

function reportsAsCsv({ entries }: { readonly entries: readonly ActivityEntry[] }): string {
  const rows = entries.map(({ lock_id, lock_name, battery_percent, ...report }) => ({
    ...report,
    lock_id,
    lock_name,
    battery_percent,
  }));
  return rowsAsCsv(REPORT_COLUMNS, rows);
}
