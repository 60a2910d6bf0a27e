import { countText, dateText } from '../parts/words.js';
import { type Counted, mostOf } from './columns.js';

const HEIGHT = 76;
const ABOVE = 14;
const BELOW = 30;
/** The part of a day's width that is empty on each side of its column. */
const GAP = 0.14;
/** A column stays visible however small its count is. */
const LOWEST = 2;
const WEEK_DAYS = 7;

interface DayColumnsProps {
  readonly label: string;
  readonly counted: readonly Counted[];
  /** The counted thing, in the singular. */
  readonly one: string;
  /** The date to mark. Later days are expected, not counted. */
  readonly today: string;
}

const WEEKDAYS = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'narrow' });

/** A column for each day, with its count above and its day below. Letters keep their size on every screen. */
export function DayColumns({ label, counted, one, today }: DayColumnsProps) {
  const texts = counted.map(({ date, count }) => textOf({ date, count }, one, today));
  const most = Math.max(1, mostOf(counted));
  const x = (day: number) => `${Math.round((day / counted.length) * 10_000) / 100}%`;
  return (
    <svg
      class="columns"
      height={ABOVE + HEIGHT + BELOW}
      role="img"
      aria-label={`${label}. ${texts.join('; ')}`}
    >
      {counted.map(({ date, count }, day) => {
        const height = count === 0 ? 0 : Math.max((count / most) * HEIGHT, LOWEST);
        const y = ABOVE + HEIGHT - height;
        const isNumbered =
          date === today || (day % WEEK_DAYS === 0 && Math.abs(day - todayIn(counted, today)) > 1);
        return (
          <g key={date} class={date === today ? 'today' : undefined}>
            <title>{texts[day]}</title>
            <rect class="ground" x={x(day)} width={x(1)} height={ABOVE + HEIGHT + BELOW} rx="3" />
            {count === 0 ? null : (
              <>
                <rect
                  class={date > today ? 'column coming' : 'column'}
                  x={x(day + GAP)}
                  y={y}
                  width={x(1 - 2 * GAP)}
                  height={height}
                  rx="2"
                />
                <text class="dark" x={x(day + 0.5)} y={y - 4} text-anchor="middle">
                  {count}
                </text>
              </>
            )}
            <text x={x(day + 0.5)} y={ABOVE + HEIGHT + 14} text-anchor="middle">
              {WEEKDAYS.format(new Date(`${date}T00:00:00Z`))}
            </text>
            {isNumbered ? (
              <text x={x(day + 0.5)} y={ABOVE + HEIGHT + 27} text-anchor="middle">
                {Number(date.slice(8))}
              </text>
            ) : null}
          </g>
        );
      })}
      <line class="axis strong" x1="0" x2="100%" y1={ABOVE + HEIGHT + 0.5} y2={ABOVE + HEIGHT + 0.5} />
    </svg>
  );
}

function todayIn(counted: readonly Counted[], today: string): number {
  return counted.findIndex(({ date }) => date === today);
}

function textOf({ date, count }: Counted, one: string, today: string): string {
  const counts = countText(count, one);
  if (date === today) return `Today, ${dateText(date)}: ${counts}`;
  return `${dateText(date)}: ${counts}${date > today ? ' expected' : ''}`;
}
