import { Injectable } from '@nestjs/common';
import {
  type ActivityEntry,
  type HistoryEntry,
  OperatorActivityController,
  OperatorUnitHistoryController,
} from '../../history/index.js';
import type { NamesById } from '../names/thing-names.js';
import { type Column, listPage } from '../parts/list-page.js';
import { actorText, changedFields, changeText, HistoryList } from './history-list.js';
import { NamedEntries } from './named-entries.js';
import { ReportTable } from './report-table.js';
import { unitPath } from './unit-list.js';

/** Entries of the history on a page. */
const ENTRIES = 50;

/** The lists of a unit's history and activity. */
@Injectable()
export class UnitRecords {
  constructor(
    private readonly histories: OperatorUnitHistoryController,
    private readonly reports: OperatorActivityController,
    private readonly named: NamedEntries,
  ) {}

  /** The file has the oldest first, and identifiers alone: no name can be erased in it. */
  history(unit_id: string, zone = 'UTC') {
    const path = unitPath(unit_id);
    return listPage({
      ...{ caption: 'What happened, newest first', name: 'history', columns: HISTORY_COLUMNS },
      ...{ path: `${path}/history`, file: `${path}/history.csv`, empty: 'Nothing yet.', limit: ENTRIES },
      keyOf: ({ hash, occurred_at }: HistoryEntry) => hash ?? occurred_at,
      read: async (range) => {
        const { entries, ...page } = await this.named.history(unit_id, { ...range, order: 'desc' });
        return { ...page, rows: entries };
      },
      readFile: async (range) => {
        const { entries, next_cursor } = (await this.histories.history(unit_id, range)).data;
        return { rows: entries, next_cursor };
      },
      body: ({ rows, names }) => <HistoryList entries={rows} zone={zone} path={path} names={names} />,
    });
  }

  /** Taps on the unit's locks, newest first. */
  activity(unit_id: string, zone = 'UTC') {
    const path = `${unitPath(unit_id)}/activity`;
    return listPage({
      ...{ caption: 'Lock activity, newest first', name: 'activity', columns: REPORT_COLUMNS },
      ...{ path, file: `${path}.csv` },
      keyOf: ({ log_id }: ActivityEntry) => log_id,
      read: async (range) => {
        const { entries, ...page } = await this.named.reports(unit_id, range);
        return { ...page, rows: entries };
      },
      readFile: async (range) => {
        const { entries, next_cursor } = (await this.reports.ofUnit(unit_id, range)).data;
        return { rows: entries, next_cursor };
      },
      body: ({ rows, names }) => <ReportTable of={rows} tenantNames={names} zone={zone} />,
      empty: 'No taps yet. Tenants’ apps report them.',
    });
  }
}

const NO_NAMES: NamesById = new Map();

const HISTORY_COLUMNS: readonly Column<HistoryEntry>[] = [
  { name: 'occurred_at' },
  { name: 'type' },
  { name: 'by', value: actorText },
  { name: 'state', value: ({ access }) => access?.to.state },
  { name: 'reason', value: ({ access }) => access?.to.reason },
  {
    name: 'changes',
    value: ({ changes }) =>
      changedFields(changes)
        .map(([name, change]) => changeText(name, change, NO_NAMES, true))
        .join('; '),
  },
  { name: 'revision' },
  { name: 'hash' },
];

const REPORT_COLUMNS: readonly Column<ActivityEntry>[] = [
  { name: 'occurred_at' },
  { name: 'recorded_at' },
  { name: 'lock_id', value: ({ lock_id }) => lock_id },
  { name: 'lock_name', value: ({ lock_name }) => lock_name },
  { name: 'event' },
  { name: 'result' },
  { name: 'failure_code' },
  { name: 'tenant_id' },
  { name: 'battery_percent', value: ({ battery_percent }) => battery_percent },
  { name: 'message' },
];
