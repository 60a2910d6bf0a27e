import type { ActivityReads } from '#api/history/index.js';
import type { SearchEverywhere } from '#api/operator/index.js';
import type { Deadline } from '#kernel/yielder.js';
import { listPage, type ListRange } from '../parts/list-page.js';
import { Happened } from '../parts/happened.js';
import { TapResult } from '../activity/tap-result.js';
import { activityText } from '../activity/activity-text.js';
import type { NamedEntries, UnitReport } from '../activity/named-entries.js';
import { gatePath, tenantPath } from '../links/paths.js';
import { withTenantsUnitsThen } from './judged-taps.js';

interface LoggedTap {
  readonly tap: UnitReport;
  /** The tenant's name. */
  readonly who: string;
}

interface GateLogOptions {
  readonly entry_point_id: string;
  readonly zone: string;
  readonly activity: ActivityReads;
  readonly named: NamedEntries;
  readonly everywhere: SearchEverywhere;
  readonly currency: string;
  readonly deadline: Deadline | undefined;
}

/** All taps at a gate: its pages, and the whole as a file. */
export function gateLog({ entry_point_id, zone, activity, named, ...judging }: GateLogOptions) {
  const { everywhere, currency, deadline } = judging;
  const path = `${gatePath(entry_point_id)}/log`;
  const read = async (range: ListRange) => {
    const { entries, next_cursor } = await activity.listOfEntryPoint(entry_point_id, range);
    const [taps, names] = await Promise.all([named.withHadKey(entries), named.findReporters(entries)]);
    const rows = taps.map((tap) => ({ tap, who: names.get(tap.tenant_id) ?? 'tenant' }));
    return { rows, next_cursor };
  };
  /** As {@link read}, with the cause of each denial at that time. */
  const readJudged = async (range: ListRange) => {
    const { rows, next_cursor } = await read(range);
    const listed = rows.map(({ tap }) => tap);
    const taps = await withTenantsUnitsThen(listed, { everywhere, named, currency, deadline });
    return { rows: taps.map((tap, index) => ({ ...rows[index]!, tap })), next_cursor };
  };
  return listPage<LoggedTap>({
    caption: 'Taps, as they were reported, newest first',
    name: 'taps',
    path,
    file: `${path}.csv`,
    keyOf: ({ tap }) => tap.log_id,
    read: readJudged,
    readFile: read,
    empty: 'No taps yet. Tenants’ apps report them.',
    columns: [
      { name: 'log_id', value: ({ tap }) => tap.log_id },
      { title: 'When', cell: ({ tap }) => <Happened of={tap} zone={zone} /> },
      { name: 'occurred_at', value: ({ tap }) => tap.occurred_at },
      { name: 'recorded_at', value: ({ tap }) => tap.recorded_at },
      { name: 'tenant_id', value: ({ tap }) => tap.tenant_id },
      {
        title: 'Who',
        name: 'name',
        cell: ({ tap, who }) => <a href={tenantPath(tap.tenant_id)}>{who}</a>,
        value: ({ who }) => who,
      },
      { name: 'event', value: ({ tap }) => tap.event },
      { name: 'result', value: ({ tap }) => tap.result },
      { name: 'failure_code', value: ({ tap }) => tap.failure_code },
      {
        title: 'Result',
        name: 'text',
        cell: ({ tap }) => <TapResult of={tap} />,
        value: ({ tap }) => activityText(tap),
      },
    ],
  });
}
