import { Get, Param } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import {
  type ActivityEntry,
  type HistoryEntry,
  OperatorActivityController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import { Costly, ForOperators, LARGEST_PAGE, PlainQuery } from '../../http/index.js';
import { OperatorUnitsController } from '../../operator/index.js';
import type { Names } from '../names/thing-names.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
import { ListEnd, Section, Trail } from '../parts/layout.js';
import { SandboxMark, toldClock } from '../parts/sandbox-mark.js';
import { actorText, changeText, HistoryList } from './history-list.js';
import { NamedEntries } from './named-entries.js';
import { ReportTable } from './report-table.js';
import type { UnitDetail } from './unit-detail.js';
import { unitPath } from './unit-list.js';
import { UnitSurroundings } from './unit-surroundings.js';

const PAGE = 100;

interface Listed {
  readonly cursor?: string;
}

/** What happened to a unit, page by page and as files that a spreadsheet opens. */
@ForOperators('auditor')
@Pages('dashboard/units/:unit_id')
export class UnitRecordPages {
  constructor(
    private readonly units: OperatorUnitsController,
    private readonly history: OperatorUnitHistoryController,
    private readonly activity: OperatorActivityController,
    private readonly named: NamedEntries,
    private readonly surroundings: UnitSurroundings,
  ) {}

  @Costly()
  @Get('history')
  async showEntries(@Param('unit_id') unit_id: string, @PlainQuery() { cursor }: Listed): Promise<Page> {
    const unit = (await this.units.one(unit_id)).data;
    const range = { limit: PAGE, order: 'desc', ...(cursor && { cursor }) } as const;
    const { entries, next_cursor, names } = await this.named.history(unit_id, range);
    const path = unitPath(unit_id);
    return this.#page(
      unit,
      'What happened, newest first',
      <>
        <HistoryList entries={entries} zone={unit.location.timezone} path={path} names={names} />
        <ListEnd path={`${path}/history`} file={`${path}/history.csv`} cursor={next_cursor} />
      </>,
    );
  }

  @Costly()
  @Get('reports')
  async showReports(@Param('unit_id') unit_id: string, @PlainQuery() { cursor }: Listed): Promise<Page> {
    const unit = (await this.units.one(unit_id)).data;
    const range = { limit: PAGE, ...(cursor && { cursor }) };
    const { entries, next_cursor, names } = await this.named.reports(unit_id, range);
    const path = unitPath(unit_id);
    return this.#page(
      unit,
      'What its locks reported',
      <>
        <ReportTable of={entries} tenantNames={names} zone={unit.location.timezone} />
        <ListEnd path={`${path}/reports`} file={`${path}/reports.csv`} cursor={next_cursor} />
      </>,
    );
  }

  async #page({ unit_id, unit_name, location }: UnitDetail, title: string, list: ComponentChildren) {
    const clock = toldClock(await this.surroundings.clock(location.id));
    const content = (
      <>
        <Trail to={[[unitPath(unit_id), unit_name]]} />
        <SandboxMark clock={clock} zone={location.timezone} />
        <Section title={title}>{list}</Section>
      </>
    );
    return new Page(unit_name, content);
  }

  /** Oldest first, with identifiers alone: a file goes on where no name can be erased any more. */
  @Costly()
  @Get('history.csv')
  async entries(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const read = async (cursor?: string) =>
      (await this.history.history(unit_id, { limit: LARGEST_PAGE, ...(cursor && { cursor }) })).data;
    return csvOfPages('history', HISTORY_COLUMNS, { read, rows: historyRows });
  }

  /** Newest first. */
  @Costly()
  @Get('reports.csv')
  async reports(@Param('unit_id') unit_id: string): Promise<StreamedDownload> {
    const read = async (cursor?: string) =>
      (await this.activity.ofUnit(unit_id, { limit: LARGEST_PAGE, ...(cursor && { cursor }) })).data;
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

const NO_NAMES: Names = new Map();

function historyRows({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return entries.map((entry) => ({
    ...entry,
    by: actorText(entry),
    state: entry.access?.to.state,
    reason: entry.access?.to.reason,
    changes: Object.entries(entry.changes)
      .map(([name, change]) => changeText(name, change, NO_NAMES, true))
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
