import { UNIT_MARKS, type UnitMark } from '#domain/history/index.js';

const ACROSS = 30;
const STEP = 10;
const SIDE = 8;

/** The class of each kind of square, in the order in which they are drawn. */
const KINDS: readonly (readonly [UnitMark, string])[] = [
  [UNIT_MARKS.open, 'mini-open'],
  [UNIT_MARKS.vacant, 'mini-vacant'],
  [UNIT_MARKS.unrentable, 'mini-off'],
  [UNIT_MARKS.exempt, 'mini-good'],
  [UNIT_MARKS.early, 'mini-info'],
  [UNIT_MARKS.auction, 'mini-warn'],
  [UNIT_MARKS.lockedOut, 'mini-bad'],
];

interface MiniMapProps {
  /** A mark for each unit. */
  readonly marks: string;
  /** The picture in words. */
  readonly label: string;
}

/** A site in small: a square for each unit, in rows. */
export function MiniMap({ marks, label }: MiniMapProps) {
  const rows = Math.max(1, Math.ceil(marks.length / ACROSS));
  return (
    <svg
      class="mini-map"
      viewBox={`0 0 ${ACROSS * STEP - 2} ${rows * STEP - 2}`}
      role="img"
      aria-label={label}
    >
      {KINDS.map(([mark, kind]) => {
        const squares = squaresOf(marks, mark);
        return squares === '' ? null : <path key={kind} class={kind} d={squares} />;
      })}
    </svg>
  );
}

/** The path of all squares with a mark. A vacant one is an outline, which lies within. */
function squaresOf(marks: string, mark: UnitMark): string {
  const isOutline = mark === UNIT_MARKS.vacant;
  const inset = isOutline ? 0.5 : 0;
  const side = SIDE - 2 * inset;
  let path = '';
  for (let place = marks.indexOf(mark); place !== -1; place = marks.indexOf(mark, place + 1)) {
    const x = (place % ACROSS) * STEP + inset;
    const y = Math.floor(place / ACROSS) * STEP + inset;
    path += `M${x} ${y}h${side}v${side}h-${side}z`;
  }
  return path;
}
