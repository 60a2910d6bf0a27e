import type { AccessEvent } from '#domain/access/core/access.events.js';
import type { Access } from '#domain/access/core/policy.js';
import { decideAnnouncement } from '#domain/announcements/core/announced.decide.js';
import { evolveAnnounced } from '#domain/announcements/core/announced.state.js';

const IDS = { company_id: 'c', unit_id: 'u' };
const OPEN = { state: 'tenant_permitted', reason: 'active' } as const;
const LOCKED = { state: 'tenant_denied', reason: 'pms_lockout' } as const;

const baseline: AccessEvent = { type: 'AccessBaseline', data: { ...IDS, to: OPEN, valid_until: null } };
const locked: AccessEvent = {
  type: 'AccessChanged',
  data: {
    ...IDS,
    from: OPEN,
    to: LOCKED,
    cause: { kind: 'write', revision: 3 },
    effective_at: 7,
    valid_until: null,
  },
};
const given = (...events: AccessEvent[]) =>
  events.reduce<ReturnType<typeof evolveAnnounced> | undefined>(
    (state, event, revision) => evolveAnnounced(state, event, revision),
    undefined,
  );

test('A first announcement is appended', () => {
  expect(decideAnnouncement(given(), { event: baseline, compared_with: -1 })).toEqual({
    events: [baseline],
    result: 'announced',
  });
});

test('A change after a baseline is appended', () => {
  expect(decideAnnouncement(given(baseline), { event: locked, compared_with: 0 })).toEqual({
    events: [locked],
    result: 'announced',
  });
});

test('What is announced already is not appended again', () => {
  expect(decideAnnouncement(given(baseline, locked), { event: locked, compared_with: 1 })).toEqual({
    events: [],
    result: 'announced',
  });
});

test('A comparison with an older announcement appends nothing', () => {
  expect(decideAnnouncement(given(baseline, locked), { event: baseline, compared_with: 0 })).toEqual({
    events: [],
    result: 'overtaken',
  });
});

test('The state names the access, and since when it holds', () => {
  const began = (instant: number | null) => ({ effective_at: instant, seen_since: instant });
  expect(given(baseline)).toEqual({ revision: 0, ...IDS, ...OPEN, ...began(null) });
  expect(given(baseline, locked)).toEqual({ revision: 1, ...IDS, ...LOCKED, ...began(7) });
});

const changedTo = (to: Access, effective_at: number): AccessEvent => ({
  type: 'AccessChanged',
  data: { ...IDS, from: LOCKED, to, cause: { kind: 'write', revision: 4 }, effective_at, valid_until: null },
});

test.each<[string, Access, number]>([
  ['another reason to be locked out', { state: 'tenant_denied', reason: 'delinquent' }, 7],
  ['an auction', { state: 'auction', reason: null }, 7],
  ['a lease that begins later', { state: 'tenant_denied', reason: 'future_move_in' }, 9],
  ['its opening', OPEN, 9],
])('After a lockout, the tenant sees %s since then', (_, to, since) => {
  expect(given(baseline, locked, changedTo(to, 9))).toMatchObject({ effective_at: 9, seen_since: since });
});
