import type { AnnouncedState } from '#domain/announcements/core/announced.state.js';
import {
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
  return { revision: 0, company_id: 'c', unit_id: 'unit-a', effective_at: null, ...access };
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

test('An event before a boundary that it has brought itself is not obvious', () => {
  const one = looked(unit(JUST_DUE), { trigger: { kind: 'own', revision: 7 }, last_at: MIDNIGHT - HOUR });
  expect(beginningOf(one)).toBeUndefined();
});

test('The calendar is the cause at the boundary that was known', () => {
  const one = looked(unit(JUST_DUE), { look_at: MIDNIGHT, last_at: MIDNIGHT - HOUR });
  expect(beginningOf(one)).toEqual({ cause: { kind: 'calendar' }, effective_at: MIDNIGHT });
});

test('The calendar is not obvious if the unit was written since', () => {
  expect(beginningOf(looked(unit(JUST_DUE), { look_at: MIDNIGHT, last_at: NOW }))).toBeUndefined();
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

test('A new unit that was written again is not obvious', () => {
  const trigger = { kind: 'new', events: [registered, movedIn(ada)] } as const;
  expect(beginningOf(looked(unit(), { announced: undefined, unit_revision: 2, trigger }))).toBeUndefined();
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
