import type { ComponentChildren } from 'preact';
import { ZoneName } from '../parts/times.js';

/** A part of a day in which gates are open, in hours since its midnight. */
interface OpenHours {
  readonly from: number;
  readonly to: number;
  /** It began on a day with hours of its own. */
  readonly isException: boolean;
}

export interface PicturedDay {
  /** `Mon, Dec 7`, `Monday` */
  readonly name: string;
  /** The same hours in words. */
  readonly text: string;
  readonly open: readonly OpenHours[];
  /** The present hour since midnight. Undefined on any other day than today. */
  readonly now?: number | undefined;
}

const BAR_HEIGHT = 14;
const SCALE_HEIGHT = 16;
const HOURS = 24;
const LABELLED = [
  [0, '12 AM'],
  [6, '6 AM'],
  [12, '12 PM'],
  [18, '6 PM'],
  [24, '12 AM'],
] as const;
/** The hours of the lines within a bar. */
const LINES = [6, 12, 18];

interface DaysProps {
  readonly days: readonly PicturedDay[];
}

interface NextDaysProps extends DaysProps {
  /** Time zone of the site. */
  readonly zone: string;
}

/** A card of the next days. */
export function NextDays({ days, zone }: NextDaysProps) {
  const hasOthers = days.some(({ open }) => open.some(({ isException }) => isException));
  return (
    <section class="card bare" aria-labelledby="next-days">
      <div class="card-head">
        <h2 id="next-days">The next {days.length} days</h2>
        <span class="count">
          <ZoneName zone={zone} />
        </span>
        <p class="key end">
          <span>
            <i class="swatch good" />
            Open
          </span>
          {hasOthers ? (
            <span>
              <i class="swatch warn" />
              Other hours
            </span>
          ) : null}
          <span>
            <i class="swatch closed" />
            Closed
          </span>
        </p>
      </div>
      <div class="card-body">
        <HoursPicture days={days} />
      </div>
    </section>
  );
}

/** Days with their hours in words, each with a bar from midnight to midnight. */
export function HoursPicture({ days }: DaysProps) {
  return (
    <div class="hours-days">
      <div class="scale" aria-hidden="true">
        <svg height={SCALE_HEIGHT}>
          {LABELLED.map(([hour, text]) => (
            <text
              key={hour}
              class={hour % 12 === 0 ? undefined : 'wide-only'}
              x={percent(hour)}
              y={12}
              text-anchor={anchorOf(hour)}
            >
              {text}
            </text>
          ))}
        </svg>
      </div>
      <ul>
        {days.map((day) => (
          <Day key={day.name} of={day} />
        ))}
      </ul>
    </div>
  );
}

function Day({ of }: { readonly of: PicturedDay }) {
  return (
    <li aria-current={of.now === undefined ? undefined : 'date'}>
      <span>{of.name}</span> <span class="words">{of.text}</span>
      <DayBar of={of} />
    </li>
  );
}

/** The bar of a day, from midnight to midnight. It is within `hours-days`. */
export function DayBar({ of: { open, now } }: { readonly of: Pick<PicturedDay, 'open' | 'now'> }) {
  return (
    <Bar>
      {open.map(({ from, to, isException }) => (
        <rect
          key={from}
          class={isException ? 'open other' : 'open'}
          x={percent(from)}
          width={percent(to - from)}
          height="100%"
        />
      ))}
      {LINES.map((hour) => (
        <line key={hour} class="line" {...upright(hour)} />
      ))}
      {now === undefined ? null : <line class="now" {...upright(now)} />}
    </Bar>
  );
}

/** The words beside it say the same. */
function Bar({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg height={BAR_HEIGHT} aria-hidden="true">
      <rect class="closed" width="100%" height="100%" />
      {children}
    </svg>
  );
}

function upright(hour: number) {
  return { x1: percent(hour), x2: percent(hour), y1: 0, y2: BAR_HEIGHT };
}

function anchorOf(hour: number): 'start' | 'middle' | 'end' {
  if (hour === 0) return 'start';
  return hour === HOURS ? 'end' : 'middle';
}

function percent(hour: number): string {
  return `${Math.round((hour / HOURS) * 10_000) / 100}%`;
}
