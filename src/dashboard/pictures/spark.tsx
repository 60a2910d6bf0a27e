import type { ComponentChildren } from 'preact';

const WIDTH = 76;
const HEIGHT = 28;
const TOP = 4;
const BOTTOM = 25;
const EDGE = 2;

interface SparkProps {
  /** The picture in words. */
  readonly label: string;
  readonly isBad?: boolean;
}

/** Some days as a line, the last one with a dot. A change that is small beside the values stays small. */
export function SparkLine({
  values,
  label,
  isBad = false,
}: SparkProps & { readonly values: readonly number[] }) {
  const least = Math.min(...values);
  const span = Math.max(Math.max(...values) - least, Math.max(...values) / 5, 1);
  const step = (WIDTH - 2 * EDGE) / Math.max(values.length - 1, 1);
  const points = values.map((value, index) => {
    const y = BOTTOM - ((value - least) / span) * (BOTTOM - TOP);
    return `${round(EDGE + index * step)} ${round(y)}`;
  });
  const line = `M${points.join('L')}`;
  const [x, y] = points.at(-1)!.split(' ') as [string, string];
  return (
    <Spark {...{ label, isBad }}>
      <path class="spark-area" d={`${line}L${x} ${HEIGHT}L${EDGE} ${HEIGHT}Z`} />
      <path class="spark-line" d={line} />
      <circle class="spark-dot" cx={x} cy={y} r="3" />
    </Spark>
  );
}

export interface SparkBar {
  readonly date: string;
  readonly count: number;
  readonly kind?: 'last' | 'coming' | undefined;
}

/** Some days as bars. A day without any has a short one. */
export function SparkBars({
  bars,
  label,
  isBad = false,
}: SparkProps & { readonly bars: readonly SparkBar[] }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const step = WIDTH / bars.length;
  return (
    <Spark {...{ label, isBad }}>
      {bars.map(({ date, count, kind }, index) => {
        const height = count === 0 ? 1.5 : Math.max((count / most) * BOTTOM, 2);
        return (
          <rect
            key={date}
            class={count === 0 ? 'spark-bar zero' : `spark-bar ${kind ?? ''}`.trim()}
            x={round(index * step + 0.75)}
            y={round(HEIGHT - 0.5 - height)}
            width={round(step - 1.5)}
            height={round(height)}
            rx="1"
          />
        );
      })}
    </Spark>
  );
}

function Spark({ label, isBad, children }: SparkProps & { readonly children: ComponentChildren }) {
  return (
    <svg
      class={isBad ? 'spark bad' : 'spark'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
