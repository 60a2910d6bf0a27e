import type { AccessEvent } from '#domain/access/core/access.events.js';
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
  expect(given(baseline)).toEqual({ revision: 0, ...IDS, ...OPEN, effective_at: null });
  expect(given(baseline, locked)).toEqual({ revision: 1, ...IDS, ...LOCKED, effective_at: 7 });
});
