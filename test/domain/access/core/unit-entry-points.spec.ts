import type { Access } from '#domain/access/core/policy.js';
import { unitAtEntryPoint, unitEntryPoints } from '#domain/access/core/unit-entry-points.js';
import type { EntryPointState, LocationDetails } from '#domain/locations/core/location.state.js';
import { OFFICE_HOURS } from '../../locations/hours/support/office-hours.js';
import { calendar, local, POLICY } from '../support/subjects.js';

const OPEN: Access = { state: 'tenant_permitted', reason: 'active' };
const DENIED: Access = { state: 'tenant_denied', reason: 'pms_lockout' };
const UNIT = { access: OPEN, round_the_clock: false };
const GATE = { in_service: true, hours: 'location' } as const;
const DETAILS = { access_hours: OFFICE_HOURS, policy: POLICY };
const NOON = local('2025-06-06T12:00');
const NIGHT = local('2025-06-06T23:00');
const MORNING = local('2025-06-07T06:00');

interface Circumstances {
  readonly unit: typeof UNIT;
  readonly entry_point: Pick<EntryPointState, 'in_service' | 'hours'>;
  readonly details: Pick<LocationDetails, 'access_hours' | 'policy'>;
}

function at(
  instant: number,
  { unit = UNIT, entry_point = GATE, details = DETAILS }: Partial<Circumstances> = {},
) {
  return unitAtEntryPoint(unit, { details, entry_point }, instant, calendar);
}

describe('a unit at an entry point', () => {
  it('opens it during the hours of the location', () => {
    expect(at(NOON)).toMatchObject({ state: 'permitted', closes_at: local('2025-06-06T22:00') });
  });

  it('does not open it outside of them', () => {
    expect(at(NIGHT)).toMatchObject({ reason: 'outside_hours', opens_at: MORNING });
  });

  it('opens it at any time if the unit is round the clock', () => {
    const unit = { ...UNIT, round_the_clock: true };
    expect(at(NIGHT, { unit })).toMatchObject({ state: 'permitted', closes_at: null });
  });

  it('opens it at any time if the entry point keeps no hours', () => {
    const entry_point = { ...GATE, hours: 'always' } as const;
    expect(at(NIGHT, { entry_point })).toMatchObject({ state: 'permitted', closes_at: null });
  });

  it('opens it at any time if the location keeps no hours', () => {
    expect(at(NIGHT, { details: { ...DETAILS, access_hours: null } })).toMatchObject({
      state: 'permitted',
      closes_at: null,
    });
  });

  it('does not open it if the unit is denied', () => {
    expect(at(NOON, { unit: { ...UNIT, access: DENIED } })).toMatchObject({ reason: 'units_denied' });
  });

  it('does not open it while it is out of service', () => {
    expect(at(NOON, { entry_point: { ...GATE, in_service: false } })).toMatchObject({
      reason: 'out_of_service',
    });
  });
});

describe('the entry points of a unit', () => {
  const gate = (entry_point_id: string, zone_ids: readonly string[], rest: object = {}) =>
    ({ ...GATE, entry_point_id, zone_ids, ...rest }) as EntryPointState;

  it('are those that share a zone with it, each with its own decision', () => {
    const entry_points = [
      gate('front', ['yard', 'hall']),
      gate('elsewhere', ['tower']),
      gate('lift', ['hall'], { hours: 'always' }),
      gate('door', ['yard'], { in_service: false }),
    ];
    const unit = { ...UNIT, zone_ids: ['yard', 'hall'] };
    const found = unitEntryPoints(unit, { details: DETAILS, entry_points }, NIGHT, calendar);
    expect(found.map(({ entry_point_id, reason }) => [entry_point_id, reason])).toEqual([
      ['front', 'outside_hours'],
      ['lift', null],
      ['door', 'out_of_service'],
    ]);
  });
});
