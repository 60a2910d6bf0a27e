import { Get, Param } from '@nestjs/common';
import {
  type ActivityEntry,
  type HistoryEntry,
  OperatorActivityController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import { Costly, ForOperators } from '../../http/index.js';
import type { StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
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
    return csvOfPages('history', HISTORY_COLUMNS, { read, rows: historyRows });
  }

  /** Newest first. */
  @Costly()
  @Get('reports.csv')
  async reports(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const read = async (cursor?: string) =>
      (await this.activity.ofUnit(unit_id, { limit: LARGEST_PAGE, ...(cursor && { cursor }) })).data!;
    return csvOfPages('reports', REPORT_COLUMNS, { read, rows: reportRows });
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

function historyRows({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return entries.map((entry) => ({
    ...entry,
    by: actorText(entry),
    state: entry.access?.to.state,
    reason: entry.access?.to.reason,
    changes: Object.entries(entry.changes)
      .map(([name, change]) => changeText(name, change))
      .join('; '),
  }));
}

const REPORT_COLUMNS = [
  ...(['occurred_at', 'recorded_at', 'lock_id', 'lock_name', 'event', 'result'] as const),
  ...(['failure_code', 'tenant_id', 'battery_percent', 'message'] as const),
];

function reportRows({ entries }: { readonly entries: readonly ActivityEntry[] }) {
  return entries.map(({ lock_id, lock_name, battery_percent, ...report }) => ({
    ...report,
    lock_id,
    lock_name,
    battery_percent,
  }));
}
