import type { ComponentChildren } from 'preact';
import type { Today } from '#api/operator/index.js';
import { amountText, countText } from '../parts/words.js';
import { type Counted, everyDate, laterBy } from '../pictures/columns.js';

interface TilesProps {
  readonly today: Today;
  /** The local date. */
  readonly date: string;
}

/** The figures of the day. Each leads to the list that it counts. */
export function Tiles({ today, date }: TilesProps) {
  const { locked_out, denied_openings, losing_access } = today;
  const { tenants, units, owed_by_currency } = locked_out;
  const coming = losing_access.dates.reduce((sum, one) => sum + one.units, 0);
  return (
    <section class="card strip" aria-label="Figures of today">
      <Tile
        href="#to-call"
        label="Locked out"
        figure={tenants.toLocaleString('en-US')}
        note={`${tenants === 1 ? 'tenant' : 'tenants'}, ${countText(units, 'unit')}`}
        isBad={tenants > 0}
      />
      <Tile
        href="#to-call"
        label="Owed"
        figure={
          owed_by_currency.length === 0
            ? '–'
            : owed_by_currency.map(({ currency, owed }) => amountText(owed, currency)).join(' + ')
        }
        note="by those who are locked out"
      />
      <Tile
        href="#openings"
        label="Opened while locked out"
        figure={denied_openings.openings.toLocaleString('en-US')}
        note="since yesterday"
        isBad={denied_openings.openings > 0}
      />
      <Tile
        href="#lockouts"
        label={`Locks in the next ${losing_access.days} days`}
        figure={coming.toLocaleString('en-US')}
        note={coming === 0 ? 'No lockouts expected.' : comingText(losing_access, date)}
      >
        <Spark today={today} date={date} />
      </Tile>
    </section>
  );
}

interface TileProps {
  readonly href: string;
  readonly label: string;
  readonly figure: string;
  readonly note: string;
  readonly isBad?: boolean;
  readonly children?: ComponentChildren;
}

function Tile({ href, label, figure, note, isBad = false, children }: TileProps) {
  return (
    <a class={isBad ? 'bad' : undefined} href={href}>
      <span class="label">{label}</span>
      <span class="figure">{figure}</span>
      {children}
      <span class="note">{note}</span>
    </a>
  );
}

const WEEKDAYS = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' });

/** `4 tomorrow, 5 on Tuesday` */
function comingText({ dates }: Today['losing_access'], today: string): string {
  const [first, second, ...rest] = dates.map(({ date, units }) => `${units} ${dayText(date, today)}`);
  return [first, second, rest.length === 0 ? [] : 'and later'].flat().filter(Boolean).join(', ');
}

function dayText(date: string, today: string): string {
  if (date === today) return 'today';
  if (date === laterBy(today, 1)) return 'tomorrow';
  return `on ${WEEKDAYS.format(new Date(`${date}T00:00:00Z`))}`;
}

const WIDTH = 76;
const HEIGHT = 25;
/** Days before today. */
const BEFORE = 7;

/** Lockouts of the last days and those to come, in small. The picture of lockouts by day says the same in words. */
function Spark({ today: { lost_access, losing_access }, date }: TilesProps) {
  if (lost_access.counted_at === null) return null;
  const counted = (dates: Today['lost_access']['dates']): Counted[] =>
    dates.map((one) => ({ date: one.date, count: one.units }));
  const past = everyDate(laterBy(date, -BEFORE), BEFORE + 1, counted(lost_access.dates));
  const coming = everyDate(laterBy(date, 1), losing_access.days, counted(losing_access.dates));
  const most = Math.max(1, ...[...past, ...coming].map(({ count }) => count));
  const step = WIDTH / (past.length + coming.length);
  return (
    <svg class="spark bad" viewBox={`0 0 ${WIDTH} 28`} preserveAspectRatio="none" aria-hidden="true">
      {[...past, ...coming].map((one, index) => {
        const height = one.count === 0 ? 1.5 : Math.max((one.count / most) * HEIGHT, 2);
        return (
          <rect
            key={one.date}
            class={barClass(one, date)}
            x={index * step + 0.75}
            y={27.5 - height}
            width={step - 1.5}
            height={height}
            rx="1"
          />
        );
      })}
    </svg>
  );
}

function barClass({ date, count }: Counted, today: string): string {
  if (count === 0) return 'spark-bar zero';
  if (date > today) return 'spark-bar coming';
  return date === today ? 'spark-bar last' : 'spark-bar';
}
