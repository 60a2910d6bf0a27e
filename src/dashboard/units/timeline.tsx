import type { AccessState } from '../../access/index.js';
import type { HistoryEntry } from '../../history/index.js';
import { STATE_TEXTS } from '../parts/states.js';
import { instantText } from '../parts/words.js';

/** A stretch of time through which access was the same. */
export interface Stretch {
  readonly state: AccessState;
  readonly reason: string | null;
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** The stretches that entries tell of, oldest first, the last one up to now. @param entries newest first */
function stretchesOf(entries: readonly HistoryEntry[], now: number): Stretch[] {
  const changes = entries.filter((entry) => entry.access !== undefined).reverse();
  return changes.map(({ access, occurred_at }, place) => ({
    ...access!.to,
    from: Date.parse(occurred_at),
    to: Math.max(
      Date.parse(changes[place + 1]?.occurred_at ?? new Date(now).toISOString()),
      Date.parse(occurred_at),
    ),
  }));
}

interface TimelineProps {
  readonly entries: readonly HistoryEntry[];
  readonly now: number;
  readonly zone: string;
  readonly path: string;
  /** An instant that is looked at, in milliseconds. */
  readonly at?: number;
}

const WIDTH = 400;
const BAND = { top: 8, height: 36 };
/** A stretch is seen and hit, however short it was. */
const NARROWEST = 4;

/** What access was through time, with the events of the unit as marks: each stretch leads to the page as it was then. */
export function Timeline({ entries, now, zone, path, at }: TimelineProps) {
  const stretches = stretchesOf(entries, now);
  const first = stretches[0]?.from ?? now;
  const length = Math.max(now - first, 1);
  const x = (instant: number) =>
    ((Math.min(Math.max(instant, first), now) - first) / length) * (WIDTH - NARROWEST);
  const marks = entries
    .filter(({ revision }) => revision !== null)
    .map(({ occurred_at }) => Date.parse(occurred_at));
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${WIDTH} 78`}
      role="group"
      aria-label="Access through time; the entries below tell the same."
    >
      {stretches.map((stretch) => (
        <Band key={stretch.from} stretch={stretch} x={x} zone={zone} path={path} />
      ))}
      {[...new Set(marks.map((mark) => Math.round(x(mark))))].map((place) => (
        <circle key={place} class="mark" cx={place + 2} cy="52" r="2.5" />
      ))}
      {at === undefined ? null : <line class="at" x1={x(at)} x2={x(at)} y1="2" y2="58" />}
      <text x="0" y="72">
        {instantText(first, zone)}
      </text>
      <text x={WIDTH} y="72" text-anchor="end">
        now
      </text>
    </svg>
  );
}

interface BandProps {
  readonly stretch: Stretch;
  readonly x: (instant: number) => number;
  readonly zone: string;
  readonly path: string;
}

function Band({ stretch: { state, reason, from, to }, x, zone, path }: BandProps) {
  const text = `${STATE_TEXTS[state]}${reason ? ` (${reason.replaceAll('_', ' ')})` : ''}`;
  const label = `${text}, from ${instantText(from, zone)} to ${instantText(to, zone)}`;
  const width = Math.max(x(to) - x(from), NARROWEST);
  return (
    <a href={`${path}?at=${new Date(from).toISOString()}`} aria-label={label}>
      <rect class={`band ${state}`} x={x(from)} y={BAND.top} width={width} height={BAND.height}>
        <title>{label}</title>
      </rect>
      {width > 70 ? (
        <text class="band-text" x={x(from) + 5} y={BAND.top + 22}>
          {STATE_TEXTS[state]}
        </text>
      ) : null}
    </a>
  );
}
