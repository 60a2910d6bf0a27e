import type { LocationNotices } from '#domain/locations/core/notices.js';
import { NO_NOTICES, NEVER_NOTICED, sinceAfter } from '#domain/locations/core/notices.js';
import { judgeTenant, type Judgement } from '#domain/notices/core/due-notice.js';
import {
  isAnyOn,
  type KnownUnit,
  meetUnit,
  type NoticeSite,
  type PresentUnit,
  standingUnit,
} from '#domain/notices/core/known-unit.js';
import { calendar, CHICAGO, local } from '../access/support/subjects.js';

const MINUTE = 60_000;
const SWITCHED_ON = local('2025-06-01T12:00');
const ALL: LocationNotices = { welcome: true, closes_in_days: 3, closed: true, opened: true };
const MIDNIGHT_OF_10 = local('2025-06-10T00:00');

function siteWith(notices: Partial<LocationNotices> = ALL, since = SWITCHED_ON): NoticeSite {
  const whole = { ...NO_NOTICES, ...notices };
  return { timezone: CHICAGO, notices: whole, since: sinceAfter(NEVER_NOTICED, whole, since) };
}

function presentUnit(over: Partial<PresentUnit> = {}): PresentUnit {
  return { unit_id: 'A-1', tenancy_id: 't-1', access: 'open', since: 0, closes_at: null, ...over };
}

function knownUnit(over: Partial<KnownUnit> = {}): KnownUnit {
  return {
    unit_id: 'A-1',
    tenancy_id: 't-1',
    moved_in_at: 0,
    knows: 'open',
    closing: null,
    done_closings: [],
    ...over,
  };
}

interface Given {
  readonly known?: Partial<KnownUnit>;
  readonly present: Partial<PresentUnit>;
}

/** `given(units…).at(instant)`: what is told then. */
function given(...units: readonly Given[]) {
  const standings = units.map(({ known = {}, present }, index) => {
    const unit_id = present.unit_id ?? `A-${index + 1}`;
    return { known: knownUnit({ unit_id, ...known }), present: presentUnit({ unit_id, ...present }) };
  });
  return {
    at: (instant: string, site = siteWith()): Judgement =>
      judgeTenant(standings, { site, now: local(instant), calendar }),
  };
}

const closedAt = (instant: string): Partial<PresentUnit> => ({ access: 'closed', since: local(instant) });
const told = ({ notice }: Judgement) =>
  notice && [notice.kind, ...notice.units.map(({ unit_id }) => unit_id)].join(' ');

describe('a unit that has closed', () => {
  it('is told a quarter of an hour later', () => {
    const closed = given({ present: closedAt('2025-06-05T10:00') });
    expect(closed.at('2025-06-05T10:14:59.999')).toMatchObject({
      notice: null,
      look_at: local('2025-06-05T10:15'),
    });
    expect(told(closed.at('2025-06-05T10:15'))).toBe('closed A-1');
  });

  it('is not told again', () => {
    const after = given({ present: closedAt('2025-06-05T10:00') }).at('2025-06-05T10:15').known[0]!;
    const again = given({ known: after, present: closedAt('2025-06-05T10:00') }).at('2025-06-05T10:16');
    expect(again).toMatchObject({ notice: null, look_at: null });
  });

  it('is told in the morning if it closes in the evening', () => {
    const closed = given({ present: closedAt('2025-06-05T20:50') });
    expect(closed.at('2025-06-05T21:05')).toMatchObject({ notice: null, look_at: local('2025-06-06T08:00') });
    expect(told(closed.at('2025-06-06T08:00'))).toBe('closed A-1');
  });

  it('is told in the morning if it closes at midnight', () => {
    const closed = given({ present: closedAt('2025-06-05T00:00') });
    expect(closed.at('2025-06-05T00:20').look_at).toBe(local('2025-06-05T08:00'));
  });

  it('is not told at night if the service was down at the instant', () => {
    const closed = given({ present: closedAt('2025-06-05T15:00') });
    expect(closed.at('2025-06-05T22:00')).toMatchObject({ notice: null, look_at: local('2025-06-06T08:00') });
  });

  it('is not told if it opens within a quarter of an hour, and neither is that', () => {
    const opened = given({ present: { access: 'open', since: local('2025-06-05T10:10') } });
    expect(opened.at('2025-06-05T10:30')).toMatchObject({ notice: null, look_at: null });
  });

  it('at the instant at which the text was switched on is told', () => {
    expect(told(given({ present: closedAt('2025-06-01T12:00') }).at('2025-06-01T12:30'))).toBe('closed A-1');
  });

  it('before the text was switched on is not told, and known all the same', () => {
    const closed = given({ present: closedAt('2025-06-01T11:59') });
    const { notice, known } = closed.at('2025-06-01T12:30');
    expect(notice).toBeNull();
    expect(known).toMatchObject([{ knows: 'closed' }]);
  });

  it('is not told while the text is off, and its opening is', () => {
    const site = siteWith({ opened: true });
    const { notice, known } = given({ present: closedAt('2025-06-05T10:00') }).at('2025-06-05T10:15', site);
    expect(notice).toBeNull();
    const opened = given({
      known: known[0]!,
      present: { access: 'open', since: local('2025-06-05T12:00') },
    });
    expect(told(opened.at('2025-06-05T12:15', site))).toBe('opened A-1');
  });

  it('with others of its tenant is told in one text', () => {
    const both = given({ present: closedAt('2025-06-05T10:00') }, { present: closedAt('2025-06-05T10:00') });
    expect(told(both.at('2025-06-05T10:15'))).toBe('closed A-1 A-2');
  });

  it('seconds before another one of its tenant waits for it', () => {
    const both = given(
      { present: closedAt('2025-06-05T10:00:00') },
      { present: closedAt('2025-06-05T10:00:05') },
    );
    expect(both.at('2025-06-05T10:15:01')).toMatchObject({
      notice: null,
      known: [{ knows: 'open' }, { knows: 'open' }],
      look_at: local('2025-06-05T10:15:05'),
    });
    expect(told(both.at('2025-06-05T10:15:05'))).toBe('closed A-1 A-2');
  });

  it('longer before another one does not wait', () => {
    const both = given(
      { present: closedAt('2025-06-05T10:00:00') },
      { present: closedAt('2025-06-05T10:00:05.001') },
    );
    const first = both.at('2025-06-05T10:15:03');
    expect([told(first), first.look_at]).toEqual(['closed A-1', local('2025-06-05T10:15:05.001')]);
  });

  it('waits no longer because others close one after the other', () => {
    const three = given(
      { present: closedAt('2025-06-05T10:00:00') },
      { present: closedAt('2025-06-05T10:00:04') },
      { present: closedAt('2025-06-05T10:00:08') },
    );
    expect(told(three.at('2025-06-05T10:15:04'))).toBe('closed A-1 A-2');
  });

  it('does not wait for a text about something else', () => {
    const both = given(
      { present: closedAt('2025-06-05T10:00:00') },
      { known: { knows: 'closed' }, present: { access: 'open', since: local('2025-06-05T10:00:01') } },
    );
    expect(told(both.at('2025-06-05T10:15:00'))).toBe('closed A-1');
  });

  it('beside one that opens has a text of its own, and the other follows at once', () => {
    const both = given(
      { present: closedAt('2025-06-05T10:00') },
      { known: { knows: 'closed' }, present: { access: 'open', since: local('2025-06-05T10:00') } },
    );
    const first = both.at('2025-06-05T10:15');
    expect([told(first), first.look_at]).toEqual(['closed A-1', local('2025-06-05T10:15')]);
    expect(first.known).toMatchObject([{ knows: 'closed' }, { knows: 'closed' }]);
  });
});

describe('a unit that somebody has rented', () => {
  const moved_in_at = local('2025-06-05T10:00');
  const isNew = { knows: 'nothing', moved_in_at } as const;

  it('is welcomed once it is open', () => {
    const open = given({ known: isNew, present: { since: moved_in_at } });
    expect(told(open.at('2025-06-05T10:15'))).toBe('welcome A-1');
  });

  it('is welcomed a quarter of an hour after the move-in, if it was open for somebody else before', () => {
    const open = given({ known: isNew, present: { since: local('2025-05-01T10:00') } });
    expect(open.at('2025-06-05T10:10').look_at).toBe(local('2025-06-05T10:15'));
    expect(told(open.at('2025-06-05T10:15'))).toBe('welcome A-1');
  });

  it('is welcomed when the lease begins', () => {
    const waiting = given({ known: isNew, present: { access: 'not_begun', since: moved_in_at } });
    expect(waiting.at('2025-06-06T12:00')).toMatchObject({ notice: null, look_at: null });
    const begun = given({ known: isNew, present: { since: local('2025-06-10T00:00') } });
    expect(told(begun.at('2025-06-10T08:00'))).toBe('welcome A-1');
  });

  it('and is closed from the first day is told as closed', () => {
    const closed = given({ known: isNew, present: { access: 'closed', since: moved_in_at } });
    expect(told(closed.at('2025-06-05T10:15'))).toBe('closed A-1');
  });

  it('is met as new', () => {
    const met = meetUnit(
      presentUnit({ closes_at: 9 }),
      { moved_in_at, lease_begins_at: null },
      { site: siteWith(), now: moved_in_at },
    );
    expect(met).toMatchObject({ knows: 'nothing', closing: { closes_at: 9, seen_at: moved_in_at } });
  });

  it('before texts were switched on is met as it stands', () => {
    const met = meetUnit(
      presentUnit({ access: 'closed', closes_at: 9 }),
      { moved_in_at: SWITCHED_ON - 1, lease_begins_at: null },
      { site: siteWith(), now: SWITCHED_ON },
    );
    expect(met).toMatchObject({ knows: 'closed', closing: { closes_at: 9, seen_at: 0 } });
  });
});

describe('a unit that stood when one text of several was switched on', () => {
  const site = siteWith({ closed: true });
  const metWith = (moved_in_at: number, present: Partial<PresentUnit> = {}) =>
    meetUnit(
      presentUnit(present),
      { moved_in_at, lease_begins_at: null },
      { site, now: SWITCHED_ON + MINUTE },
    );

  it('is met as it stands, without a closing', () => {
    expect(metWith(SWITCHED_ON - 1)).toEqual(knownUnit({ moved_in_at: SWITCHED_ON - 1 }));
  });

  it('is met as new from that instant on', () => {
    expect(metWith(SWITCHED_ON).knows).toBe('nothing');
  });

  it('is met as new if its lease has not begun', () => {
    expect(metWith(SWITCHED_ON - 1, { access: 'not_begun' }).knows).toBe('nothing');
  });
});

describe('two units of a tenant', () => {
  it('of which one is noted in silence are both looked at', () => {
    const site = siteWith({ opened: true });
    const both = given(
      { present: closedAt('2025-06-05T10:00') },
      { known: { knows: 'closed' }, present: { access: 'open', since: local('2025-06-05T10:10') } },
    );
    const { known, look_at } = both.at('2025-06-05T10:15', site);
    expect(known).toMatchObject([{ knows: 'closed' }, { knows: 'closed' }]);
    expect(look_at).toBe(local('2025-06-05T10:25'));
  });
});

describe('a unit of which the service hears late', () => {
  const moved_in_at = local('2025-06-15T10:00');
  const metWith = (lease: string) =>
    meetUnit(
      presentUnit(),
      { moved_in_at, lease_begins_at: local(lease) },
      { site: siteWith(), now: moved_in_at },
    ).knows;

  it('is new within two weeks', () => {
    expect(metWith('2025-06-01T10:00')).toBe('nothing');
  });

  it('stands as it is after two weeks: it comes from an import', () => {
    expect(metWith('2025-06-01T09:59')).toBe('open');
  });
});

describe('a unit that will close', () => {
  const seen_at = local('2025-06-02T12:00');
  const closing = { closes_at: MIDNIGHT_OF_10, seen_at };
  const closes = given({ known: { closing }, present: { closes_at: MIDNIGHT_OF_10 } });

  it('is told so many days before, in the morning', () => {
    expect(closes.at('2025-06-02T13:00')).toMatchObject({ notice: null, look_at: local('2025-06-07T08:00') });
    expect(told(closes.at('2025-06-07T08:00'))).toBe('closes_in_days A-1');
    expect(closes.at('2025-06-07T08:00').notice!.units).toMatchObject([{ closes_at: MIDNIGHT_OF_10 }]);
  });

  it('is told once for each instant', () => {
    const known = closes.at('2025-06-07T08:00').known[0]!;
    const again = (closes_at: number, now: string) => given({ known, present: { closes_at } }).at(now);
    expect(again(MIDNIGHT_OF_10, '2025-06-07T12:00')).toMatchObject({ notice: null, look_at: null });
    const later = local('2025-06-11T00:00');
    const other = again(later, '2025-06-08T09:00');
    expect(other).toMatchObject({ notice: null, look_at: local('2025-06-08T09:15') });
    const back = given({ known: other.known[0]!, present: { closes_at: MIDNIGHT_OF_10 } });
    expect(back.at('2025-06-08T10:00')).toMatchObject({ notice: null, look_at: null });
  });

  it('is not told within a quarter of an hour after its end was set', () => {
    const fresh = given({ present: { closes_at: MIDNIGHT_OF_10 } }).at('2025-06-08T10:00');
    expect(fresh).toMatchObject({ notice: null, look_at: local('2025-06-08T10:15') });
    const then = given({ known: fresh.known[0]!, present: { closes_at: MIDNIGHT_OF_10 } });
    expect(told(then.at('2025-06-08T10:15'))).toBe('closes_in_days A-1');
  });

  it('before the next morning is not told', () => {
    const late = given({
      known: { closing: { ...closing, seen_at: local('2025-06-09T20:50') } },
      present: { closes_at: MIDNIGHT_OF_10 },
    });
    expect(late.at('2025-06-09T21:10')).toMatchObject({ notice: null, look_at: null });
  });

  it('in the morning, as soon as it may be told, is not told', () => {
    const closes_at = local('2025-06-10T08:00');
    const late = given({
      known: { closing: { closes_at, seen_at: local('2025-06-09T20:50') } },
      present: { closes_at },
    });
    expect(late.at('2025-06-09T21:10')).toMatchObject({ notice: null, look_at: null });
  });

  it('soon when the text is switched on is not told', () => {
    const site = siteWith(ALL, local('2025-06-08T12:00'));
    const standing = standingUnit(knownUnit(), { closes_at: MIDNIGHT_OF_10 });
    const soon = given({ known: standing, present: { closes_at: MIDNIGHT_OF_10 } });
    expect(soon.at('2025-06-08T13:00', site)).toMatchObject({
      notice: null,
      look_at: null,
      known: [{ done_closings: [MIDNIGHT_OF_10] }],
    });
  });

  it('later when the text is switched on is told', () => {
    const site = siteWith(ALL, local('2025-06-05T12:00'));
    const standing = standingUnit(knownUnit(), { closes_at: MIDNIGHT_OF_10 });
    const later = given({ known: standing, present: { closes_at: MIDNIGHT_OF_10 } });
    expect(later.at('2025-06-05T13:00', site).look_at).toBe(local('2025-06-07T08:00'));
    expect(told(later.at('2025-06-07T08:00', site))).toBe('closes_in_days A-1');
  });

  it('is not told while the text is off', () => {
    expect(closes.at('2025-06-08T12:00', siteWith({ closed: true }))).toMatchObject({
      notice: null,
      look_at: null,
    });
  });

  it('and was closed until now is told after its opening', () => {
    const opened = {
      known: { knows: 'closed' as const, closing },
      present: { since: local('2025-06-08T10:00'), closes_at: MIDNIGHT_OF_10 },
    };
    const first = given(opened).at('2025-06-08T10:15');
    expect(told(first)).toBe('opened A-1');
    const second = given({ ...opened, known: first.known[0]! }).at('2025-06-08T10:15');
    expect(told(second)).toBe('closes_in_days A-1');
  });

  it('is told after an opening that nobody is told of', () => {
    const site = siteWith({ closes_in_days: 3 });
    const opened = given({
      known: { knows: 'closed', closing },
      present: { since: local('2025-06-08T10:00'), closes_at: MIDNIGHT_OF_10 },
    });
    expect(told(opened.at('2025-06-08T10:15', site))).toBe('closes_in_days A-1');
  });

  it('keeps only closings that are yet to come', () => {
    const known = { done_closings: [MIDNIGHT_OF_10 - 15 * MINUTE] };
    const { known: after } = given({ known, present: {} }).at('2025-06-10T08:00');
    expect(after).toMatchObject([{ done_closings: [], closing: null }]);
  });
});

it('no closing stands ahead of a unit that does not close', () => {
  const known = knownUnit({ closing: { closes_at: MIDNIGHT_OF_10, seen_at: 7 } });
  expect(standingUnit(known, { closes_at: null }).closing).toBeNull();
});

it('a site has texts on if it has any on', () => {
  expect([isAnyOn(siteWith({})), isAnyOn(siteWith({ closed: true }))]).toEqual([false, true]);
});
