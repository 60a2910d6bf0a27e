import type { ComponentChildren } from 'preact';
import { laterBy } from '../pictures/columns.js';
import { TapMark } from '../pictures/tap-mark.js';
import { heatLevel, HOURS, type NightLane, WEEKDAYS } from './gate-times.js';
import { laneMarks, type LaneTap, levelsOf } from './lane-marks.js';

/** A lane whose signs are in one row. */
const ROW = 22;
/** Each further row of signs. */
const LEVEL = 16;
const TOP = 18;
/** Hours behind the noon that a lane begins with. */
const LABELLED = [0, 6, 12, 18, 24];
const HEAT_LABELLED = [0, 3, 6, 9, 12, 15, 18, 21];

/** The horizontal position of an hour, in percent of a day. */
const x = (hour: number) => (hour / HOURS) * 100;

const WEEKDAY = { timeZone: 'UTC', weekday: 'short' } as const;
const DAYS = new Intl.DateTimeFormat('en-US', { ...WEEKDAY, day: 'numeric', month: 'short' });
const NEXT_DAYS = new Intl.DateTimeFormat('en-US', WEEKDAY);

/** In UTC, as the formats are. */
function startOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** `Fri, Jan 9 – Sat` */
function nightText(date: string): string {
  return `${DAYS.format(startOf(date))} – ${NEXT_DAYS.format(startOf(laterBy(date, 1)))}`;
}

function hourText(hour: number): string {
  return `${hour % 12 || 12} ${hour % 24 < 12 ? 'AM' : 'PM'}`;
}

interface Row {
  readonly name: string;
  readonly top: number;
  readonly height: number;
}

/** Rows one below the other. */
function stacked(rows: readonly Pick<Row, 'name' | 'height'>[]): Row[] {
  let top = TOP;
  return rows.map(({ name, height }) => {
    const row = { name, top, height };
    top += height;
    return row;
  });
}

function bottomOf(rows: readonly Row[]): number {
  const last = rows.at(-1);
  return last === undefined ? TOP : last.top + last.height;
}

interface RowsProps {
  readonly of: readonly Row[];
  /** The picture in words. */
  readonly label: string;
  readonly kind: 'lanes' | 'heat';
  readonly children: ComponentChildren;
}

/** Rows with their names. The rows are as wide as the page allows. */
function Rows({ of: rows, label, kind, children }: RowsProps) {
  const height = bottomOf(rows) + 4;
  return (
    <div class={`rows ${kind}`}>
      <svg class="names" height={height} aria-hidden="true">
        {rows.map(({ name, top, height: row }) => (
          <text key={name} class="soft" x="0" y={top + row / 2 + 4}>
            {name}
          </text>
        ))}
      </svg>
      <svg class="day" height={height} role="img" aria-label={label}>
        {children}
      </svg>
    </div>
  );
}

/** One lane for each night, from noon to noon. A dot is an opening, a cross a denial or failure, a diamond an alarm. */
export function GateLanes({ lanes }: { readonly lanes: readonly NightLane<LaneTap>[] }) {
  const marksOf = lanes.map(({ marks }) => laneMarks(marks));
  const rows = stacked(
    lanes.map(({ date }, index) => ({
      name: nightText(date),
      height: ROW + (levelsOf(marksOf[index]!) - 1) * LEVEL,
    })),
  );
  return (
    <Rows
      of={rows}
      label="Openings, denials and failures by night and hour; the table below shows the same."
      kind="lanes"
    >
      {LABELLED.map((hour) => (
        <Hour key={hour} hour={hour} height={bottomOf(rows)} />
      ))}
      {rows.map(({ name, top, height }, index) => (
        <g key={name}>
          <line class="axis" x1="0" x2="100%" y1={top + height} y2={top + height} />
          {marksOf[index]!.map(({ id, kind, minute, texts, level }) => (
            <TapMark
              key={id}
              kind={kind}
              x={x(minute / 60)}
              y={top + height - ROW / 2 - level * LEVEL}
              texts={texts}
            />
          ))}
        </g>
      ))}
    </Rows>
  );
}

function Hour({ hour, height }: { readonly hour: number; readonly height: number }) {
  const at = `${x(hour)}%`;
  const anchor = hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle';
  return (
    <g>
      <line class="axis" x1={at} x2={at} y1={TOP} y2={height} />
      <text class={hour % 12 === 0 ? 'soft' : 'soft wide-only'} x={at} y="12" text-anchor={anchor}>
        {hourText(hour + 12)}
      </text>
    </g>
  );
}

const CELL = 28;
/** The darkest cell means at least this many, because one opening in an hour is not busy. */
const LEAST_MOST = 4;

/** How busy it is, by weekday and hour: a darker cell and a number. */
export function GateHeat({ heat }: { readonly heat: readonly (readonly number[])[] }) {
  const most = Math.max(LEAST_MOST, ...heat.flat());
  return (
    <Rows of={stacked(WEEKDAYS.map((name) => ({ name, height: CELL })))} label={heatText(heat)} kind="heat">
      {HEAT_LABELLED.map((hour) => (
        <text key={hour} class={hour % 6 === 0 ? 'soft' : 'soft wide-only'} x={`${x(hour)}%`} y="12">
          {hourText(hour)}
        </text>
      ))}
      {heat.map((hours, weekday) => (
        <g key={WEEKDAYS[weekday]}>
          {hours.map((count, hour) => (
            <Cell key={hour} {...{ count, hour, weekday }} level={heatLevel(count, most)} />
          ))}
        </g>
      ))}
    </Rows>
  );
}

interface CellProps {
  readonly count: number;
  readonly hour: number;
  readonly weekday: number;
  readonly level: number;
}

function Cell({ count, hour, weekday, level }: CellProps) {
  const top = TOP + weekday * CELL;
  return (
    <g class={`heat-${level}`}>
      <title>{`${WEEKDAYS[weekday]} ${hourText(hour)}: ${count}`}</title>
      <rect x={`${x(hour)}%`} y={top} width={`${x(1)}%`} height={CELL} rx="4" />
      {count === 0 ? null : (
        <text x={`${x(hour + 0.5)}%`} y={top + 18} text-anchor="middle">
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
