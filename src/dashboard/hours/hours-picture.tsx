import type { AccessHours, HoursException } from '#domain/locations/index.js';
import { dayText, hoursText } from './hours-texts.js';

/** The parts of a day in which gates are open, in hours since its midnight. */
export interface PicturedDay {
  readonly date: string;
  readonly text: string;
  readonly isException: boolean;
  readonly open: readonly { readonly from: number; readonly to: number }[];
}

const ROW = 22;
const TOP = 18;
const HOURS = 24;
const LABELLED = [
  [0, '12 AM'],
  [6, '6 AM'],
  [12, '12 PM'],
  [18, '6 PM'],
  [24, '12 AM'],
] as const;

interface HoursPictureProps {
  readonly days: readonly PicturedDay[];
}

/** The next days as bars, from midnight to midnight. The names say the same in words. */
export function HoursPicture({ days }: HoursPictureProps) {
  const height = TOP + days.length * ROW + 4;
  return (
    <div class="rows hours-days">
      <svg class="names" height={height} aria-hidden="true">
        {days.map(({ date, text }, index) => (
          <text key={date} class="soft" x="0" y={TOP + index * ROW + ROW / 2 + 4}>
            {dayText(date)}: {text}
          </text>
        ))}
      </svg>
      <svg class="day" height={height} role="img" aria-label={pictureText(days)}>
        {LABELLED.map(([hour, text]) => (
          <g key={hour}>
            <line class="axis" x1={percent(hour)} x2={percent(hour)} y1={TOP} y2={height} />
            <text class="soft" x={percent(hour)} y={12} text-anchor={hour === HOURS ? 'end' : 'start'}>
              {text}
            </text>
          </g>
        ))}
        {days.flatMap(({ date, open, isException }, index) =>
          open.map(({ from, to }) => (
            <rect
              key={`${date} ${from}`}
              class={isException ? 'open other' : 'open'}
              x={percent(from)}
              width={percent(to - from)}
              y={TOP + index * ROW + 4}
              height={ROW - 8}
              rx="3"
            />
          )),
        )}
      </svg>
    </div>
  );
}

function percent(hour: number): string {
  return `${Math.round((hour / HOURS) * 10_000) / 100}%`;
}

function pictureText(days: readonly PicturedDay[]): string {
  return days.map(({ date, text }) => `${dayText(date)}: ${text}`).join('. ');
}

export function textOfDay(hours: AccessHours['week']['mon'], exception: HoursException | undefined): string {
  const text = hoursText(hours);
  return exception?.name === undefined ? text : `${text}, ${exception.name}`;
}
