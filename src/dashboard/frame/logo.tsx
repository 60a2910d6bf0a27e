/** The sign of the service. Its colors follow the scheme, which an image of its own could not. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="logo-ground" width="32" height="32" rx="8" />
      <path class="logo-line" d="M8.5 24.5V10a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v14.5M8.5 12.5h15M8.5 17h15" />
      <circle class="logo-dot" cx="16" cy="22.25" r="1.9" />
    </svg>
  );
}

const DOOR = 104;
const COLUMNS = 9;
const ROWS = 10;

/** A wall of doors beside the sign-in, a few of them lit. */
export function DoorWall() {
  return (
    <div class="gate-wall" aria-hidden="true">
      <svg viewBox="0 0 800 1000" preserveAspectRatio="xMidYMid slice">
        {Array.from({ length: COLUMNS * ROWS }, (_, place) => {
          const x = (place % COLUMNS) * DOOR - 24;
          const y = Math.floor(place / COLUMNS) * DOOR - 30;
          return (
            <g key={place}>
              <rect class={`door${lightOf(place)}`} x={x} y={y} width="92" height="92" rx="9" />
              <path class="slat" d={`M${x} ${y + 23.5}h92m0 23h-92m0 23h92`} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** The same doors on each visit. */
function lightOf(place: number): string {
  const dice = (place * 7919 + 13) % 17;
  if (dice < 2) return ' lit';
  return dice < 6 ? ' dim' : '';
}
