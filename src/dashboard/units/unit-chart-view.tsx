import { shownStateOf, shownStateText, stateText } from '../parts/states.js';
import { TapMark } from '../pictures/tap-mark.js';
import { amountText, instantText } from '../parts/words.js';
import { type ChartTap, type Band, type UnitChart, type Plot, plotOf, ticksOf } from './unit-chart.js';

/** Horizontal positions are percentages, so that words and marks keep their size on a phone. */
const WIDTH = 100;
const BAND = { top: 18, height: 30, edge: 3 };
const BALANCE = { top: 68, bottom: 104 };
const TAPS = 118;
const HEIGHT = 150;
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
  const ticks = labelledTicks(chart, zone);
  return (
    <svg
      class="unit-chart"
      height={HEIGHT}
      role="group"
      aria-label="Access, balance and taps through time; the entries below show the same."
    >
      <Hatch />
      {ticks.map(({ tick }) => (
        <line
          key={tick}
          class="axis"
          x1={`${plot.x(tick)}%`}
          x2={`${plot.x(tick)}%`}
          y1={BAND.top}
          y2={TAPS + 8}
        />
      ))}
      {chart.bands.map((band) => (
        <BandOf key={band.from} band={band} plot={plot} zone={zone} path={path} />
      ))}
      <LastBand of={chart.bands.at(-1)} plot={plot} zone={zone} />
      <Balance {...{ chart, plot, zone, currency }} />
      {chart.attempts.map((attempt) => (
        <Tap key={attempt.id} attempt={attempt} x={plot.x(attempt.at)} zone={zone} />
      ))}
      {ticks.map(({ tick, label, anchor }, index) => (
        <text
          key={tick}
          class={index % 2 === 1 ? 'soft wide-only' : 'soft'}
          x={`${plot.x(tick)}%`}
          y={HEIGHT - 6}
          text-anchor={anchor}
        >
          {tick === chart.to && index > 0 ? 'Now' : label}
        </text>
      ))}
      <line class="at" x1={marked} x2={marked} y1="0" y2={TAPS + 8} />
    </svg>
  );
}

const DAY_MS = 86_400_000;
/** Within so many days no day has the name of another. */
const DAYS_WITHOUT_YEAR = 300;

/** Ticks with the time of day where they are less than a day apart; no two are labelled alike. */
export function labelledTicks({ from, to }: Pick<UnitChart, 'from' | 'to'>, zone: string) {
  const isShort = (to - from) / (TICKS - 1) < DAY_MS;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    month: 'short',
    day: 'numeric',
    ...(isShort && ({ hour: 'numeric', minute: '2-digit' } as const)),
    ...(to - from > DAYS_WITHOUT_YEAR * DAY_MS && ({ year: 'numeric' } as const)),
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
        {overridden ? <rect {...box} fill="url(#hatch)" /> : null}
        <rect
          class={`band-edge ${shown}`}
          x={box.x}
          y={BAND.top + BAND.height - BAND.edge}
          width={box.width}
          height={BAND.edge}
        />
      </a>
      {width > WORDS.least ? (
        <text
          class={`band-text ${shown}${width > WORDS.onPhone ? '' : ' wide-only'}`}
          x={`${x}%`}
          dx="5"
          y={BAND.top + 18}
          aria-hidden="true"
        >
          {overridden ? 'Set by staff' : shownStateText(shown)}
        </text>
      ) : null}
    </>
  );
}

interface LastProps extends Pick<BandProps, 'plot' | 'zone'> {
  readonly of: Band | undefined;
}

/** Above the last band, where it has no room for its words. */
function LastBand({ of, plot, zone }: LastProps) {
  // All of a picture without any duration is at its beginning.
  if (of === undefined || plot.x(of.to) < WIDTH || WIDTH - plot.x(of.from) > WORDS.least) return null;
  const shown = shownStateOf(of);
  return (
    <text class={`band-text ${shown}`} x="100%" y={BAND.top - 6} text-anchor="end" aria-hidden="true">
      {shownStateText(shown)} since {instantText(of.from, zone, 'day')}
    </text>
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
        <path class="balance-area" d={`${plot.path}V${BALANCE.bottom}H${plot.x(chart.balance[0]!.at)}Z`} />
        <path class="balance" d={plot.path} />
      </svg>
      <text class="soft" x="2" y={BALANCE.top - 6}>
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
  return <TapMark kind={kind} x={x} y={TAPS} texts={[`${text}, ${instantText(at, zone)}`]} />;
}

export function UnitChartLegend() {
  return (
    <p class="key">
      <span>
        <i class="swatch hatched" aria-hidden="true" />
        Set by staff
      </span>
      <span>
        <i class="swatch line" aria-hidden="true" />
        Balance
      </span>
      <span>
        <i class="swatch pay" aria-hidden="true" />
        Payment
      </span>
      <span>
        <i class="swatch tap" aria-hidden="true" />
        Opened
      </span>
      <span>
        <i class="swatch cross" aria-hidden="true" />
        Denied or failed
      </span>
      <span>
        <i class="swatch diamond" aria-hidden="true" />
        Opened while locked out
      </span>
    </p>
  );
}
