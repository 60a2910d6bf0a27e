interface Hour {
  readonly opened: number;
  readonly others: number;
}

const HOURS = 24;
const HEIGHT = 64;
/** The highest column leaves room above it. */
const HIGHEST = HEIGHT - 5;
const LABELS = [
  [0, '12 AM', 'start'],
  [6, '6 AM', 'middle'],
  [12, '12 PM', 'middle'],
  [18, '6 PM', 'middle'],
  [24, '12 AM', 'end'],
] as const;

const percent = (hour: number) => `${Math.round((hour / HOURS) * 10_000) / 100}%`;

function hourText(hour: number): string {
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** Taps by hour of a day: those that opened below, the others above them. Letters keep their size on every screen. */
export function HourColumns({ hours, label }: { readonly hours: readonly Hour[]; readonly label: string }) {
  const most = Math.max(1, ...hours.map(({ opened, others }) => opened + others));
  const heightOf = (count: number) => (count / most) * HIGHEST;
  const texts = hours.map(
    ({ opened, others }, hour) => `${hourText(hour)}: ${opened} opened, ${others} denied or failed`,
  );
  const told = texts.filter((_, hour) => hours[hour]!.opened + hours[hour]!.others > 0);
  return (
    <svg
      class="hour-columns"
      height="84"
      role="img"
      aria-label={`${label}. ${told.length === 0 ? 'None.' : told.join('; ')}`}
    >
      {hours.map(({ opened, others }, hour) => {
        const open = heightOf(opened);
        const other = heightOf(others);
        return (
          <g key={hour}>
            <title>{texts[hour]}</title>
            <rect class="ground" x={percent(hour)} width={percent(1)} height={HEIGHT} />
            {opened === 0 ? null : (
              <rect
                class="column open"
                x={percent(hour + 0.14)}
                y={HEIGHT - open}
                width="3%"
                height={open}
                rx="1.5"
              />
            )}
            {others === 0 ? null : (
              <rect
                class="column"
                x={percent(hour + 0.14)}
                y={HEIGHT - open - other - (opened === 0 ? 0 : 1)}
                width="3%"
                height={other}
                rx="1.5"
              />
            )}
          </g>
        );
      })}
      <line class="axis strong" x1="0" x2="100%" y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
      {LABELS.map(([hour, text, anchor]) => (
        <text key={hour} x={percent(hour)} y={HEIGHT + 15} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </svg>
  );
}
