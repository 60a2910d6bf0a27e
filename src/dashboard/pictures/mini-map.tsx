import { UNIT_MARKS, type UnitMark } from '#domain/history/index.js';

const SQUARES_PER_ROW = 30;
/** From one square to the next, in units of the picture. */
const PITCH = 10;
const SQUARE_SIDE = 8;
const GAP = PITCH - SQUARE_SIDE;
/** A vacant unit is an outline, whose stroke lies within the square. */
const OUTLINE_INSET = 0.5;

/** The CSS class of each mark, in the order in which squares are drawn. */
const CLASS_BY_MARK: readonly (readonly [UnitMark, string])[] = [
  [UNIT_MARKS.open, 'mini-open'],
  [UNIT_MARKS.vacant, 'mini-vacant'],
  [UNIT_MARKS.unrentable, 'mini-off'],
  [UNIT_MARKS.exempt, 'mini-good'],
  [UNIT_MARKS.early, 'mini-info'],
  [UNIT_MARKS.auction, 'mini-warn'],
  [UNIT_MARKS.lockedOut, 'mini-bad'],
];

interface MiniMapProps {
  /** A character for each unit. */
  readonly marks: string;
  /** The picture in words. */
  readonly label: string;
}

/** A site in small: a square for each unit, in rows. */
export function MiniMap({ marks, label }: MiniMapProps) {
  const rows = Math.max(1, Math.ceil(marks.length / SQUARES_PER_ROW));
  return (
    <svg
      class="mini-map"
      viewBox={`0 0 ${SQUARES_PER_ROW * PITCH - GAP} ${rows * PITCH - GAP}`}
      role="img"
      aria-label={label}
    >
      {CLASS_BY_MARK.map(([mark, className]) => {
        const squares = pathOfSquares(marks, mark);
        return squares === '' ? null : <path key={mark} class={className} d={squares} />;
      })}
    </svg>
  );
}

/** The SVG path of all squares with a mark. */
function pathOfSquares(marks: string, mark: UnitMark): string {
  const inset = mark === UNIT_MARKS.vacant ? OUTLINE_INSET : 0;
  const side = SQUARE_SIDE - 2 * inset;
  let path = '';
  for (let index = marks.indexOf(mark); index !== -1; index = marks.indexOf(mark, index + 1)) {
    const x = (index % SQUARES_PER_ROW) * PITCH + inset;
    const y = Math.floor(index / SQUARES_PER_ROW) * PITCH + inset;
    path += `M${x} ${y}h${side}v${side}h-${side}z`;
  }
  return path;
}
