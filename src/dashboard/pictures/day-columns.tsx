import { countText, dateText } from '../parts/words.js';
import { columnsOf, type Counted } from './columns.js';

const WIDTH_OF_DAY = 40;
const HEIGHT = 70;
const ABOVE = 16;

interface DayColumnsProps {
  readonly label: string;
  readonly counted: readonly Counted[];
  /** What is counted, in the singular. */
  readonly one: string;
}

const WEEKDAYS = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' });

/** A column for each day, with its count above and its day below. */
export function DayColumns({ label, counted, one }: DayColumnsProps) {
  const size = { width: counted.length * WIDTH_OF_DAY, height: HEIGHT };
  const told = counted.map(({ date, count }) => `${dateText(date)}: ${countText(count, one)}`);
  return (
    <svg
      class="columns"
      viewBox={`0 0 ${size.width} ${HEIGHT + ABOVE + 32}`}
      role="img"
      aria-label={`${label}. ${told.join('; ')}`}
    >
      {columnsOf(counted, size).map(({ date, count, x, y, width, height }, place) => (
        <g key={date}>
          <title>{told[place]}</title>
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
