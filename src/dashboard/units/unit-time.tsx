import { stateText } from '../parts/states.js';
import { Slider } from './as-of-forms.js';
import { chartOf, type ChartData } from './unit-chart.js';
import { UnitChartLegend, UnitChartView } from './unit-chart-view.js';

interface UnitTimeProps extends ChartData {
  readonly zone: string;
  readonly currency: string;
  readonly path: string;
  /** An instant that is looked at, in milliseconds. */
  readonly at?: number | undefined;
}

/** The unit's time as a picture, with a slider as wide as the picture. */
export function UnitTime({ zone, currency, path, at, ...recorded }: UnitTimeProps) {
  const { entries, now } = recorded;
  const chart = chartOf(recorded);
  const stateAt = (instant: number) =>
    stateText(chart.bands.findLast(({ from }) => from <= instant) ?? recorded.current);
  return (
    <>
      <UnitChartView {...{ chart, zone, currency, path, at }} />
      <Slider {...{ path, entries, now, zone, at, stateAt }} />
      <UnitChartLegend />
    </>
  );
}
