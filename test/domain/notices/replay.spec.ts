import type { AccessCause } from '#domain/access/core/access.events.js';
import type { Access } from '#domain/access/core/policy.js';
import { replayChanges, replayOnlyChange } from '#domain/notices/core/replay.js';
import { calendar, CHICAGO, local } from '../access/support/subjects.js';

const OPEN: Access = { state: 'tenant_permitted', reason: 'active' };
const CLOSED: Access = { state: 'tenant_denied', reason: 'delinquent' };
const AUCTION: Access = { state: 'auction', reason: null };
const WAITING: Access = { state: 'tenant_denied', reason: 'future_move_in' };
const VACANT: Access = { state: 'vacant', reason: null };
const WRITE: AccessCause = { kind: 'write', revision: 1 };
const CALENDAR: AccessCause = { kind: 'calendar' };

const window = {
  timezone: CHICAGO,
  from: local('2025-06-01T12:00'),
  now: local('2025-06-15T12:00'),
  lease_begins_at: null,
};

function changed(from: Access | null, to: Access, at: string, cause = WRITE) {
  const effective_at = local(at);
  return { company_id: 'c', unit_id: 'u', from, to, cause, effective_at, valid_until: null };
}
const told = (...changes: ReturnType<typeof changed>[]) => [...replayChanges(changes, window, calendar)];

test('A unit without changes tells nothing', () => {
  expect(told()).toEqual([]);
});

test('A closing and an opening would have been told', () => {
  expect(told(changed(OPEN, CLOSED, '2025-06-05T10:00'), changed(CLOSED, OPEN, '2025-06-05T12:00'))).toEqual([
    'closed',
    'opened',
  ]);
});

test('A closing by the calendar could have been told before', () => {
  expect(told(changed(OPEN, CLOSED, '2025-06-05T00:00', CALENDAR))).toEqual(['closed', 'closes_in_days']);
});

test('An opening by the calendar is no closing that could have been told before', () => {
  expect(told(changed(CLOSED, OPEN, '2025-06-05T00:00', CALENDAR))).toEqual(['opened']);
});

test('A unit that was vacant, or whose lease had not begun, is welcomed as a new one', () => {
  expect(told(changed(VACANT, OPEN, '2025-06-05T10:00'))).toEqual(['welcome']);
  expect(told(changed(WAITING, OPEN, '2025-06-05T10:00'))).toEqual(['welcome']);
});

test('A change that is told at the first and at the last instant counts', () => {
  expect(told(changed(OPEN, CLOSED, '2025-06-01T11:45'))).toEqual(['closed']);
  expect(told(changed(OPEN, CLOSED, '2025-06-15T11:45'))).toEqual(['closed']);
});

test('A state that ends within a quarter of an hour, or within the night, is not told', () => {
  expect(told(changed(OPEN, CLOSED, '2025-06-05T10:00'), changed(CLOSED, OPEN, '2025-06-05T10:15'))).toEqual(
    [],
  );
  expect(told(changed(OPEN, CLOSED, '2025-06-05T22:00'), changed(CLOSED, OPEN, '2025-06-06T07:59'))).toEqual(
    [],
  );
});

test('A move-in is welcomed when the lease begins', () => {
  expect(
    told(changed(null, WAITING, '2025-06-03T10:00'), changed(WAITING, OPEN, '2025-06-05T00:00')),
  ).toEqual(['welcome']);
});

test('A move-out tells nothing, and the next tenant is welcomed', () => {
  expect(
    told(changed(CLOSED, VACANT, '2025-06-03T10:00'), changed(VACANT, OPEN, '2025-06-05T10:00')),
  ).toEqual(['welcome']);
});

test('Another reason to be closed is not told', () => {
  expect(told(changed(CLOSED, AUCTION, '2025-06-05T10:00'))).toEqual([]);
});

test('A change before the days that are counted is known, and not counted', () => {
  expect(told(changed(OPEN, CLOSED, '2025-05-30T10:00'), changed(CLOSED, OPEN, '2025-06-05T10:00'))).toEqual([
    'opened',
  ]);
});

test('A change that is too new is not counted', () => {
  expect(told(changed(OPEN, CLOSED, '2025-06-15T11:50'))).toEqual([]);
});

describe('An import', () => {
  const toldOfLease = (lease: string, ...changes: ReturnType<typeof changed>[]) => [
    ...replayChanges(changes, { ...window, lease_begins_at: local(lease) }, calendar),
  ];
  const OLD = '2025-05-01T00:00';
  const NEW = '2025-06-01T00:00';

  test('of an old lease is not welcomed, that of a new one is', () => {
    const imported = changed(null, OPEN, '2025-06-05T10:00');
    expect(toldOfLease(OLD, imported)).toEqual([]);
    expect(toldOfLease(NEW, imported)).toEqual(['welcome']);
  });

  test('of an old lease that is locked out tells nothing of the lockout', () => {
    const imported = changed(null, CLOSED, '2025-06-05T10:00');
    expect(toldOfLease(OLD, imported)).toEqual([]);
    expect(toldOfLease(NEW, imported)).toEqual(['closed']);
  });

  test('of an old lease that is locked out is told when it is open again', () => {
    const imported = changed(null, CLOSED, '2025-06-05T10:00');
    expect(toldOfLease(OLD, imported, changed(CLOSED, OPEN, '2025-06-06T10:00'))).toEqual(['opened']);
  });

  test('of an old lease that is locked out tells nothing of another reason', () => {
    const imported = changed(null, CLOSED, '2025-06-05T10:00');
    expect(toldOfLease(OLD, imported, changed(CLOSED, AUCTION, '2025-06-06T10:00'))).toEqual([]);
  });

  test('of an old lease is known at once: a lockout minutes later is told', () => {
    const imported = changed(null, OPEN, '2025-06-05T10:00');
    expect(toldOfLease(OLD, imported, changed(OPEN, CLOSED, '2025-06-05T10:05'))).toEqual(['closed']);
  });
});

test('A tenant who moves in minutes after the other has left is welcomed', () => {
  expect(told(changed(OPEN, VACANT, '2025-06-05T10:00'), changed(VACANT, OPEN, '2025-06-05T10:05'))).toEqual([
    'welcome',
  ]);
});

test('A lease that is put off and begins on its day is not welcomed again', () => {
  expect(
    told(changed(OPEN, WAITING, '2025-06-03T10:00'), changed(WAITING, OPEN, '2025-06-05T00:00')),
  ).toEqual([]);
});

describe('By the view, the only change of a unit', () => {
  const only = (to: Access, at: string, revision = 0) =>
    replayOnlyChange({ ...to, revision, effective_at: local(at) }, window, calendar);

  test.each([
    ['is a welcome', OPEN],
    ['tells nothing before the lease begins', WAITING],
    ['tells nothing of a vacant unit', VACANT],
  ])('%s, as by its event', (_, to) => {
    const at = '2025-06-05T10:00';
    expect([...only(to, at)!]).toEqual(told(changed(null, to, at)));
  });

  test('tells nothing of an import, as by its event', () => {
    const imported = { ...window, lease_begins_at: local('2025-01-01T00:00') };
    const announced = { ...OPEN, revision: 0, effective_at: local('2025-06-05T10:00') };
    expect([...replayOnlyChange(announced, imported, calendar)!]).toEqual([]);
  });

  test('does not say why it closed', () => {
    expect(only(CLOSED, '2025-06-05T10:00')).toBeUndefined();
  });

  test('is not known after a change before it', () => {
    expect(only(OPEN, '2025-06-05T10:00', 1)).toBeUndefined();
  });

  test('is not known from a baseline', () => {
    const baseline = { ...OPEN, revision: 0, effective_at: null };
    expect(replayOnlyChange(baseline, window, calendar)).toBeUndefined();
  });
});
