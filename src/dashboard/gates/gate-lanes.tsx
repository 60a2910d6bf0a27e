import { scaleLinear } from 'd3-scale';
import { laterBy } from '../pictures/columns.js';
import { TapMark } from '../pictures/tap-mark.js';
import type { TapKind } from '../units/activity-text.js';
import { heatLevel, HOURS, type Lane, WEEKDAYS } from './gate-times.js';

export interface Opening {
  readonly id: string;
  readonly kind: TapKind;
  /** Who, when and what, in words. */
  readonly text: string;
}

/** Width of the nights' names, and of the lanes beside them. The style sheet has the same. */
const LEFT = 132;
const WIDTH = 628;
const EDGE = 8;
const ROW = 22;
const TOP = 18;
const DAY_MINUTES = HOURS * 60;
/** Hours behind the noon that a lane begins with. */
const LABELLED = [0, 6, 12, 18, 24];
const HEAT_LABELLED = [0, 3, 6, 9, 12, 15, 18, 21];

const x = scaleLinear([0, DAY_MINUTES], [EDGE, WIDTH - EDGE]);

const WEEKDAY = { timeZone: 'UTC', weekday: 'short' } as const;
const DAYS = new Intl.DateTimeFormat('en-US', { ...WEEKDAY, day: 'numeric', month: 'short' });
const NEXT_DAYS = new Intl.DateTimeFormat('en-US', WEEKDAY);

/** `Fri, Jan 9 – Sat` */
function nightText(date: string): string {
  const [day, next] = [date, laterBy(date, 1)].map((one) => new Date(`${one}T00:00:00Z`));
  return `${DAYS.format(day)} – ${NEXT_DAYS.format(next)}`;
}

function hourText(hour: number): string {
  return `${hour % 12 || 12} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}

/** Who opened it when: a lane for each night, from noon to noon, a dot for each opening, a cross for each denial, a diamond for an alarm. */
export function GateLanes({ lanes, newest }: GateLanesProps) {
  const height = TOP + lanes.length * ROW;
  return (
    <div class="lanes-frame">
      <svg class="lanes nights" viewBox={`0 0 ${LEFT} ${height + 4}`} aria-hidden="true">
        {lanes.map(({ date }, place) => (
          <text key={date} class="soft" x="0" y={TOP + place * ROW + ROW / 2 + 4}>
            {nightText(date)}
          </text>
        ))}
      </svg>
      <svg
        class="lanes"
        viewBox={`0 0 ${WIDTH} ${height + 4}`}
        role="img"
        aria-label="Openings and denials by night and hour; the table below tells the same."
      >
        {LABELLED.map((hour) => (
          <Hour key={hour} hour={hour} height={height} />
        ))}
        {lanes.map(({ date, marks }, place) => {
          const y = TOP + place * ROW;
          return (
            <g key={date}>
              <line class="axis" x1="0" x2={WIDTH - EDGE} y1={y + ROW} y2={y + ROW} />
              {marks.map(({ minute, one }) => (
                <TapMark key={one.id} x={x(minute)} y={y + ROW / 2} {...one} isNewest={one.id === newest} />
              ))}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface GateLanesProps {
  readonly lanes: readonly Lane<Opening>[];
  /** The id of the newest mark: on a phone the picture begins there. */
  readonly newest: string | undefined;
}

function Hour({ hour, height }: { readonly hour: number; readonly height: number }) {
  const [at, anchor] = [x(hour * 60), hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle'];
  return (
    <g>
      <line class={hour === 12 ? 'axis midnight' : 'axis'} x1={at} x2={at} y1={TOP} y2={height} />
      <text class="soft" x={at} y="12" text-anchor={anchor}>
        {hourText(hour + 12)}
      </text>
    </g>
  );
}

const CELL = 28;
/** The darkest cell stands for at least so many: one opening in an hour is not busy. */
const LEAST_MOST = 4;

/** How busy it is, by weekday and hour: a darker cell and a number. */
export function GateHeat({ heat }: { readonly heat: readonly (readonly number[])[] }) {
  const most = Math.max(LEAST_MOST, ...heat.flat());
  return (
    <svg
      class="heat"
      viewBox={`0 0 ${40 + HOURS * CELL} ${TOP + WEEKDAYS.length * CELL}`}
      role="img"
      aria-label={heatText(heat)}
    >
      {HEAT_LABELLED.map((hour) => (
        <text key={hour} class="soft" x={40 + hour * CELL + 1} y="12">
          {hourText(hour)}
        </text>
      ))}
      {heat.map((hours, weekday) => (
        <g key={WEEKDAYS[weekday]}>
          <text class="soft" x="0" y={TOP + weekday * CELL + 18}>
            {WEEKDAYS[weekday]}
          </text>
          {hours.map((count, hour) => (
            <Cell key={hour} {...{ count, hour, weekday }} level={heatLevel(count, most)} />
          ))}
        </g>
      ))}
    </svg>
  );
}

interface CellProps {
  readonly count: number;
  readonly hour: number;
  readonly weekday: number;
  readonly level: number;
}

function Cell({ count, hour, weekday, level }: CellProps) {
  const [left, top] = [40 + hour * CELL, TOP + weekday * CELL];
  return (
    <g class={`heat-${level}`}>
      <title>{`${WEEKDAYS[weekday]} ${hourText(hour)}: ${count}`}</title>
      <rect x={left + 1} y={top + 1} width={CELL - 2} height={CELL - 2} rx="3" />
      {count === 0 ? null : (
        <text x={left + CELL / 2} y={top + 18} text-anchor="middle">
          {count}
        </text>
      )}
    </g>
  );
}

/** The busiest hours in words. */
function heatText(heat: readonly (readonly number[])[]): string {
  const cells = heat.flatMap((hours, weekday) =>
    hours.map((count, hour) => ({ count, text: `${WEEKDAYS[weekday]} ${hourText(hour)}: ${count}` })),
  );
  const busiest = cells
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, 5);
  return `Openings by weekday and hour. Busiest: ${busiest.map(({ text }) => text).join('; ') || 'none'}`;
}
