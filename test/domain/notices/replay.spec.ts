import type { AccessCause } from '#domain/access/core/access.events.js';
import type { Access } from '#domain/access/core/policy.js';
import { replayChanges } from '#domain/notices/core/replay.js';
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

test('An import of an old lease is not welcomed', () => {
  const import_ = changed(null, OPEN, '2025-06-05T10:00');
  const withLease = (lease: string) => [
    ...replayChanges([import_], { ...window, lease_begins_at: local(lease) }, calendar),
  ];
  expect(withLease('2025-05-01T00:00')).toEqual([]);
  expect(withLease('2025-06-01T00:00')).toEqual(['welcome']);
});
