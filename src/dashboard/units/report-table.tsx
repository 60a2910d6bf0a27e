import type { NamesById } from '../names/thing-names.js';
import { Empty, Table } from '../parts/layout.js';
import { Happened } from '../parts/happened.js';
import type { UnitReport } from '../activity/named-entries.js';
import { TapResult } from '../activity/tap-result.js';
import { tenantPath } from '../links/paths.js';

interface ReportTableProps {
  /** Newest first. */
  readonly of: readonly UnitReport[];
  readonly tenantNames: NamesById;
  readonly zone: string;
  /** The instant in milliseconds that the page is about, if it is not now. */
  readonly then?: number;
}

/** The taps on a unit's locks that apps reported. */
export function ReportTable({ of, tenantNames, zone, then }: ReportTableProps) {
  if (of.length === 0) return <Empty>No taps yet. Tenants’ apps report them.</Empty>;
  const rows = of.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zone} then={then} />,
      one.lock_name ?? '',
      <TapResult of={one} />,
      <a href={tenantPath(one.tenant_id)}>{tenantNames.get(one.tenant_id) ?? 'tenant'}</a>,
      one.message ?? '',
    ],
  }));
  return <Table caption="Taps, newest first" head={['When', 'Lock', 'What', 'By', 'Message']} rows={rows} />;
}
