import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';
import { ManualClock } from '../../support/manual-clock.js';
import { type Company, demand, Service } from '../../support/service.js';
import { Visitor } from '../support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;
let gate_id: string;
let token: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);

async function tap(report: object = {}): Promise<void> {
  const occurred_at = new Date(service.clock.now()).toISOString();
  const body = { event: 'unlock', result: 'success', occurred_at, ...report };
  demand(201, await service.call('post', `/api/v2/entry-points/${gate_id}/logs`, { token, body }));
}

/** The signs of the picture: what each is, and its number. */
function signs(): string[] {
  const picture = admin.html.slice(
    admin.html.indexOf('class="rows lanes"'),
    admin.html.indexOf('Busy hours'),
  );
  return [...picture.matchAll(/class="(opened|outside|refused|failed|alarm)( several)?"/g)].map(
    ([, kind, several]) => `${kind}${several ?? ''}`,
  );
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-01-02T21:00:00.000Z')) });
  company = await service.company();
  const location_id = company.locations.get('MAIN')!;
  const { zone_id } = demand(
    201,
    await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' }),
  );
  const added = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
  const answer = await operator('post', `/locations/${location_id}/entry-points`, added);
  gate_id = demand(201, answer).entry_point_id;
  const { unit_id } = demand(201, await company.moveIn('A-1', { pms_tenant_id: 'T-1' }));
  demand(200, await operator('put', `/zones/${zone_id}/units/${unit_id as string}`));
  demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
  const key = { company_id: company.id, location_id, pms_tenant_id: 'T-1' };
  const [account] = await service.part(TenantAccounts).find([key]);
  ({ token } = await service.part(TenantSessions).begin(account!));
});
afterAll(() => service.close());

it('taps at one instant are one sign with their number, or stand one above the other', async () => {
  await tap();
  await tap();
  await tap({ event: 'attempt', result: 'failure', failure_code: 'no_valid_key' });
  admin = await Visitor.signedIn(service);
  await admin.visit(`/dashboard/entry-points/${gate_id}`);
  expect(signs().toSorted()).toEqual(['opened several', 'refused']);
  expect(admin.html).toMatch(/class="sign-count"[^>]*>2</);
  expect(admin.text).not.toContain('opened outside of hours');
});

it('an opening outside of the hours has a sign of its own, which the legend and the sum name', async () => {
  service.manualClock.advance(3 * 60 * 60_000);
  await tap();
  admin = await Visitor.signedIn(service);
  await admin.visit(`/dashboard/entry-points/${gate_id}`);
  expect(signs().toSorted()).toEqual(['opened several', 'outside', 'refused']);
  expect(admin.text).toContain('3 openings, 1 denied, 0 failed. 1 outside of hours');
  expect(admin.text).toContain('opened outside of hours');
});
