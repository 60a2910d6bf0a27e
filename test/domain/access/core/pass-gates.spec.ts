import { decidePassGate, passageOfPass, type PlaceOfPass } from '#domain/access/core/pass-gates.js';
import { ALWAYS } from '#domain/locations/core/hours/passage.js';
import type { PassHours } from '#domain/passes/core/pass.events.js';
import { everyDay, OFFICE_HOURS } from '../../locations/hours/support/office-hours.js';
import { calendar, local, POLICY } from '../support/subjects.js';

const OFFICE = { access_hours: { ...OFFICE_HOURS, exit_grace_minutes: 30 }, policy: POLICY };
const WITHOUT_HOURS = { access_hours: null, policy: POLICY };
const MORNINGS = everyDay({ open: '05:00', close: '09:00' });
const NOON = local('2025-06-06T12:00');
const NIGHT = local('2025-06-06T23:00');
const MINUTE = 60_000;

interface Circumstances {
  readonly from: number;
  readonly own: PassHours | null;
  readonly gate: 'location' | 'always';
  readonly location: PlaceOfPass;
}
function passage(
  at: number,
  { from = 0, own = null, gate = 'location', location = OFFICE }: Partial<Circumstances> = {},
) {
  return passageOfPass({ from, hours: own }, { hours: gate }, location, at, calendar);
}

describe('a pass lets through', () => {
  it('during the hours of the location', () => {
    expect(passage(NOON)).toMatchObject({ kind: 'passable', closes_at: local('2025-06-06T22:00') });
    expect(passage(NIGHT)).toEqual({ kind: 'closed', opens_at: local('2025-06-07T06:00') });
  });

  it('always where the entry point keeps no hours', () => {
    expect(passage(NIGHT, { gate: 'always' })).toEqual(ALWAYS);
  });

  it('always where the location keeps no hours', () => {
    expect(passage(NIGHT, { location: WITHOUT_HOURS })).toEqual(ALWAYS);
  });

  it('during its own hours, whatever those of the entry point and the location are', () => {
    for (const gate of ['location', 'always'] as const)
      expect(passage(NOON, { own: MORNINGS, gate })).toEqual({
        kind: 'closed',
        opens_at: local('2025-06-07T05:00'),
      });
    expect(passage(local('2025-06-06T05:00'), { own: MORNINGS })).toMatchObject({ kind: 'passable' });
  });

  it('after its own hours for the time to leave of the location', () => {
    const closes_at = local('2025-06-06T09:00');
    expect(passage(closes_at, { own: MORNINGS })).toEqual({
      kind: 'passable',
      closes_at,
      ends_at: closes_at + 30 * MINUTE,
    });
  });

  it('after its own hours for ten minutes where the location keeps no hours', () => {
    const closes_at = local('2025-06-06T09:00');
    expect(passage(closes_at, { own: MORNINGS, location: WITHOUT_HOURS })).toEqual({
      kind: 'passable',
      closes_at,
      ends_at: closes_at + 10 * MINUTE,
    });
  });

  it('on dates on which the location is closed, if it has hours of its own', () => {
    const exceptions = [{ date: '2025-06-06', hours: 'closed' }] as const;
    const closed = { access_hours: { ...OFFICE_HOURS, exceptions }, policy: POLICY };
    expect(passage(local('2025-06-06T07:00'), { location: closed })).toMatchObject({ kind: 'closed' });
    expect(passage(local('2025-06-06T07:00'), { own: MORNINGS, location: closed })).toMatchObject({
      kind: 'passable',
    });
  });
});

describe('a pass that has not begun', () => {
  it('opens at its beginning if the hours are open then', () => {
    expect(passage(NOON, { from: NOON + 1 })).toEqual({ kind: 'closed', opens_at: NOON + 1 });
  });

  it('opens at its beginning if nothing ever closes', () => {
    expect(passage(NOON, { from: NIGHT, gate: 'always' })).toEqual({ kind: 'closed', opens_at: NIGHT });
  });

  it('opens with the hours after its beginning if they are closed then', () => {
    expect(passage(NOON, { from: NIGHT })).toEqual({
      kind: 'closed',
      opens_at: local('2025-06-07T06:00'),
    });
  });

  it('lets through from its first instant', () => {
    expect(passage(NOON, { from: NOON })).toMatchObject({ kind: 'passable' });
  });
});

describe('an entry point that a pass names', () => {
  it('permits while the hours let through', () => {
    expect(decidePassGate({ in_service: true }, ALWAYS)).toMatchObject({ state: 'permitted' });
  });

  it('is denied outside of the hours', () => {
    expect(decidePassGate({ in_service: true }, { kind: 'closed', opens_at: 7 })).toMatchObject({
      reason: 'outside_hours',
      opens_at: 7,
    });
  });

  it('is denied while it is out of service', () => {
    expect(decidePassGate({ in_service: false }, ALWAYS)).toMatchObject({ reason: 'out_of_service' });
  });
});
