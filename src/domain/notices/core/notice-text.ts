import type { LocationContact } from '#domain/locations/core/contact.js';
import { paymentLink } from '#domain/locations/core/contact.js';
import { amountText } from '#domain/locations/core/currencies.js';
import type { NoticeKind } from './notice-kind.js';

/** A unit as a text names it. */
export interface NamedUnit {
  readonly unit_name: string;
  readonly crm_unit_id: string;
  readonly pms_tenant_id: string;
  /** When it closes, in milliseconds. Given if the text is about that. */
  readonly closes_at: number | null;
  /** Whether it is closed, or closes, because something is not paid. */
  readonly isForDebt: boolean;
}

/** The site as a text names it. */
export interface NamedSite {
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
  readonly contact: LocationContact;
}

export interface NoticeContent {
  readonly kind: NoticeKind;
  /** At least one. */
  readonly units: readonly NamedUnit[];
  readonly site: NamedSite;
  /** What the tenant owes for all its units of the site, in cents. */
  readonly owed: number;
}

const MOST_NAMES = 5;
const LONGEST_NAME = 40;
/** Providers refuse texts of more than 1,600 characters. */
const LONGEST_LINK = 500;

/** The text to the primary tenant. It names nobody. */
export function noticeText({ kind, units, site, owed }: NoticeContent): string {
  const questions = questionsTo(site.contact);
  const names = unitNames(units);
  const place = clipped(site.name);
  switch (kind) {
    case 'welcome':
      return [`Welcome to ${place}.`, `${capital(names)} ${are(units)} open for you in the app.`, questions]
        .join(' ')
        .trim();
    case 'opened':
      return [`${place}: ${names} ${are(units)} open again.`, questions].join(' ').trim();
    case 'closed':
      return [`${place}: ${names} ${are(units)} closed.`, ...payment(units, site, owed), questions]
        .join(' ')
        .trim();
    case 'closes_in_days':
      return [`${place}: ${closings(units, site.timezone)}.`, ...payment(units, site, owed), questions]
        .join(' ')
        .trim();
  }
}

function payment(units: readonly NamedUnit[], site: NamedSite, owed: number): string[] {
  const unit = units.find(({ isForDebt }) => isForDebt);
  if (unit === undefined || owed <= 0) return [];
  const link = site.contact.payment_url === null ? '' : paymentLink(site.contact.payment_url, unit);
  const isUsable = link !== '' && link.length <= LONGEST_LINK;
  return [`You owe ${amountText(owed, site.currency)}.`, ...(isUsable ? [`Pay: ${link}`] : [])];
}

/** Units that close on the same day share a phrase. */
function closings(units: readonly NamedUnit[], timezone: string): string {
  const byDay = new Map<string, NamedUnit[]>();
  for (const unit of units) {
    const day = dayText(unit.closes_at!, timezone);
    byDay.set(day, [...(byDay.get(day) ?? []), unit]);
  }
  return [...byDay]
    .map(([day, those]) => `${unitNames(those)} ${those.length === 1 ? 'closes' : 'close'} on ${day}`)
    .join(', ');
}

function unitNames(units: readonly NamedUnit[]): string {
  const names = units.map(({ unit_name }) => clipped(unit_name));
  if (names.length === 1) return `unit ${names[0]}`;
  const more = names.length - MOST_NAMES;
  const shown = more > 0 ? [...names.slice(0, MOST_NAMES), `${more} more`] : names;
  return `units ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function are(units: readonly NamedUnit[]): string {
  return units.length === 1 ? 'is' : 'are';
}

function questionsTo({ phone, email }: LocationContact): string {
  const reached = phone ?? email;
  return reached === null ? '' : `Questions: ${reached}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With points that need no longer alphabet: that would make the text cost more. */
function clipped(name: string): string {
  const characters = [...name];
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 3).join('')}...`;
}

function dayText(instant: number, timezone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  }).format(instant);
}
