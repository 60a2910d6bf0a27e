import type { DataOf } from '../../http/index.js';
import type { LocationOutlookController } from '../../operator/index.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { countText } from '../parts/words.js';

/** What another policy would have brought, as the operator API tells it. */
export type Tried = DataOf<LocationOutlookController['tryOut']>;

interface BacktestProps {
  readonly of: Tried;
  readonly days: number;
  readonly zone: string;
}

/** Whom a policy that is not saved would have denied or spared. */
export function Backtest({ of, days, zone }: BacktestProps) {
  const unitsWith = (wanted: 'denied' | 'spared') =>
    new Set(of.changes.filter(({ effect }) => effect === wanted).map(({ unit_id }) => unit_id)).size;
  const rows = of.changes.map(({ unit_id, unit_name, effect, from, until, actual, proposed }) => ({
    key: `${unit_id}-${from}`,
    cells: [
      <a href={`/dashboard/units/${unit_id}`}>{unit_name}</a>,
      effect === 'denied' ? 'locked out' : 'spared',
      <Instant at={from} zone={zone} />,
      <Instant at={until} zone={zone} otherwise="still" />,
      <StateMark {...actual} />,
      <StateMark {...proposed} />,
    ],
  }));
  return (
    <Section title="What this policy would have done">
      <p class="sentence" role="status">
        {countText(of.tenants_denied.proposed, 'tenant')} would have been locked out in the last {days} days
        instead of {of.tenants_denied.actual}.
      </p>
      <p>
        Since <Instant at={of.from} zone={zone} /> it would have locked out{' '}
        {countText(unitsWith('denied'), 'unit')} that stood open, and spared {unitsWith('spared')} that were
        locked out. Nothing is saved yet.
      </p>
      {of.next_cursor === null ? null : <p class="hint">Of the location’s first {of.units} units.</p>}
      {of.not_tried.length === 0 ? null : (
        <p class="hint">
          Without {of.not_tried.map(({ unit_name }) => unit_name).join(', ')}: too much happened there to be
          told anew.
        </p>
      )}
      {rows.length === 0 ? (
        <Empty>No unit would have been decided otherwise.</Empty>
      ) : (
        <Table
          caption="Units that would have been decided otherwise"
          head={['Unit', 'Would have been', 'From', 'Until', 'Was', 'With it']}
          rows={rows}
        />
      )}
    </Section>
  );
}
