import { toTimestamp } from '#kernel/timestamp.js';
import { answerEntryPoint, type OpeningUnit } from '#domain/access/tenant-access/entry-point.answer.js';
import type { AccessHours, EntryPointState } from '#domain/locations/index.js';
import { everyDay, OFFICE_HOURS } from '../../locations/hours/support/office-hours.js';
import { locationDocument } from '../../locations/location-document.js';
import { calendar, local, POLICY } from '../support/subjects.js';

const NOON = local('2025-06-06T12:00');
const MIDNIGHT = local('2025-06-06T23:00');
const iso = (text: string) => toTimestamp(local(text));

const GATE: EntryPointState = {
  entry_point_id: 'gate',
  revision: 1,
  location_id: 'location-1',
  name: 'North gate',
  kind: 'gate',
  zone_ids: ['zone-1'],
  zone_stays: [],
  in_service: true,
  hours: 'location',
  hours_set_at: [],
  key_format: 1,
};

interface Asked {
  readonly hours?: AccessHours | null;
  readonly gate?: Partial<EntryPointState>;
  readonly units?: readonly Partial<OpeningUnit>[];
}

function at(now: number, { hours = OFFICE_HOURS, gate = {}, units = [{}] }: Asked = {}) {
  const location = locationDocument('location-1', 'company-1', { policy: POLICY, access_hours: hours });
  const opening = units.map((unit) => ({ location, valid_until: null, round_the_clock: false, ...unit }));
  const context = { tenant_id: 'tenant-1', now, sandbox: false, calendar };
  return answerEntryPoint({ ...GATE, ...gate }, opening, context);
}

describe('an entry point that keeps hours', () => {
  it('is permitted inside of them, names the closing, and gives a key until the time to leave is over', () => {
    const { shown, changes_at } = at(NOON);
    expect(shown).toMatchObject({
      state: 'permitted',
      reason: null,
      would_have_access: true,
      opens_at: null,
      closes_at: iso('2025-06-06T22:00'),
      key: { lock_id: 'gate', expires_at: local('2025-06-06T22:10'), valid_from: null },
      key_expires_at: iso('2025-06-06T22:10'),
    });
    expect(changes_at).toBe(local('2025-06-06T22:10'));
  });

  it('gives the same answer until the time to leave is over', () => {
    expect(at(local('2025-06-06T22:09:59.999')).shown).toEqual(at(NOON).shown);
  });

  it('is denied outside of them without a key, names the opening, and says that the units are not to blame', () => {
    const { shown, changes_at } = at(local('2025-06-06T22:10'));
    expect(shown).toMatchObject({
      state: 'denied',
      reason: 'outside_hours',
      would_have_access: false,
      opens_at: iso('2025-06-07T06:00'),
      closes_at: null,
    });
    expect(shown).not.toHaveProperty('key');
    expect(shown).not.toHaveProperty('next_key');
    expect(changes_at).toBe(local('2025-06-07T06:00'));
  });

  it('tells of the units if they deny, also outside of hours', () => {
    expect(at(MIDNIGHT, { units: [] }).shown).toMatchObject({
      state: 'denied',
      reason: 'units_denied',
      would_have_access: true,
      opens_at: null,
    });
  });

  it('tells that it is out of service before all else', () => {
    expect(at(MIDNIGHT, { gate: { in_service: false } }).shown).toMatchObject({
      reason: 'out_of_service',
      would_have_access: false,
      opens_at: null,
    });
  });

  it('lets the people of a unit round the clock pass at any hour, with a key that no hours end', () => {
    const { shown, changes_at } = at(MIDNIGHT, { units: [{}, { round_the_clock: true }] });
    expect(shown).toMatchObject({ state: 'permitted', opens_at: null, closes_at: null });
    expect(shown.key_expires_at).toBe(iso('2025-06-07T02:00'));
    expect(changes_at).toBe(Infinity);
  });

  it('never opens if every day is closed', () => {
    const { shown, changes_at } = at(NOON, { hours: { ...OFFICE_HOURS, week: everyDay('closed') } });
    expect(shown).toMatchObject({ reason: 'outside_hours', opens_at: null });
    expect(changes_at).toBe(Infinity);
  });

  it('never closes if every day is open', () => {
    const { shown } = at(NOON, { hours: { ...OFFICE_HOURS, week: everyDay('always') } });
    expect(shown).toMatchObject({ state: 'permitted', closes_at: null });
    expect(shown.key_expires_at).toBe(iso('2025-06-07T02:00'));
  });

  it('ends its key with the decision of its units, if that is earlier', () => {
    const { shown } = at(NOON, { units: [{ valid_until: local('2025-06-06T15:00') }] });
    expect(shown.key_expires_at).toBe(iso('2025-06-06T15:00'));
  });

  it('ends its key at the closing if there is no time to leave', () => {
    const { shown } = at(NOON, { hours: { ...OFFICE_HOURS, exit_grace_minutes: 0 } });
    expect(shown.key_expires_at).toBe(iso('2025-06-06T22:00'));
  });
});

describe('an entry point without hours', () => {
  it.each<[string, Asked]>([
    ['of a location without hours', { hours: null }],
    ['that is open always', { gate: { hours: 'always' } }],
  ])('%s is permitted at any hour', (_name, asked) => {
    const { shown, changes_at } = at(MIDNIGHT, { ...asked, gate: { key_format: 3, ...asked.gate } });
    expect(shown).toMatchObject({ state: 'permitted', reason: null, opens_at: null, closes_at: null });
    expect(shown).not.toHaveProperty('next_key');
    expect(changes_at).toBe(Infinity);
  });
});

describe('the key for the next opening', () => {
  const gate = { key_format: 3 } as const;

  it('is given while the gate is closed, and opens for two hours from the opening on', () => {
    const { shown } = at(MIDNIGHT, { gate });
    expect(shown).not.toHaveProperty('key');
    expect(shown.next_key).toMatchObject({
      key: { valid_from: local('2025-06-07T06:00'), expires_at: local('2025-06-07T08:00'), key_format: 3 },
      valid_from: iso('2025-06-07T06:00'),
      key_expires_at: iso('2025-06-07T08:00'),
    });
  });

  it('is given inside of hours, too', () => {
    expect(at(NOON, { gate }).shown.next_key?.valid_from).toBe(iso('2025-06-07T06:00'));
  });

  it('is given once the opening is 24 hours ahead, and the app is told when', () => {
    const hours = { ...OFFICE_HOURS, exceptions: [{ date: '2025-06-07', hours: 'closed' as const }] };
    const before = at(local('2025-06-07T05:59'), { gate, hours });
    expect(before.shown).not.toHaveProperty('next_key');
    expect(before.changes_at).toBe(local('2025-06-07T06:00'));
    const after = at(local('2025-06-07T06:00'), { gate, hours });
    expect(after.shown.next_key?.valid_from).toBe(iso('2025-06-08T06:00'));
  });

  it('ends with a window that is shorter than two hours, and its time to leave', () => {
    const hours = { ...OFFICE_HOURS, week: everyDay({ open: '06:00', close: '07:00' }) };
    expect(at(MIDNIGHT, { gate, hours }).shown.next_key?.key_expires_at).toBe(iso('2025-06-07T07:10'));
  });

  it('ends with the decision of the units', () => {
    const units = [{ valid_until: local('2025-06-07T06:30') }];
    expect(at(MIDNIGHT, { gate, units }).shown.next_key?.key_expires_at).toBe(iso('2025-06-07T06:30'));
  });

  it('is not given if the units deny until then', () => {
    const units = [{ valid_until: local('2025-06-07T06:00') }];
    expect(at(MIDNIGHT, { gate, units }).shown).not.toHaveProperty('next_key');
  });

  it('is not given for a reader of format 1', () => {
    expect(at(MIDNIGHT).shown).not.toHaveProperty('next_key');
  });

  it('is not given for a gate that is out of service, nor for denied units', () => {
    expect(at(MIDNIGHT, { gate: { ...gate, in_service: false } }).shown).not.toHaveProperty('next_key');
    expect(at(MIDNIGHT, { gate, units: [] }).shown).not.toHaveProperty('next_key');
  });
});
