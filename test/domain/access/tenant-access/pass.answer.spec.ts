import { grantsIn, recordsOfKeys } from '#domain/access/tenant-access/answer-keys.js';
import { answerHoldings } from '#domain/access/tenant-access/tenant-access.answer.js';
import type { TenantHoldings } from '#domain/access/tenant-access/tenant-holdings.js';
import type { HeldPass } from '#domain/access/tenant-access/pass.answer.js';
import type { EntryPointState, LocationDocument } from '#domain/locations/index.js';
import type { PassState } from '#domain/passes/index.js';
import { locationDocument } from '../../locations/location-document.js';
import { calendar, local, POLICY } from '../support/subjects.js';

/** A Friday, ten past nine at the location. */
const NOW = local('2025-06-06T09:10');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LOCATION = locationDocument('main', 'company', { name: 'Main St', policy: POLICY });
const WEEKDAYS = { open: '08:00', close: '17:00' } as const;
const OFFICE_HOURS = {
  mon: WEEKDAYS,
  tue: WEEKDAYS,
  wed: WEEKDAYS,
  thu: WEEKDAYS,
  fri: WEEKDAYS,
  sat: 'closed',
  sun: 'closed',
} as const;
const SHUT = { week: { ...OFFICE_HOURS, fri: 'closed' }, exceptions: [], exit_grace_minutes: 10 } as const;

function pass(rest: Partial<PassState> = {}): PassState {
  return {
    revision: 0,
    pass_id: 'pass',
    company_id: 'company',
    location_id: 'main',
    tenant_id: 'vic',
    entry_point_ids: ['gate'],
    units: [],
    from: NOW - DAY,
    until: NOW + 9 * DAY,
    hours: null,
    reason: 'vendor',
    issued_at: NOW - DAY,
    ended_at: null,
    changed_at: [NOW - DAY],
    ever_tenant_ids: ['vic'],
    ever_entry_point_ids: ['gate'],
    ever_unit_ids: [],
    ...rest,
  };
}

function gate(rest: Partial<EntryPointState> = {}): EntryPointState {
  return {
    entry_point_id: 'gate',
    revision: 1,
    location_id: 'main',
    name: 'North gate',
    kind: 'gate',
    zone_ids: [],
    zone_stays: [],
    in_service: true,
    hours: 'location',
    hours_set_at: [],
    key_format: 1,
    ...rest,
  };
}

const UNIT = {
  unit_id: 'a',
  unit_name: 'A-1',
  state: 'vacant',
  zone_ids: [],
  locks: [{ lock_id: 'door', name: 'Door', serial: null, key_format: 1 }],
} as const;

function held(rest: Partial<PassState> = {}, of: Partial<HeldPass> = {}): HeldPass {
  return { pass: pass(rest), location: LOCATION, entry_points: [gate()], units: [], ...of };
}

function holdings(...passes: readonly HeldPass[]): TenantHoldings {
  return { tenant: { id: 'vic', name: 'Vic' }, units: [], entry_points: [], passes };
}

const at = (now: number) => ({ now: () => now, isSandbox: false });
const answered = (now: number, ...passes: readonly HeldPass[]) =>
  answerHoldings(holdings(...passes), at(now), calendar);
const answer = (now: number, ...passes: readonly HeldPass[]) => answered(now, ...passes).answer;
const gateOf = (now: number, one: HeldPass) => answer(now, one).passes[0]!.entry_points[0]!;
const withHours = (access_hours: LocationDocument['access_hours']) => ({
  location: { ...LOCATION, access_hours },
});
const time = (instant: number) => new Date(instant).toISOString();

describe('the keys of a pass', () => {
  it('last an hour at most, and are the same for half an hour', () => {
    const ends = (minutes: number) => gateOf(NOW + minutes * MINUTE, held()).key_expires_at;
    expect([ends(0), ends(19)]).toEqual([time(NOW + 50 * MINUTE), time(NOW + 50 * MINUTE)]);
    expect(ends(20)).toBe(time(NOW + 80 * MINUTE));
  });

  it('end with it', () => {
    expect(gateOf(NOW, held({ until: NOW + 5 * MINUTE })).key_expires_at).toBe(time(NOW + 5 * MINUTE));
  });

  it('name it, so that two passes to one gate give two keys', () => {
    const both = answer(NOW, held(), held({ pass_id: 'other' }));
    expect(grantsIn(both).map(({ tenancy_id }) => tenancy_id)).toEqual(['pass', 'other']);
  });

  it('open the locks of its units, whatever the hour', () => {
    const one = held({ hours: { ...OFFICE_HOURS, fri: 'closed' } }, { units: [UNIT] });
    expect(answer(NOW, one).passes[0]).toMatchObject({
      entry_points: [{ state: 'denied', reason: 'outside_hours' }],
      units: [{ state: 'vacant', locks: [{ lock_id: 'door', key_expires_at: time(NOW + 50 * MINUTE) }] }],
    });
  });

  it('are recorded with the pass, and with its units alone', () => {
    const records = recordsOfKeys(answer(NOW, held({}, { units: [UNIT] })));
    const record = { tenant_id: 'vic', expires_at: NOW + 50 * MINUTE, pass_id: 'pass' };
    expect(records).toEqual([
      { ...record, lock_id: 'door', unit_ids: ['a'] },
      { ...record, lock_id: 'gate', unit_ids: [] },
    ]);
  });
});

describe('a gate of a pass', () => {
  it('is open at any hour where nothing closes', () => {
    expect(gateOf(NOW, held())).toMatchObject({ state: 'permitted', reason: null, closes_at: null });
  });

  it('keeps its own hours', () => {
    const closed = gateOf(NOW, held({}, withHours(SHUT)));
    expect(closed).toMatchObject({
      state: 'denied',
      reason: 'outside_hours',
      would_have_access: false,
      opens_at: time(local('2025-06-09T08:00')),
    });
    expect(closed).not.toHaveProperty('key');
  });

  it('keeps the hours of the pass in place of its own', () => {
    const one = held({ hours: OFFICE_HOURS }, withHours(SHUT));
    expect(gateOf(NOW, one)).toMatchObject({
      state: 'permitted',
      closes_at: time(local('2025-06-06T17:00')),
    });
  });

  it('keeps the hours of the pass if it is always open itself', () => {
    const one = held({ hours: OFFICE_HOURS }, { entry_points: [gate({ hours: 'always' })] });
    expect(gateOf(local('2025-06-07T12:00'), one)).toMatchObject({ reason: 'outside_hours' });
  });

  it('gives a key until the time to leave is over', () => {
    const key = (grace: number) => {
      const hours = { ...SHUT, exit_grace_minutes: grace };
      const one = held({ hours: OFFICE_HOURS }, withHours(hours));
      return gateOf(local('2025-06-06T16:55'), one).key_expires_at;
    };
    expect([key(10), key(30)]).toEqual([time(local('2025-06-06T17:10')), time(local('2025-06-06T17:30'))]);
  });

  it('has ten minutes to leave where the location has no hours', () => {
    const one = held({ hours: OFFICE_HOURS });
    expect(gateOf(local('2025-06-06T16:59'), one).key_expires_at).toBe(time(local('2025-06-06T17:10')));
  });

  it('is denied out of service', () => {
    expect(gateOf(NOW, held({}, { entry_points: [gate({ in_service: false })] }))).toMatchObject({
      state: 'denied',
      reason: 'out_of_service',
    });
  });
});

describe('a pass to come', () => {
  it('is told with the instant at which its gates open, and without keys', () => {
    const from = NOW + DAY;
    const [one] = answer(NOW, held({ from }, { units: [UNIT] })).passes;
    expect(one).toMatchObject({
      from: time(from),
      entry_points: [{ state: 'denied', reason: 'outside_hours', opens_at: time(from) }],
      units: [{ locks: [{ lock_id: 'door', name: 'Door' }] }],
    });
    expect(JSON.stringify(one)).not.toContain('key');
  });

  it('opens with its hours, if these begin later', () => {
    const from = local('2025-06-07T09:00');
    expect(gateOf(NOW, held({ from, hours: OFFICE_HOURS })).opens_at).toBe(time(local('2025-06-09T08:00')));
  });

  it('opens as it begins, within its hours', () => {
    const from = local('2025-06-09T09:00');
    expect(gateOf(NOW, held({ from, hours: OFFICE_HOURS })).opens_at).toBe(time(from));
  });
});

describe('the answer', () => {
  it('leaves out a pass that has ended', () => {
    expect(answer(NOW, held({ until: NOW })).passes).toEqual([]);
    expect(answer(NOW, held({ ended_at: NOW - 1 })).passes).toEqual([]);
  });

  it('is valid until a pass begins or ends', () => {
    const until = NOW + 2 * DAY;
    expect(answer(NOW, held({ until })).valid_until).toBe(time(until));
    expect(answer(NOW, held({ from: NOW + DAY, until })).valid_until).toBe(time(NOW + DAY));
  });

  it('is to be asked for again when a key ends or a gate opens', () => {
    expect(answer(NOW, held()).refresh_at).toBe(time(NOW + 50 * MINUTE));
    const one = held({ hours: { ...OFFICE_HOURS, fri: { open: '10:00', close: '11:00' } } });
    expect(answer(NOW, one).refresh_at).toBe(time(local('2025-06-06T10:00')));
  });

  it('is another one as soon as keys last longer', () => {
    expect(answered(NOW, held()).changes_at).toBe(NOW + 20 * MINUTE);
  });

  it('has no link for payments', () => {
    const contact = { phone: '+13125550100', email: null, address: null, payment_url: 'https://pay.example' };
    const [one] = answer(NOW, held({}, { location: { ...LOCATION, contact } })).passes;
    expect(one!.location.contact).toEqual({ phone: '+13125550100', email: null, address: null });
  });
});
