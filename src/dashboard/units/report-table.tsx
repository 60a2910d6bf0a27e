import { accessText } from '../activity/activity-text.js';
import type { JudgedReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { gatePath, tenantPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import type { NamesById } from '../names/thing-names.js';
import { Happened, reportedInstant } from '../parts/happened.js';
import { Empty, None, Table } from '../parts/layout.js';

/** The heading of the day of an instant, in milliseconds. */
export type DayOf = (at: number) => string;

interface ReportTableProps {
  /** Newest first. */
  readonly of: readonly JudgedReport[];
  readonly tenantNames: NamesById;
  /** The path of the unit. */
  readonly path: string;
  readonly zone: string;
  readonly currency: string;
  /** The instant in milliseconds that the page is about, if it is not now. */
  readonly then?: number;
  /** Undefined: each row has its date, and no day a heading. */
  readonly dayOf?: DayOf | undefined;
}

/** The taps at a unit's locks and gates that apps reported, each with the access of then and the way to it. */
export function ReportTable({ of, tenantNames, path, zone, currency, then, dayOf }: ReportTableProps) {
  if (of.length === 0) return <Empty>No taps yet. Tenants’ apps report them.</Empty>;
  const rows = of.map((one) => ({
    key: one.log_id,
    ...(dayOf && { group: dayOf(reportedInstant(one)) }),
    cells: [
      <Happened of={one} zone={zone} then={then} {...(dayOf && { precision: 'time' as const })} />,
      <Where of={one} />,
      <TapResult of={one} />,
      <Access of={one} {...{ path, currency }} />,
      <a href={tenantPath(one.tenant_id)}>{tenantNames.get(one.tenant_id) ?? 'tenant'}</a>,
      one.message ?? '',
    ],
  }));
  return (
    <Table
      caption="Taps, newest first"
      head={['When', 'Where', 'What', 'Access then', 'By', 'Message']}
      rows={rows}
    />
  );
}

function Where({ of: { entry_point_id, entry_point_name, lock_name } }: { readonly of: JudgedReport }) {
  if (entry_point_id === undefined) return <>{lock_name ?? ''}</>;
  return <a href={gatePath(entry_point_id)}>{entry_point_name ?? 'A gate'}</a>;
}

interface AccessProps {
  readonly of: JudgedReport;
  readonly path: string;
  readonly currency: string;
}

function Access({ of, path, currency }: AccessProps) {
  if (of.access_then === undefined) return <None>not known</None>;
  const at = new Date(reportedInstant(of)).toISOString();
  return <a href={withQuery(path, { at })}>{accessText(of.access_then, currency)}</a>;
}
