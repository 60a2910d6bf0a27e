import { countText, dateText } from '../parts/words.js';
import { columnsOf, type Counted } from './columns.js';

const WIDTH_OF_DAY = 24;
const HEIGHT = 70;
const ABOVE = 16;
const BELOW = 32;

interface DayColumnsProps {
  readonly label: string;
  readonly counted: readonly Counted[];
  /** The counted thing, in the singular. */
  readonly one: string;
  /** The count of a column of full height. Pictures side by side share it. */
  readonly most: number;
  /** The days are expected, not counted. */
  readonly expected?: boolean;
  /** The date to mark. */
  readonly today?: string;
}

const WEEKDAYS = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'narrow' });

/** A column for each day, with its count above and its day below. */
export function DayColumns({ label, counted, one, most, expected, today }: DayColumnsProps) {
  const size = { width: counted.length * WIDTH_OF_DAY, height: HEIGHT, most };
  const dayText = (date: string) => (date === today ? `Today, ${dateText(date)}` : dateText(date));
  const texts = counted.map(({ date, count }) => `${dayText(date)}: ${countText(count, one)}`);
  return (
    <svg
      class={expected ? 'columns expected' : 'columns'}
      viewBox={`0 0 ${size.width} ${ABOVE + HEIGHT + BELOW}`}
      role="img"
      aria-label={`${label}. ${texts.join('; ')}`}
    >
      {columnsOf(counted, size).map(({ date, count, x, y, width, height }, index) => (
        <g key={date} class={date === today ? 'today' : undefined}>
          <title>{texts[index]}</title>
          <rect
            class="ground"
            x={index * WIDTH_OF_DAY}
            width={WIDTH_OF_DAY}
            height={ABOVE + HEIGHT + BELOW}
            rx="3"
          />
          <rect class="column" x={x} y={ABOVE + y} width={width} height={height} rx="2" />
          {count === 0 ? null : (
            <text x={x + width / 2} y={ABOVE + y - 4} text-anchor="middle">
              {count}
            </text>
          )}
          <text class="soft" x={x + width / 2} y={ABOVE + HEIGHT + 14} text-anchor="middle">
            {WEEKDAYS.format(new Date(`${date}T00:00:00Z`))}
          </text>
          <text class="soft" x={x + width / 2} y={ABOVE + HEIGHT + 27} text-anchor="middle">
            {Number(date.slice(8))}
          </text>
        </g>
      ))}
      <line class="axis" x1="0" x2={size.width} y1={ABOVE + HEIGHT} y2={ABOVE + HEIGHT} />
    </svg>
  );
}
