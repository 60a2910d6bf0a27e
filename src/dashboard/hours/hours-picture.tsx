import type { ComponentChildren } from 'preact';
import { dayText } from './hours-texts.js';

/** A part of a day in which gates are open, in hours since its midnight. */
interface OpenHours {
  readonly from: number;
  readonly to: number;
  /** It began on a day with hours of its own. */
  readonly isException: boolean;
}

export interface PicturedDay {
  readonly date: string;
  readonly text: string;
  readonly open: readonly OpenHours[];
}

const ROW = 22;
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

/** The next days in words, each with a bar from midnight to midnight. */
export function HoursPicture({ days }: HoursPictureProps) {
  return (
    <div class="hours-days">
      <Bar>
        {LABELLED.map(([hour, text]) => (
          <text
            key={hour}
            class={hour % 12 === 0 ? undefined : 'wide-only'}
            x={percent(hour)}
            y={16}
            text-anchor={anchorOf(hour)}
          >
            {text}
          </text>
        ))}
      </Bar>
      <ul>
        {days.map(({ date, text, open }) => (
          <li key={date}>
            <span>
              {dayText(date)}: {text}
            </span>
            <Bar>
              {LABELLED.map(([hour]) => (
                <line key={hour} class="axis" x1={percent(hour)} x2={percent(hour)} y1={0} y2={ROW} />
              ))}
              {open.map(({ from, to, isException }) => (
                <rect
                  key={from}
                  class={isException ? 'open other' : 'open'}
                  x={percent(from)}
                  width={percent(to - from)}
                  y={4}
                  height={ROW - 8}
                  rx="3"
                />
              ))}
            </Bar>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Bar({ children }: { readonly children: ComponentChildren }) {
  return (
    <svg height={ROW} aria-hidden="true">
      {children}
    </svg>
  );
}

function anchorOf(hour: number): 'start' | 'middle' | 'end' {
  if (hour === 0) return 'start';
  return hour === HOURS ? 'end' : 'middle';
}

function percent(hour: number): string {
  return `${Math.round((hour / HOURS) * 10_000) / 100}%`;
}
