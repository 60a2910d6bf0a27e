import { amountText } from '#domain/locations/core/currencies.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import type { DayFigures } from './day-figures.js';

/** What a mail says besides the figures. */
export interface SummaryContent {
  readonly company_name: string;
  /** The sites that the operator sees. Empty: all of the company. */
  readonly site_names: readonly string[];
  /** Milliseconds, and the time zone in which the dates below are. */
  readonly at: number;
  readonly timezone: string;
  /** The local date, and the one before. */
  readonly date: CalendarDate;
  readonly yesterday: CalendarDate;
  readonly figures: DayFigures;
  /** The page Today, and the page that stops these mails. */
  readonly today_url: string;
  readonly stop_url: string;
}

export interface SummaryText {
  readonly subject: string;
  readonly text: string;
}

const MOST_NAMES = 5;

export function summaryText(content: SummaryContent): SummaryText {
  const { company_name, site_names, figures, today_url, stop_url } = content;
  const { tenants } = figures.locked_out;
  const text = [
    `${company_name}, ${dateText(content)}`,
    ...(site_names.length === 0 ? [] : [sitesText(site_names)]),
    '',
    ...summaryLines(figures, content),
    '',
    `Today: ${today_url}`,
    '',
    `You switched this mail on. Stop it: ${stop_url}`,
    '',
  ].join('\n');
  const locked = tenants === 0 ? 'nobody locked out' : `${counted(tenants, 'tenant')} locked out`;
  return { subject: `Today at ${company_name}: ${locked}`, text };
}

/** Three to ten lines: the first three always, the others where there is something to do. */
export function summaryLines(
  figures: DayFigures,
  { date, yesterday }: Pick<SummaryContent, 'date' | 'yesterday'>,
): string[] {
  const { unsent_texts: unsent } = figures;
  const problems = [
    { count: figures.in_auction, text: `In auction: ${counted(figures.in_auction, 'unit')}` },
    {
      count: figures.denied_openings,
      text: `Opened while locked out, in the last 24 hours: ${countText(figures.denied_openings)}`,
    },
    {
      count: unsent.texts,
      text: `Texts to tenants not sent, in ${counted(unsent.days, 'day')}: ${countText(unsent.texts)}`,
    },
    {
      count: figures.failures,
      text: `Locks and gates that failed in the last 24 hours: ${countText(figures.failures)}`,
    },
    { count: figures.low_batteries, text: `Low batteries: ${countText(figures.low_batteries)}` },
    { count: figures.sync_problems, text: `Sync problems: ${countText(figures.sync_problems)}` },
    {
      count: figures.damaged_histories,
      text: `Damaged histories: ${countText(figures.damaged_histories)}. Tell the person who runs the service.`,
    },
  ];
  return [
    lockedOutLine(figures),
    lostLine(figures, yesterday),
    losingLine(figures, date),
    ...problems.filter(({ count }) => count > 0).map(({ text }) => text),
  ];
}

function lockedOutLine({ locked_out: { tenants, units, owed } }: DayFigures): string {
  if (units === 0) return 'Locked out: nobody';
  const debts = owed
    .filter(({ cents }) => cents > 0)
    .map(({ cents, currency }) => amountText(cents, currency));
  const owing = debts.length === 0 ? '' : `, ${debts.join(' + ')} owed`;
  return `Locked out: ${counted(tenants, 'tenant')}, ${counted(units, 'unit')}${owing}`;
}

function lostLine({ lost }: DayFigures, yesterday: CalendarDate): string {
  if (lost === null) return 'Locked yesterday: being counted';
  return `Locked yesterday: ${counted(unitsOn(lost, yesterday), 'unit')}`;
}

function losingLine({ losing: { days, dates } }: DayFigures, date: CalendarDate): string {
  const units = dates.reduce((sum, one) => sum + one.units, 0);
  const today = unitsOn(dates, date);
  const ofToday = today === 0 ? '' : `, ${countText(today)} of them today`;
  return `Locks in the next ${counted(days, 'day')}: ${counted(units, 'unit')}${ofToday}`;
}

function unitsOn(dates: DayFigures['losing']['dates'], date: CalendarDate): number {
  return dates.find((one) => one.date === date)?.units ?? 0;
}

function sitesText(names: readonly string[]): string {
  if (names.length > MOST_NAMES) return `Your ${countText(names.length)} sites`;
  return names.length === 1 ? `Your site ${names[0]}` : `Your sites ${names.join(', ')}`;
}

function counted(count: number, one: string): string {
  return `${countText(count)} ${count === 1 ? one : `${one}s`}`;
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** `Sunday, November 29` */
function dateText({ at, timezone: timeZone }: SummaryContent): string {
  const format = { timeZone, weekday: 'long', month: 'long', day: 'numeric' } as const;
  return new Intl.DateTimeFormat('en-US', format).format(at);
}
