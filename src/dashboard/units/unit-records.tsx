import { Injectable } from '@nestjs/common';
import type { HistoryEntry } from '#domain/history/index.js';
import { UnitHistoryReads } from '#api/history/index.js';
import type { Deadline } from '#kernel/yielder.js';
import type { NamesById } from '../names/thing-names.js';
import { type Column, listPage } from '../parts/list-page.js';
import { actorText, changedFields, changeText, HistoryList } from './history-list.js';
import { type JudgedReport, NamedEntries } from '../activity/named-entries.js';
import { type DayOf, ReportTable } from './report-table.js';
import { unitPath } from '../links/paths.js';
import { REPORTS } from './unit-parts.js';

/** Entries of the history on a page. */
const ENTRIES = 50;

/** Where a unit is. */
interface ShownPlace {
  readonly timezone: string;
  readonly currency: string;
}

/** A file has neither. */
interface ShownActivity {
  readonly dayOf?: DayOf;
  readonly deadline?: Deadline;
}

/** The lists of a unit's history and activity. */
@Injectable()
export class UnitRecords {
  constructor(
    private readonly histories: UnitHistoryReads,
    private readonly named: NamedEntries,
  ) {}

  /** The file has the oldest first, and identifiers alone: no name can be erased in it. */
  history(unit_id: string, { timezone: zone, currency }: ShownPlace) {
    const path = unitPath(unit_id);
    return listPage({
      caption: 'What happened, newest first',
      name: 'history',
      columns: historyColumns(currency),
      path: `${path}/history`,
      file: `${path}/history.csv`,
      empty: 'Nothing yet.',
      limit: ENTRIES,
      keyOf: ({ hash, occurred_at }: HistoryEntry) => hash ?? occurred_at,
      read: async (range) => {
        const { entries, ...page } = await this.named.listHistory(unit_id, { ...range, order: 'desc' });
        return { ...page, rows: entries };
      },
      readFile: async (range) => {
        const { entries, next_cursor } = await this.histories.listForOperator(unit_id, range);
        return { rows: entries, next_cursor };
      },
      body: ({ rows, names }) => <HistoryList entries={rows} {...{ zone, currency, path, names }} />,
    });
  }

  /** Taps at the unit's locks and gates, newest first. */
  activity(
    unit_id: string,
    { timezone: zone, currency }: ShownPlace,
    { dayOf, deadline }: ShownActivity = {},
  ) {
    const unit = unitPath(unit_id);
    const path = `${unit}/activity`;
    return listPage({
      caption: 'Taps, newest first',
      name: 'activity',
      columns: REPORT_COLUMNS,
      path,
      file: `${path}.csv`,
      limit: REPORTS,
      keyOf: ({ log_id }: JudgedReport) => log_id,
      read: async (range) => {
        const { entries, ...page } = await this.named.listJudged(unit_id, range, deadline);
        return { ...page, rows: entries };
      },
      readFile: async (range) => {
        const { entries, next_cursor } = await this.named.listAsReported(unit_id, range);
        return { rows: entries, next_cursor };
      },
      body: ({ rows, names }) => (
        <ReportTable of={rows} tenantNames={names} path={unit} {...{ zone, currency }} dayOf={dayOf} />
      ),
      empty: 'No taps yet. Tenants’ apps report them.',
    });
  }
}

const NO_NAMES: NamesById = new Map();

const historyColumns = (currency: string): readonly Column<HistoryEntry>[] => [
  { name: 'occurred_at' },
  { name: 'type' },
  { name: 'by', value: actorText },
  { name: 'state', value: ({ access }) => access?.to.state },
  { name: 'reason', value: ({ access }) => access?.to.reason },
  {
    name: 'changes',
    value: ({ changes }) =>
      changedFields(changes)
        .map(([name, change]) => changeText(name, change, { names: NO_NAMES, withIds: true, currency }))
        .join('; '),
  },
  { name: 'revision' },
  { name: 'hash' },
];

const REPORT_COLUMNS: readonly Column<JudgedReport>[] = [
  { name: 'occurred_at' },
  { name: 'recorded_at' },
  { name: 'lock_id', value: ({ lock_id }) => lock_id },
  { name: 'lock_name', value: ({ lock_name }) => lock_name },
  { name: 'entry_point_id', value: ({ entry_point_id }) => entry_point_id },
  { name: 'entry_point_name', value: ({ entry_point_name }) => entry_point_name },
  { name: 'event' },
  { name: 'result' },
  { name: 'failure_code' },
  { name: 'state_then', value: ({ access_then }) => access_then?.state },
  { name: 'reason_then', value: ({ access_then }) => access_then?.reason },
  { name: 'balance_due_then', value: ({ access_then }) => access_then?.balance_due },
  { name: 'tenant_id' },
  { name: 'battery_percent', value: ({ battery_percent }) => battery_percent },
  { name: 'message' },
];
