import type { ResultOf } from '#kernel/result-of.js';
import type { ComponentChildren } from 'preact';
import type { LocationOutlook } from '#api/operator/index.js';
import type { NamesById } from '../names/thing-names.js';
import { EmptyState } from '../parts/empty-state.js';
import { Section, Table } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { countText, instantText } from '../parts/words.js';
import { UnitLink } from '../parts/unit-link.js';
import { tenantPath } from '../links/paths.js';

export type Tried = ResultOf<LocationOutlook['testPolicy']>;

const DAY_MS = 24 * 60 * 60_000;

interface BacktestProps {
  readonly of: Tried;
  /** Days that were asked for. */
  readonly days: number;
  readonly tenants: NamesById;
  readonly zone: string;
  /** The form that applies the policy. Absent if it is the saved one. */
  readonly children?: ComponentChildren;
}

/** Units that an unsaved policy would have locked out or kept open. */
export function Backtest({ of, days, tenants, zone, children }: BacktestProps) {
  const totals = of.totals!;
  const tried = Math.max(1, Math.ceil((Date.parse(of.until) - Date.parse(of.from)) / DAY_MS));
  const rows = of.changes.map(({ unit_id, unit_name, tenant_id, from, until, actual, proposed }) => ({
    key: `${unit_id}-${from}`,
    cells: [
      <UnitLink unit={{ unit_id, unit_name }} />,
      tenant_id && <a href={tenantPath(tenant_id)}>{tenants.get(tenant_id) ?? 'Unknown'}</a>,
      <Instant at={from} zone={zone} precision="day" />,
      <Instant at={until} zone={zone} none="still" precision="day" />,
      <StateMark {...actual} />,
      <StateMark {...proposed} />,
    ],
  }));
  return (
    <Section title="What this policy would have done">
      <p class="sentence" role="status">
        {countText(totals.tenants_locked_out.proposed, 'tenant')} would have been locked out in the last{' '}
        {countText(tried, 'day')} instead of {totals.tenants_locked_out.actual}.
        {tried < days ? ` The history begins ${instantText(of.from, zone, 'day')}.` : ''}
      </p>
      <p>
        Since <Instant at={of.from} zone={zone} />: {countText(totals.units_denied, 'unit')} locked out,{' '}
        {totals.units_spared} kept open. Nothing is saved yet.
      </p>
      {children}
      {totals.complete ? null : <p class="hint">Of the site’s first {totals.units} units.</p>}
      {of.changes.length === totals.changes ? null : (
        <p class="hint">
          The first {of.changes.length} of {totals.changes} changes are listed.
        </p>
      )}
      {of.not_tried.length === 0 ? null : (
        <p class="hint">
          Without {of.not_tried.map(({ unit_name }) => unit_name).join(', ')}: too much happened there to be
          tried again.
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState icon="circle-check" title="No difference.">
          Every unit would have had the same access.
        </EmptyState>
      ) : (
        <Table
          caption="Units with another access under this policy"
          head={['Unit', 'Tenant', 'From', 'Until', 'Was', 'With this policy']}
          rows={rows}
        />
      )}
    </Section>
  );
}
