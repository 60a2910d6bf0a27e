import type { AnnouncedState } from '#domain/announcements/core/announced.state.js';
import {
  baselineOf,
  changeOf,
  decideLooked,
  differenceOf,
  type LookedUnit,
  obviousBeginning,
} from '#domain/announcements/core/look.js';
import type { Access } from '#domain/access/core/policy.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { ada, movedIn, registered } from '../units/unit-samples.js';
import { calendar, input, local, NOW, PAST_DUE, sibling, unit } from '../access/support/subjects.js';

const HOUR = 3_600_000;
const OPEN: Access = { state: 'tenant_permitted', reason: 'active' };
const MIDNIGHT = local('2025-06-06T00:00');
/** Past due since the midnight before `NOW`. */
const JUST_DUE = { balance_due: 5_000, paid_through_date: '2025-05-31' };

function announcedAs(access: Access): AnnouncedState {
  return { revision: 0, company_id: 'c', unit_id: 'unit-a', effective_at: null, seen_since: null, ...access };
}

function looked(subject: SubjectUnit, over: Partial<LookedUnit> = {}): LookedUnit {
  return {
    company_id: 'c',
    input: input(subject),
    unit_revision: 7,
    last_at: NOW - HOUR,
    policy_revision: 2,
    announced: announcedAs(OPEN),
    look_at: null,
    trigger: { kind: 'any' },
    ...over,
  };
}
/** A unit that Ada has moved into today. */
function newUnit(over: Partial<LookedUnit> = {}): LookedUnit {
  const move_in_date = '2025-06-06';
  const trigger = { kind: 'new', events: [registered, movedIn({ ...ada, move_in_date })] } as const;
  return looked(unit({ move_in_date }), { announced: undefined, unit_revision: 1, trigger, ...over });
}
const beginningOf = (one: LookedUnit) => obviousBeginning(one, decideLooked(one, calendar), calendar);

test('What was announced differs in nothing', () => {
  expect(differenceOf(looked(unit()), OPEN)).toBe('none');
});

test('Another reason differs', () => {
  expect(differenceOf(looked(unit()), { state: 'tenant_permitted', reason: 'pms_exempt' })).toBe('change');
});

test('A unit that is first seen vacant begins with a baseline', () => {
  const one = looked(unit({ occupied: false }), { announced: undefined });
  expect(differenceOf(one, { state: 'vacant', reason: null })).toBe('baseline');
});

test('A unit that is first seen rented may be a new one', () => {
  expect(differenceOf(looked(unit(), { announced: undefined }), OPEN)).toBe('first');
});

test('A change of a new unit is from null', () => {
  const beginning = { cause: { kind: 'write', revision: 1 }, effective_at: 5 } as const;
  const decision = { ...OPEN, valid_until: 9 };
  expect(changeOf(looked(unit(), { announced: undefined }), decision, beginning)).toEqual({
    type: 'AccessChanged',
    data: {
      company_id: 'c',
      unit_id: 'unit-a',
      from: null,
      to: OPEN,
      cause: { kind: 'write', revision: 1 },
      effective_at: 5,
      valid_until: 9,
    },
  });
});

test('A change of a known unit is from what was announced', () => {
  const blanket: Access = { state: 'tenant_denied', reason: 'blanket_delinquency' };
  const beginning = { cause: { kind: 'calendar' }, effective_at: 5 } as const;
  const decision = { ...OPEN, valid_until: null };
  const { data } = changeOf(looked(unit(), { announced: announcedAs(blanket) }), decision, beginning);
  expect(data).toMatchObject({ from: blanket, to: OPEN });
});

test('A baseline is the access, and when it ends', () => {
  expect(baselineOf(looked(unit()), { ...OPEN, valid_until: 9 })).toEqual({
    type: 'AccessBaseline',
    data: { company_id: 'c', unit_id: 'unit-a', to: OPEN, valid_until: 9 },
  });
});

test('The only event of the unit is the cause, at its instant', () => {
  const one = looked(unit({ pms_lockout: true }), { trigger: { kind: 'own', revision: 7 } });
  expect(beginningOf(one)).toEqual({ cause: { kind: 'write', revision: 7 }, effective_at: NOW - HOUR });
});

test('An event before the unit’s last one is not obvious', () => {
  const one = looked(unit({ pms_lockout: true }), { trigger: { kind: 'own', revision: 6 } });
  expect(beginningOf(one)).toBeUndefined();
});

test('An event while a calendar boundary passed is not obvious', () => {
  const one = looked(unit({ pms_lockout: true }), {
    trigger: { kind: 'own', revision: 7 },
    look_at: NOW - 1,
  });
  expect(beginningOf(one)).toBeUndefined();
});

test('An event before a boundary that has changed the access is not obvious', () => {
  const one = looked(unit(JUST_DUE), {
    trigger: { kind: 'own', revision: 7 },
    look_at: MIDNIGHT,
    last_at: MIDNIGHT - HOUR,
  });
  expect(beginningOf(one)).toBeUndefined();
});

test('An event before a boundary that is yet to come is the cause', () => {
  const one = looked(unit({ pms_lockout: true }), {
    trigger: { kind: 'own', revision: 7 },
    look_at: NOW + 1,
  });
  expect(beginningOf(one)).toMatchObject({ cause: { kind: 'write', revision: 7 } });
});

test('An event before a boundary that it has brought itself is not obvious', () => {
  const one = looked(unit(JUST_DUE), { trigger: { kind: 'own', revision: 7 }, last_at: MIDNIGHT - HOUR });
  expect(beginningOf(one)).toBeUndefined();
});

test('The calendar is the cause at the boundary that was known', () => {
  const one = looked(unit(JUST_DUE), { look_at: MIDNIGHT, last_at: MIDNIGHT - HOUR });
  expect(beginningOf(one)).toEqual({ cause: { kind: 'calendar' }, effective_at: MIDNIGHT });
});

test('The calendar is the cause from the first instant of the boundary', () => {
  const given = { input: input(unit(JUST_DUE), { now: MIDNIGHT }), look_at: MIDNIGHT };
  const one = looked(unit(JUST_DUE), { ...given, last_at: MIDNIGHT - HOUR });
  expect(beginningOf(one)).toEqual({ cause: { kind: 'calendar' }, effective_at: MIDNIGHT });
});

test('The calendar is not obvious if the unit was written since', () => {
  for (const last_at of [MIDNIGHT, NOW])
    expect(beginningOf(looked(unit(JUST_DUE), { look_at: MIDNIGHT, last_at }))).toBeUndefined();
});

test('The calendar is not obvious if a later boundary gave the access', () => {
  const one = looked(unit(JUST_DUE), { look_at: MIDNIGHT - HOUR, last_at: MIDNIGHT - 2 * HOUR });
  expect(beginningOf(one)).toBeUndefined();
});

test('The calendar on another unit names the unit that owes', () => {
  const one = looked(unit(), {
    input: input(unit(), { siblings: [sibling(JUST_DUE)] }),
    look_at: MIDNIGHT,
    last_at: MIDNIGHT - HOUR,
  });
  expect(beginningOf(one)).toEqual({
    cause: { kind: 'calendar', unit_id: 'unit-b', crm_unit_id: 'key of unit-b' },
    effective_at: MIDNIGHT,
  });
});

test('A change of policy is the cause at its instant', () => {
  const trigger = { kind: 'policy', location_id: 'l', revision: 2, at: NOW - 5 } as const;
  expect(beginningOf(looked(unit(PAST_DUE), { trigger }))).toEqual({
    cause: { kind: 'policy', location_id: 'l', revision: 2 },
    effective_at: NOW - 5,
  });
});

test('A policy that a later one has replaced is not obvious', () => {
  const trigger = { kind: 'policy', location_id: 'l', revision: 1, at: NOW - 5 } as const;
  expect(beginningOf(looked(unit(PAST_DUE), { trigger }))).toBeUndefined();
});

test('A policy before the unit’s last event is not obvious', () => {
  const trigger = { kind: 'policy', location_id: 'l', revision: 2, at: NOW - 5 } as const;
  for (const last_at of [NOW - 5, NOW])
    expect(beginningOf(looked(unit(PAST_DUE), { trigger, last_at }))).toBeUndefined();
});

test('A policy before a boundary that gave the access is not obvious', () => {
  const trigger = { kind: 'policy', location_id: 'l', revision: 2, at: MIDNIGHT - 1 } as const;
  expect(beginningOf(looked(unit(JUST_DUE), { trigger, last_at: MIDNIGHT - HOUR }))).toBeUndefined();
});

test('The event of a new unit that gave its access is the cause', () => {
  const facts: UnitEvent = { type: 'UnitFactsChanged', data: { pms_status_raw: 'ok' } };
  const events = [registered, movedIn(ada), facts];
  const one = looked(unit({ move_in_date: '2026-01-05' }), {
    input: input(unit({ move_in_date: '2026-01-05' })),
    announced: undefined,
    unit_revision: 2,
    trigger: { kind: 'new', events },
  });
  expect(beginningOf(one)).toEqual({ cause: { kind: 'write', revision: 1 }, effective_at: NOW - HOUR });
});

test('The move-in is the cause of the access of a new unit', () => {
  expect(beginningOf(newUnit())).toEqual({
    cause: { kind: 'write', revision: 1 },
    effective_at: NOW - HOUR,
  });
});

test('A new unit that was written again is not obvious', () => {
  expect(beginningOf(newUnit({ unit_revision: 2 }))).toBeUndefined();
});

test('A new unit that the debt of another one locks is not obvious', () => {
  const locked = unit({ move_in_date: '2025-06-06' });
  expect(beginningOf(newUnit({ input: input(locked, { siblings: [sibling()] }) }))).toBeUndefined();
});

test('A new unit whose lease has begun since is not obvious', () => {
  expect(beginningOf(newUnit({ last_at: MIDNIGHT - 1 }))).toBeUndefined();
});

test('A change from or to the debt of another unit is not obvious by an own event', () => {
  const trigger = { kind: 'own', revision: 7 } as const;
  const debtor = { siblings: [sibling()] };
  expect(beginningOf(looked(unit(), { input: input(unit(), debtor), trigger }))).toBeUndefined();
  const blanket: Access = { state: 'tenant_denied', reason: 'blanket_delinquency' };
  expect(beginningOf(looked(unit(), { announced: announcedAs(blanket), trigger }))).toBeUndefined();
});

test('A first announcement of a unit that is not new is never obvious', () => {
  const trigger = { kind: 'own', revision: 7 } as const;
  expect(beginningOf(looked(unit(), { announced: undefined, trigger }))).toBeUndefined();
});
