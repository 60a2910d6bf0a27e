import type { ComponentChildren } from 'preact';
import type { Today } from '#api/operator/index.js';
import { amountText, countText } from '../parts/words.js';
import { type Counted, everyDate, laterBy } from '../pictures/columns.js';
import { type SparkBar, SparkBars, SparkLine } from '../pictures/spark.js';
import { isCounted } from './counted.js';
import { owedNote } from './owed-note.js';

interface TilesProps {
  readonly today: Today;
  /** The local date. */
  readonly date: string;
  /** The local date on which the company began: no day before it has a figure. */
  readonly firstDate: string;
}

/** For days that are not counted yet, or not since an outage. */
const COUNTING = 'earlier days are being counted';

/** Days of a tile, today among them. */
const DAYS = 14;

/** The figures of the day, each with the days before. Each leads to the list that it counts. */
export function Tiles(props: TilesProps) {
  return (
    <section class="card strip" aria-label="Figures of today">
      <LockedOut {...props} />
      <Owed {...props} />
      <Openings {...props} />
      <Coming {...props} />
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

type LastDay = Today['last_days']['dates'][number];

/** A figure of each of the days before today. Undefined: not counted yet. */
function daysBefore(
  { today, date }: TilesProps,
  countOf: (day: LastDay) => number,
): readonly number[] | undefined {
  if (!isCounted(today)) return undefined;
  const counted = today.last_days.dates.map((day): Counted => ({ date: day.date, count: countOf(day) }));
  return everyDate(laterBy(date, 1 - DAYS), DAYS - 1, counted).map(({ count }) => count);
}

function LockedOut(props: TilesProps) {
  const { today, date } = props;
  const { tenants, units } = today.locked_out;
  const before = daysBefore(props, (day) => day.tenants);
  const lost = isCounted(today) ? (today.lost_access.dates.find((one) => one.date === date)?.units ?? 0) : 0;
  const note = [
    tenants === 1 ? 'tenant' : 'tenants',
    countText(units, 'unit'),
    lost === 0 ? [] : `${countText(lost, 'lockout')} today`,
    isCounted(today) ? [] : COUNTING,
  ].flat();
  return (
    <Tile
      href="#to-call"
      label="Locked out"
      figure={tenants.toLocaleString('en-US')}
      note={note.join(', ')}
      isBad={tenants > 0}
    >
      {before === undefined ? null : (
        <SparkLine
          values={[...before, tenants]}
          label={`The last ${DAYS} days: from ${before[0]} to ${countText(tenants, 'tenant')}`}
          isBad={tenants > 0}
        />
      )}
    </Tile>
  );
}

function Owed(props: TilesProps) {
  const { owed_by_currency } = props.today.locked_out;
  const figure = owed_by_currency.map(({ currency, owed }) => amountText(owed, currency)).join(' + ') || '–';
  const currencies = new Set(
    [{ owed_by_currency }, ...props.today.last_days.dates].flatMap((day) =>
      day.owed_by_currency.map(({ currency }) => currency),
    ),
  );
  const [currency] = currencies;
  // Sums of several currencies cannot be compared.
  const before =
    currency === undefined || currencies.size > 1
      ? undefined
      : daysBefore(props, (day) => day.owed_by_currency[0]?.owed ?? 0);
  if (currency === undefined || before === undefined)
    return (
      <Tile
        href="#to-call"
        label="Owed"
        figure={figure}
        note={isCounted(props.today) ? 'by those who are locked out' : COUNTING}
      />
    );
  const owed = owed_by_currency[0]?.owed ?? 0;
  const yesterday = props.firstDate < props.date ? before.at(-1) : undefined;
  const note = owedNote({ owed, yesterday }, currency);
  return (
    <Tile href="#to-call" label="Owed" figure={figure} note={note}>
      <SparkLine
        values={[...before, owed]}
        label={`The last ${DAYS} days: from ${amountText(before[0]!, currency)} to ${amountText(owed, currency)}`}
      />
    </Tile>
  );
}

function Openings(props: TilesProps) {
  const { today, date } = props;
  const { openings, tenants } = today.denied_openings;
  const before = daysBefore(props, (day) => day.denied_openings);
  const counted = today.last_days.dates.find((one) => one.date === date)?.denied_openings ?? 0;
  const bars = [...(before ?? []), counted].map((count, index, { length }): SparkBar => ({
    date: laterBy(date, index + 1 - length),
    count,
    kind: index === length - 1 ? 'last' : undefined,
  }));
  return (
    <Tile
      href="#openings"
      label="Opened while locked out"
      figure={openings.toLocaleString('en-US')}
      note={[
        openings === 0 ? 'in the last 24 hours' : `in the last 24 hours, by ${countText(tenants, 'tenant')}`,
        isCounted(today) ? [] : COUNTING,
      ]
        .flat()
        .join(', ')}
      isBad={openings > 0}
    >
      {before === undefined ? null : (
        <SparkBars
          bars={bars}
          label={`The last ${DAYS} days: ${countText(sumOf(bars), 'opening')}, ${counted} today`}
          isBad={openings > 0}
        />
      )}
    </Tile>
  );
}

const WEEKDAYS = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' });

function Coming({ today, date }: TilesProps) {
  const { losing_access } = today;
  const coming = losing_access.dates.reduce((sum, one) => sum + one.units, 0);
  return (
    <Tile
      href="#lockouts"
      label={`Locks in the next ${losing_access.days} days`}
      figure={coming.toLocaleString('en-US')}
      note={coming === 0 ? 'No lockouts expected.' : comingText(losing_access, date)}
    >
      <ComingBars today={today} date={date} />
    </Tile>
  );
}

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

/** Lockouts of as many days before today as there are to come. */
function ComingBars({ today, date }: Pick<TilesProps, 'today' | 'date'>) {
  const { lost_access, losing_access } = today;
  if (!isCounted(today)) return null;
  const counted = (dates: Today['lost_access']['dates']): Counted[] =>
    dates.map((one) => ({ date: one.date, count: one.units }));
  const { days } = losing_access;
  const past = everyDate(laterBy(date, -days), days + 1, counted(lost_access.dates));
  const coming = everyDate(laterBy(date, 1), days, counted(losing_access.dates));
  const bars = [...past, ...coming].map((one): SparkBar => ({ ...one, kind: kindOf(one.date, date) }));
  const label = `${days} days before, ${countText(sumOf(past), 'lockout')}; ${days} to come, ${sumOf(coming)}`;
  return <SparkBars bars={bars} label={label} isBad />;
}

function kindOf(date: string, today: string): SparkBar['kind'] {
  if (date > today) return 'coming';
  return date === today ? 'last' : undefined;
}

function sumOf(counted: readonly { readonly count: number }[]): number {
  return counted.reduce((sum, { count }) => sum + count, 0);
}
