import { HmacKeyIssuer } from '#domain/locks/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { OFFICE_HOURS } from '../../../domain/locations/hours/support/office-hours.js';
import { opensLock } from '../../../support/lock-verifier.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { type Company, demand, Service } from '../../../support/service.js';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-01-01T12:00:00.000Z');

let clock: ManualClock;
let service: Service;
let company: Company;
let unit_id: string;
let gate_id: string;
let token: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const readAccess = () => service.call('get', '/api/v2/tenant/access', { token });
const gate = async () => demand(200, await readAccess()).entry_points[0];
const gatesOfUnit = async (path: string) => demand(200, await company.push('get', path)).entry_points;

beforeEach(async () => {
  clock = new ManualClock(NOON);
  service = await Service.start({ clock });
  company = await service.company();
  const location_id = company.locations.get('MAIN')!;
  const path = `/locations/${location_id}`;
  const { zone_id } = demand(201, await operator('post', `${path}/zones`, { name: 'Yard' }));
  const added = { name: 'North gate', kind: 'gate', zone_ids: [zone_id], key_format: 3 };
  gate_id = demand(201, await operator('post', `${path}/entry-points`, added)).entry_point_id;
  unit_id = demand(201, await company.moveIn('A-1')).unit_id;
  demand(200, await operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const { tenant_id } = demand(200, await operator('get', `/units/${unit_id}`)).tenant;
  const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
  token = (await service.part(TenantSessions).begin(account!)).token;
  demand(200, await operator('patch', path, { access_hours: OFFICE_HOURS }));
});
afterEach(() => service.close());

it('a tenant sees when the gate closes, and when it opens again', async () => {
  expect(await gate()).toMatchObject({ state: 'permitted', closes_at: '2026-01-01T22:00:00.000Z' });
  clock.advance(12 * HOUR);
  expect(await gate()).toMatchObject({
    state: 'denied',
    reason: 'outside_hours',
    would_have_access: false,
    opens_at: '2026-01-02T06:00:00.000Z',
  });
});

it('a change of hours takes effect at once, also for an answer that is known', async () => {
  const { headers } = await readAccess();
  const location_id = company.locations.get('MAIN')!;
  demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: null }));
  const again = await service.call('get', '/api/v2/tenant/access', {
    token,
    headers: { 'If-None-Match': String(headers['etag']) },
  });
  expect(demand(200, again).entry_points[0]).toMatchObject({ state: 'permitted', closes_at: null });
});

it('the entity tag holds still until the gate closes, and the app is told to ask then', async () => {
  clock.advance(4.5 * HOUR);
  const first = await readAccess();
  expect(first.body.data.refresh_at).toBe('2026-01-01T22:10:00.000Z');
  clock.advance(5.5 * HOUR);
  expect((await readAccess()).headers['etag']).toBe(first.headers['etag']);
  clock.advance(HOUR / 6);
  expect((await readAccess()).headers['etag']).not.toBe(first.headers['etag']);
});

it('the next key opens the gate in the morning without a network, and not before', async () => {
  clock.advance(12 * HOUR);
  const { next_key } = await gate();
  const issuer = new HmacKeyIssuer(Buffer.from('a secret that only tests use'));
  const opens = (at: string) => opensLock(issuer, gate_id, next_key.key, Date.parse(at));
  const format = JSON.parse(Buffer.from(next_key.key.split('.')[0], 'base64url').toString())[0];
  expect(format).toBe(3);
  expect(next_key.valid_from).toBe('2026-01-02T06:00:00.000Z');
  expect(opens('2026-01-02T05:59:59.999Z')).toBe(false);
});

it('a unit round the clock passes at any hour', async () => {
  clock.advance(12 * HOUR);
  demand(200, await operator('put', `/units/${unit_id}/round-the-clock`));
  expect(await gate()).toMatchObject({ state: 'permitted', closes_at: null });
});

it('explain and as-of tell of the entry points of a unit', async () => {
  const open = { entry_point_id: gate_id, state: 'permitted', reason: null, opens_at: null };
  const closes_at = '2026-01-01T22:00:00.000Z';
  expect(await gatesOfUnit('/units/A-1/explain')).toEqual([{ ...open, closes_at }]);
  clock.advance(12 * HOUR);
  expect(await gatesOfUnit('/units/A-1/explain')).toMatchObject([{ reason: 'outside_hours' }]);
  expect(await gatesOfUnit(`/units/A-1/as-of?at=${new Date(NOON).toISOString()}`)).toEqual([
    { ...open, closes_at },
  ]);
});

it('as-of tells of the hours of then, not of now', async () => {
  clock.advance(12 * HOUR);
  const location_id = company.locations.get('MAIN')!;
  const closed = clock.now();
  clock.advance(HOUR);
  demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: null }));
  const path = `/units/A-1/as-of?at=${new Date(closed).toISOString()}`;
  expect(await gatesOfUnit(path)).toMatchObject([{ reason: 'outside_hours' }]);
});

async function report(): Promise<void> {
  const body = { event: 'unlock', result: 'success' };
  demand(201, await service.call('post', `/api/v2/entry-points/${gate_id}/logs`, { token, body }));
}

async function outsideOf(): Promise<(boolean | undefined)[]> {
  const { entries } = demand(200, await operator('get', `/entry-points/${gate_id}/activity`));
  return entries.map(({ outside_hours }: { outside_hours?: boolean }) => outside_hours);
}

it('a report is marked by what the gate itself kept at its instant', async () => {
  const keep = async (hours: string) =>
    demand(200, await operator('patch', `/entry-points/${gate_id}`, { hours }));
  clock.advance(12 * HOUR);
  await report();
  clock.advance(HOUR);
  await keep('always');
  clock.advance(HOUR);
  await report();
  expect(await outsideOf()).toEqual([undefined, true]);
  clock.advance(HOUR);
  await keep('location');
  expect(await outsideOf()).toEqual([undefined, true]);
});

it('a report outside of hours is marked, in the time to leave too', async () => {
  await report();
  clock.advance(10 * HOUR + HOUR / 12);
  await report();
  expect(await outsideOf()).toEqual([true, undefined]);
});
