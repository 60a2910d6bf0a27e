import { shownStateOf, shownStateText, stateText } from '../parts/states.js';
import { TapLegend, TapMark } from '../pictures/tap-mark.js';
import { amountText, instantText } from '../parts/words.js';
import { type ChartTap, type Band, type UnitChart, type Plot, plotOf, ticksOf } from './unit-chart.js';

/** Horizontal positions are percentages, so that words and marks keep their size on a phone. */
const WIDTH = 100;
const BAND = { top: 2, height: 28 };
const BALANCE = { top: 50, bottom: 98 };
const TAPS = 110;
const HEIGHT = 140;
/** Width of the shortest period, so that it can be seen and clicked. */
const NARROWEST = 0.8;
/** A band less wide than the first has no room for its words; one less wide than the other has none on a phone. */
const WORDS = { least: 10, onPhone: 25 };
const TICKS = 5;

interface UnitChartViewProps {
  readonly chart: UnitChart;
  readonly zone: string;
  readonly currency: string;
  readonly path: string;
  /** An instant that is looked at, in milliseconds. */
  readonly at?: number | undefined;
}

/** A unit through time: access, overrides hatched, balance, payments and taps. Each band leads to the page of then. */
export function UnitChartView({ chart, zone, currency, path, at = chart.to }: UnitChartViewProps) {
  const plot = plotOf(chart, WIDTH, BALANCE.top, BALANCE.bottom);
  const marked = `${plot.x(at)}%`;
  return (
    <svg
      class="unit-chart"
      height={HEIGHT}
      role="group"
      aria-label="Access, balance and taps through time; the entries below show the same."
    >
      <Hatch />
      {chart.bands.map((band) => (
        <BandOf key={band.from} band={band} plot={plot} zone={zone} path={path} />
      ))}
      <Balance {...{ chart, plot, zone, currency }} />
      {chart.attempts.map((attempt) => (
        <Tap key={attempt.id} attempt={attempt} x={plot.x(attempt.at)} zone={zone} />
      ))}
      {labelledTicks(chart, zone).map(({ tick, label, anchor }, index) => (
        <text
          key={tick}
          class={index % 2 === 1 ? 'soft wide-only' : 'soft'}
          x={`${plot.x(tick)}%`}
          y={HEIGHT - 6}
          text-anchor={anchor}
        >
          {label}
        </text>
      ))}
      <line class="at" x1={marked} x2={marked} y1="0" y2={TAPS + 8} />
    </svg>
  );
}

const DAY_MS = 86_400_000;

/** Ticks with the time of day where they are less than a day apart; no two are labelled alike. */
export function labelledTicks({ from, to }: Pick<UnitChart, 'from' | 'to'>, zone: string) {
  const isShort = (to - from) / (TICKS - 1) < DAY_MS;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    month: 'short',
    day: 'numeric',
    ...(isShort ? { hour: 'numeric', minute: '2-digit' } : { year: 'numeric' }),
  });
  const ticks = ticksOf(from, to, TICKS).map((tick, index) => ({
    tick,
    label: format.format(tick),
    anchor: anchorOf(index),
  }));
  return ticks.filter(({ label }, index) => ticks.findIndex((one) => one.label === label) === index);
}

function anchorOf(index: number): 'start' | 'middle' | 'end' {
  if (index === 0) return 'start';
  return index === TICKS - 1 ? 'end' : 'middle';
}

function Hatch() {
  return (
    <defs>
      <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch" x1="0" y1="0" x2="0" y2="6" />
      </pattern>
    </defs>
  );
}

interface BandProps {
  readonly band: Band;
  readonly plot: Plot;
  readonly zone: string;
  readonly path: string;
}

function BandOf({ band: { state, reason, overridden, from, to }, plot, zone, path }: BandProps) {
  const shown = shownStateOf({ state, reason });
  const label = `${stateText({ state, reason })}, from ${instantText(from, zone)} to ${instantText(to, zone)}`;
  const x = plot.x(from);
  const width = Math.max(plot.x(to) - plot.x(from), NARROWEST);
  const left = Math.min(x, WIDTH - NARROWEST);
  const box = { x: `${left}%`, y: BAND.top, width: `${width}%`, height: BAND.height };
  return (
    <>
      <a
        href={`${path}?at=${new Date(from).toISOString()}`}
        aria-label={label}
        data-from={from}
        data-state={stateText({ state, reason })}
      >
        <rect class={`band ${shown}`} {...box}>
          <title>{label}</title>
        </rect>
        {overridden ? <rect class="overridden" {...box} fill="url(#hatch)" /> : null}
      </a>
      {width > WORDS.least ? (
        <text
          class={width > WORDS.onPhone ? 'band-text' : 'band-text wide-only'}
          x={`${x}%`}
          dx="5"
          y={BAND.top + 19}
          aria-hidden="true"
        >
          {overridden ? 'Override' : shownStateText(shown)}
        </text>
      ) : null}
    </>
  );
}

interface BalanceProps extends Pick<UnitChartViewProps, 'chart' | 'zone' | 'currency'> {
  readonly plot: Plot;
}

function Balance({ chart, plot, zone, currency }: BalanceProps) {
  return (
    <g>
      <line class="axis" x1="0" x2="100%" y1={BALANCE.bottom} y2={BALANCE.bottom} />
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <path class="balance" d={plot.path} />
      </svg>
      <text class="soft" x="2" y={BALANCE.top - 5}>
        {plot.most === 0 ? 'Owes nothing' : `Balance, up to ${amountText(plot.most, currency)}`}
      </text>
      {chart.payments.map(({ at, amount }) => (
        <circle key={at} class="payment" cx={`${plot.x(at)}%`} cy={BALANCE.bottom} r="4">
          <title>{`Balance fell by ${amountText(amount, currency)}, ${instantText(at, zone)}`}</title>
        </circle>
      ))}
    </g>
  );
}

interface TapProps {
  readonly attempt: ChartTap;
  readonly x: number;
  readonly zone: string;
}

function Tap({ attempt: { at, kind, text }, x, zone }: TapProps) {
  return <TapMark kind={kind} x={x} y={TAPS} text={`${text}, ${instantText(at, zone)}`} />;
}

export function UnitChartLegend() {
  return (
    <p class="hint chart-legend">
      Hatched: an override. Line: the balance. <span class="dot payment-dot" aria-hidden="true" /> payment{' '}
      <TapLegend />
    </p>
  );
}
