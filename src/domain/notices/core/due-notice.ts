import type { Calendar } from '#domain/access/core/decision.js';
import { afterNight } from './night.js';
import type { KnownUnit, NoticeSite, PresentUnit } from './known-unit.js';
import { NOTICE_KINDS, type NoticeKind } from './notice-kind.js';

/** A state that is younger is not told: it may have been a mistake. */
export const SETTLES_AFTER_MS = 15 * 60_000;

/** A text waits so long for further units: a PMS writes them one after the other. */
const GATHERS_FOR_MS = 5_000;

/** A unit, and what its tenant knows of it. */
export interface Standing {
  readonly present: PresentUnit;
  readonly known: KnownUnit;
}

export interface ToldUnit {
  readonly unit_id: string;
  /** Given if the text is about the closing. */
  readonly closes_at: number | null;
}

/** One text to a tenant, about one or several units. */
export interface DueNotice {
  readonly kind: NoticeKind;
  readonly units: readonly ToldUnit[];
}

export interface Judgement {
  /** At most one: the others follow when it was sent. */
  readonly notice: DueNotice | null;
  /** What the tenant knows after the text. */
  readonly known: readonly KnownUnit[];
  /** When to judge again if nothing changes, in milliseconds. Null: never. */
  readonly look_at: number | null;
}

/** What to do about one unit: wait, note silently what nobody is told, or tell. */
type Step =
  | { readonly kind: 'wait'; readonly about: NoticeKind; readonly until: number }
  | { readonly kind: 'note'; readonly known: KnownUnit }
  | {
      readonly kind: 'tell';
      readonly about: NoticeKind;
      readonly known: KnownUnit;
      readonly unit: ToldUnit;
      /** Since when it may be told, in milliseconds. */
      readonly due_at: number;
    };

interface Moment {
  readonly site: NoticeSite;
  /** Milliseconds by the company's clock. */
  readonly now: number;
  readonly calendar: Calendar;
}

/** Decides what a tenant is to be told now. Pure. */
export function judgeTenant(standings: readonly Standing[], moment: Moment): Judgement {
  const judged = standings.map((standing) => judgeUnit(standing, moment));
  if (judged.some(({ step }) => step?.kind === 'note')) return judgeTenant(judged.map(noted), moment);
  const tells = judged.flatMap(({ step }) => (step?.kind === 'tell' ? step : []));
  const waits = judged.flatMap(({ step }) => (step?.kind === 'wait' ? step : []));
  const kind = NOTICE_KINDS.find((one) => tells.some(({ about }) => about === one));
  const told = tells.filter(({ about }) => about === kind);
  const isGathering = waits.some(({ about, until }) => about === kind && until <= gathersUntil(told));
  const isTold = kind !== undefined && !isGathering;
  const hasMore = isTold && told.length < tells.length;
  const look_at = Math.min(hasMore ? moment.now : Infinity, ...waits.map(({ until }) => until));
  return {
    notice: isTold ? { kind, units: told.map(({ unit }) => unit) } : null,
    known: judged.map(({ known, step }) =>
      isTold && step?.kind === 'tell' && step.about === kind ? step.known : known,
    ),
    look_at: look_at === Infinity ? null : look_at,
  };
}

function gathersUntil(told: readonly { readonly due_at: number }[]): number {
  return Math.min(...told.map(({ due_at }) => due_at)) + GATHERS_FOR_MS;
}

interface JudgedUnit extends Standing {
  /** Undefined: there is nothing to do. */
  readonly step: Step | undefined;
}

/** A closing is judged when the tenant knows that the unit is open. */
function judgeUnit({ known: before, present }: Standing, moment: Moment): JudgedUnit {
  const known = withClosing(before, present, moment.now);
  const step = judgeAccess(known, present, moment) ?? judgeClosing(known, present, moment);
  return { known, present, step };
}

function noted({ known, present, step }: JudgedUnit): Standing {
  return { present, known: step?.kind === 'note' ? step.known : known };
}

function withClosing(known: KnownUnit, { closes_at }: PresentUnit, now: number): KnownUnit {
  const done_closings = known.done_closings.filter((instant) => instant > now);
  if (closes_at === null) return { ...known, closing: null, done_closings };
  const isSeen = known.closing?.closes_at === closes_at;
  return { ...known, closing: isSeen ? known.closing : { closes_at, seen_at: now }, done_closings };
}

function judgeAccess(known: KnownUnit, { access, since }: PresentUnit, moment: Moment): Step | undefined {
  if (access === 'not_begun' || access === known.knows) return undefined;
  const about = access === 'closed' ? 'closed' : known.knows === 'nothing' ? 'welcome' : 'opened';
  const began = known.knows === 'nothing' ? Math.max(since, known.moved_in_at) : since;
  const unit = { unit_id: known.unit_id, closes_at: null };
  return stepAt(began + SETTLES_AFTER_MS, { about, began, known: { ...known, knows: access }, unit }, moment);
}

function judgeClosing(known: KnownUnit, { access }: PresentUnit, moment: Moment): Step | undefined {
  const { site, calendar } = moment;
  const { closing } = known;
  const days = site.notices.closes_in_days;
  if (days === null || closing === null || access !== known.knows) return undefined;
  const { closes_at, seen_at } = closing;
  if (known.done_closings.includes(closes_at)) return undefined;
  const date = calendar.addDays(calendar.dateAt(closes_at, site.timezone), -days);
  const opens_at = calendar.startOf(date, site.timezone);
  const step = stepAt(
    Math.max(opens_at, seen_at + SETTLES_AFTER_MS),
    {
      about: 'closes_in_days',
      began: Math.max(opens_at, seen_at),
      known: { ...known, done_closings: [...known.done_closings, closes_at] },
      unit: { unit_id: known.unit_id, closes_at },
    },
    moment,
  );
  // It closes before it may be told. That it has closed is told then.
  return step.kind === 'wait' && step.until >= closes_at ? undefined : step;
}

/** @param instant from when on it may be told by day */
function stepAt(
  instant: number,
  told: {
    readonly about: NoticeKind;
    readonly began: number;
    readonly known: KnownUnit;
    readonly unit: ToldUnit;
  },
  { site, now, calendar }: Moment,
): Step {
  const { about, began, known, unit } = told;
  const until = afterNight(Math.max(instant, now), site.timezone, calendar);
  if (until > now) return { kind: 'wait', about, until };
  const since = site.since[about];
  const isTold = since !== null && began >= since;
  const due_at = afterNight(instant, site.timezone, calendar);
  return isTold ? { kind: 'tell', about, known, unit, due_at } : { kind: 'note', known };
}
