import type { ActivityEntry } from '../../history/index.js';
import type { Names } from '../names/thing-names.js';
import { Empty, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';

interface ReportTableProps {
  /** Newest first. */
  readonly of: readonly ActivityEntry[];
  readonly tenantNames: Names;
  readonly zone: string;
}

/** What apps reported of a unit's locks. */
export function ReportTable({ of, tenantNames, zone }: ReportTableProps) {
  if (of.length === 0) return <Empty>Nothing yet: tenants’ apps report what a tap on a lock did.</Empty>;
  const rows = of.map((one) => ({
    key: one.log_id,
    cells: [
      <Instant at={one.occurred_at} zone={zone} />,
      one.lock_name ?? '',
      `${one.event}: ${one.result}${one.failure_code === null ? '' : ` (${one.failure_code})`}`,
      <a href={`/dashboard/tenants/${one.tenant_id}`}>{tenantNames.get(one.tenant_id) ?? 'tenant'}</a>,
      one.message ?? '',
    ],
  }));
  return (
    <Table caption="Reports, newest first" head={['When', 'Lock', 'What', 'By', 'Message']} rows={rows} />
  );
}
