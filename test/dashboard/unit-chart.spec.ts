import { labelledTicks } from '#dashboard/units/unit-chart-view.js';
import { chartOf, chartSince, plotOf, type ChartData, ticksOf } from '#dashboard/units/unit-chart.js';

type Entry = ChartData['entries'][number];
type Report = ChartData['reports'][number];

const HOUR = 60 * 60_000;
const at = (hour: number) => new Date(hour * HOUR).toISOString();
const current = { state: 'tenant_permitted', reason: 'active', balance: 0 } as const;

const entry = (hour: number, more: Partial<Entry>): Entry => ({
  revision: hour,
  type: 'UnitFactsChanged',
  occurred_at: at(hour),
  actor: { kind: 'system', id: 'x', name: null },
  command_id: null,
  request_id: null,
  changes: {},
  hash: null,
  ...more,
});
const open = { state: 'tenant_permitted', reason: 'active' } as const;
const denied = { state: 'tenant_denied', reason: 'delinquent' } as const;
const exempt = { state: 'tenant_permitted', reason: 'system_exempt' } as const;

describe('the chart of a unit', () => {
  it('has a band for each stretch of access, and knows overrides', () => {
    const entries = [
      entry(8, { access: { from: denied, to: exempt } }),
      entry(4, { access: { from: open, to: denied } }),
      entry(0, {}),
    ];
    const { bands, from, to } = chartOf({ entries, reports: [], current, now: 10 * HOUR });
    expect([from, to]).toEqual([0, 10 * HOUR]);
    expect(bands).toEqual([
      { ...open, overridden: false, from: 0, to: 4 * HOUR },
      { ...denied, overridden: false, from: 4 * HOUR, to: 8 * HOUR },
      { ...exempt, overridden: true, from: 8 * HOUR, to: 10 * HOUR },
    ]);
  });

  it('begins with the registration, and stays as it is where nothing changed', () => {
    const born = [entry(2, { access: { from: null, to: open } })];
    expect(chartOf({ entries: born, reports: [], current, now: 3 * HOUR }).bands).toHaveLength(1);
    const quiet = chartOf({ entries: [entry(2, {})], reports: [], current, now: 3 * HOUR });
    expect(quiet.bands).toEqual([{ ...open, overridden: false, from: 2 * HOUR, to: 3 * HOUR }]);
    expect(quiet.balance).toEqual([{ at: 2 * HOUR, amount: 0 }]);
  });

  it('of the last days begins with the access and the balance of their first instant', () => {
    const entries = [
      entry(6, { access: { from: denied, to: open }, changes: { balance_due: { from: 50, to: 0 } } }),
      entry(2, { access: { from: open, to: denied }, changes: { balance_due: { from: 0, to: 50 } } }),
      entry(0, {}),
    ];
    const whole = chartOf({ entries, reports: [], current, now: 10 * HOUR });
    const last = chartSince(whole, 4 * HOUR);
    expect(last.from).toBe(4 * HOUR);
    expect(last.bands.map(({ state, from }) => [state, from])).toEqual([
      ['tenant_denied', 4 * HOUR],
      ['tenant_permitted', 6 * HOUR],
    ]);
    expect(last.balance[0]).toEqual({ at: 4 * HOUR, amount: 50 });
    expect(chartSince(whole, -HOUR)).toEqual(whole);
  });

  it('shows access that began just now', () => {
    const entries = [entry(2, { access: { from: open, to: denied } }), entry(0, {})];
    const { bands } = chartOf({ entries, reports: [], current, now: 2 * HOUR });
    expect(bands.map(({ state }) => state)).toEqual(['tenant_permitted', 'tenant_denied']);
  });

  it('tells the balance and what was paid', () => {
    const entries = [
      entry(6, { changes: { balance_due: { from: 50, to: 20 } } }),
      entry(3, { changes: { balance_due: { from: 0, to: 50 } } }),
    ];
    const chart = chartOf({ entries, reports: [], current, now: 9 * HOUR });
    expect(chart.balance.map(({ amount }) => amount)).toEqual([0, 50, 20]);
    expect(chart.payments).toEqual([{ at: 6 * HOUR, amount: 30 }]);
    const plot = plotOf(chart, 600, 0, 100);
    // Steps: nothing is owed before it is written.
    expect(plot.path).toBe('M0,100H0V0H300V60H600');
    expect([plot.most, plot.x(3 * HOUR), plot.x(99 * HOUR)]).toEqual([50, 0, 600]);
  });

  it('marks taps within it: openings, refusals, failures, and openings while locked out', () => {
    const tap = (hour: number, result: string, more: object = {}) =>
      ({
        failure_code: null,
        ...more,
        log_id: `${hour}`,
        occurred_at: at(hour),
        recorded_at: at(hour),
        result,
        event: 'unlock',
      }) as Report;
    const denied_units = [{ unit_id: 'U', unit_name: 'A-1', state: 'tenant_denied', reason: 'delinquent' }];
    const alarm = tap(6, 'success', { denied_units });
    const refused = tap(4.5, 'failure', { failure_code: 'key_expired' });
    const reports = [alarm, tap(5, 'failure'), refused, tap(4, 'success'), tap(1, 'success')];
    const { attempts } = chartOf({ entries: [entry(2, {})], reports, current, now: 9 * HOUR });
    expect(attempts.map(({ id, kind, text }) => [id, kind, text])).toEqual([
      ['6', 'alarm', 'Opened while locked out: A-1'],
      ['5', 'failed', 'Failed'],
      ['4.5', 'refused', 'Denied: key expired'],
      ['4', 'opened', 'Opened'],
    ]);
  });
});

it('has ticks from end to end', () => {
  expect(ticksOf(0, 100, 5)).toEqual([0, 25, 50, 75, 100]);
});

it.each([
  [90 * 24, ['Jan 1', 'Jan 23', 'Feb 15', 'Mar 9', 'Apr 1']],
  [400 * 24, ['Jan 1, 1970', 'Apr 11, 1970', 'Jul 20, 1970', 'Oct 28, 1970', 'Feb 5, 1971']],
  [8, ['Jan 1, 12:00 AM', 'Jan 1, 2:00 AM', 'Jan 1, 4:00 AM', 'Jan 1, 6:00 AM', 'Jan 1, 8:00 AM']],
  [1 / 60, ['Jan 1, 12:00 AM', 'Jan 1, 12:01 AM']],
])('labels no two ticks of %d hours alike', (hours, labels) => {
  const ticks = labelledTicks({ from: 0, to: hours * HOUR }, 'UTC');
  expect(ticks.map(({ label }) => label.replace('\u202f', ' '))).toEqual(labels);
});
