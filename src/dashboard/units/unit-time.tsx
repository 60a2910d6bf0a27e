import { invalidField } from '#kernel/errors/api-error.js';
import { Tabs } from '../parts/layout.js';
import { instantText } from '../parts/words.js';
import { stateText } from '../parts/states.js';
import { Slider } from './as-of-forms.js';
import { chartOf, chartSince, type ChartData } from './unit-chart.js';
import { UnitChartLegend, UnitChartView } from './unit-chart-view.js';

interface UnitTimeProps extends ChartData {
  readonly zone: string;
  readonly currency: string;
  readonly path: string;
  /** An instant that is looked at, in milliseconds. */
  readonly at?: number | undefined;
  /** The picture begins then at the earliest, in milliseconds. Absent: with the unit. */
  readonly since?: number | undefined;
}

/** The unit's time as a picture, with a slider as wide as the picture. */
export function UnitTime({ zone, currency, path, at, since, ...recorded }: UnitTimeProps) {
  const { now } = recorded;
  const chart = chartSince(chartOf(recorded), since);
  const stateAt = (instant: number) =>
    stateText(chart.bands.findLast(({ from }) => from <= instant) ?? recorded.current);
  return (
    <>
      <UnitChartView {...{ chart, zone, currency, path, at }} />
      <Slider {...{ path, now, zone, at, stateAt }} begins={chart.from}>
        <UnitChartLegend />
      </Slider>
    </>
  );
}

const PERIODS = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['all', 'All'],
] as const;

/** How much of a unit's time its page shows. */
export type Period = (typeof PERIODS)[number][0];

const DAY_MS = 24 * 60 * 60_000;

/** @throws ApiError 422 for another word than those of the page */
export function periodOf(text = '90'): Period {
  const period = PERIODS.find(([value]) => value === text)?.[0];
  if (period === undefined) throw invalidField('days', 'unknown_value', 'The days must be 30, 90 or all.');
  return period;
}

interface TimeCardProps extends UnitTimeProps {
  readonly period: Period;
}

/** The time of a unit on its page: the last 90 days unless asked otherwise. */
export function TimeCard({ period, ...of }: TimeCardProps) {
  const since = period === 'all' ? undefined : of.now - Number(period) * DAY_MS;
  const first = of.entries.at(-1);
  const begins = Math.max(first === undefined ? of.now : Date.parse(first.occurred_at), since ?? 0);
  const hrefOf = (value: Period) => `${of.path}?days=${value}`;
  return (
    <section class="card bare" aria-labelledby="time-head">
      <div class="card-head">
        <h2 id="time-head">Since {instantText(begins, of.zone, 'day')}</h2>
        <div class="end">
          <Tabs
            of={PERIODS.map(([value, text]) => [hrefOf(value), text] as const)}
            current={hrefOf(period)}
            label="How far back"
            kind="segments"
          />
        </div>
      </div>
      <div class="card-body">
        <UnitTime {...of} since={since} />
      </div>
    </section>
  );
}
