import { type FollowedEvent, followEvents } from '#domain/announcements/core/followed-events.js';

const ME = 'this announcer';
const AT = Date.UTC(2026, 0, 1);

function event(stream: string, type: string, over: Partial<FollowedEvent> = {}): FollowedEvent {
  const metadata = { occurred_at: new Date(AT).toISOString(), request_id: 'r', part: { n: 1, of: 1 } };
  return { stream, revision: 4, type, data: {}, metadata, ...over };
}

test('One event of a unit is its own', () => {
  const { units } = followEvents([event('unit-c.A', 'UnitFactsChanged')], ME);
  expect([...units]).toEqual([['unit-c.A', { kind: 'own', revision: 4 }]]);
});

test('Two events of a unit are any', () => {
  const { units } = followEvents(
    [event('unit-c.A', 'UnitFactsChanged'), event('unit-c.A', 'UnitFactsChanged', { revision: 5 })],
    ME,
  );
  expect([...units]).toEqual([['unit-c.A', { kind: 'any' }]]);
});

test('An event of an append of several is any', () => {
  const metadata = { occurred_at: new Date(AT).toISOString(), part: { n: 2, of: 2 } };
  const { units } = followEvents([event('unit-c.A', 'UnitFactsChanged', { metadata })], ME);
  expect([...units]).toEqual([['unit-c.A', { kind: 'any' }]]);
});

test('The append that creates a unit is a new one', () => {
  const part = (n: number) => ({ occurred_at: new Date(AT).toISOString(), part: { n, of: 2 } });
  const events = [
    event('unit-c.A', 'UnitRegistered', { revision: 0, metadata: part(1) }),
    event('unit-c.A', 'TenantMovedIn', { revision: 1, metadata: part(2), data: { tenant_id: 't' } }),
  ];
  const { units } = followEvents(events, ME);
  expect(units.get('unit-c.A')).toMatchObject({
    kind: 'new',
    events: [{ type: 'UnitRegistered' }, { type: 'TenantMovedIn' }],
  });
});

test('A unit that is written again after its creation is any', () => {
  const { units } = followEvents(
    [
      event('unit-c.A', 'UnitRegistered', { revision: 0 }),
      event('unit-c.A', 'UnitFactsChanged', { revision: 1 }),
    ],
    ME,
  );
  expect([...units]).toEqual([['unit-c.A', { kind: 'any' }]]);
});

test('A new name, a share and round-the-clock access change no access', () => {
  const types = ['UnitRenamed', 'UnitShared', 'UnitShareEnded', 'RoundTheClockGranted', 'RoundTheClockEnded'];
  const { units } = followEvents(
    types.map((type) => event('unit-c.A', type)),
    ME,
  );
  expect(units.size).toBe(0);
});

test('A move names the tenants whose other units may change', () => {
  const data = { tenant_id: 'new', replaced_tenant_id: 'old' };
  const { tenants } = followEvents([event('unit-c.A', 'TenantMovedIn', { data })], ME);
  expect([...tenants]).toEqual(['new', 'old']);
});

test('The last policy of a location counts, with its instant', () => {
  const events = [3, 4].map((revision) => event('location-L', 'LocationPolicyChanged', { revision }));
  expect(followEvents(events, ME).policies).toEqual([{ location_id: 'L', revision: 4, at: AT }]);
});

test('A location whose texts to tenants changed is named', () => {
  const { noticed } = followEvents([event('location-L', 'LocationNoticesChanged')], ME);
  expect([...noticed]).toEqual(['L']);
});

test('A sandbox whose clock was advanced is named', () => {
  const { advanced } = followEvents([event('company-S', 'SandboxClockAdvanced')], ME);
  expect([...advanced]).toEqual(['S']);
});

test('An announcement of another process is followed, one’s own is not', () => {
  const own = event('access-c.u1', 'AccessChanged', {
    metadata: { occurred_at: new Date(AT).toISOString(), request_id: ME },
  });
  const { announcedElsewhere } = followEvents([own, event('access-c.u2', 'AccessChanged')], ME);
  expect([...announcedElsewhere]).toEqual(['u2']);
});

test('Reports of locks and other events of locations are left out', () => {
  const followed = followEvents(
    [event('lock-L', 'LockActivityReported'), event('location-L', 'LocationRenamed')],
    ME,
  );
  expect(followed).toEqual({
    units: new Map(),
    tenants: new Set(),
    policies: [],
    noticed: new Set(),
    advanced: new Set(),
    announcedElsewhere: new Set(),
  });
});
