import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  const owing = { balance_due: 102, paid_through_date: '2025-10-31' };
  const rented = { occupied: true, move_in_date: '2025-06-01' };
  const withPhone = { first_name: 'Ann', last_name: 'Lee', phone: '+13125550100' };
  demand(
    200,
    await company.sync([
      { ...rented, ...owing, crm_unit_id: 'A-1', pms_tenant_id: 'T-1' },
      { ...rented, crm_unit_id: 'A-2', tenant: { pms_tenant_id: 'T-2', ...withPhone } },
      { crm_unit_id: 'A-3', occupied: false },
      { ...rented, ...owing, crm_unit_id: 'A-4', pms_tenant_id: 'T-4', pms_auction: true },
    ]),
  );
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const pageOf = async (name: string) => `/dashboard/units/${(await company.unit(name)).unit_id}`;
const NO_KEY = 'No phone, so no key: the tenant cannot sign in.';

it('a vacant unit offers to let nobody in', async () => {
  for (const query of ['', '?do=let-in']) {
    await admin.visit(`${await pageOf('A-3')}${query}`);
    expect(admin.text).not.toContain('Let in…');
    expect(admin.forms).not.toContain('let-in');
  }
});

it('letting in is refused if the tenant moved out meanwhile, and stores no override', async () => {
  await admin.post(`${await pageOf('A-3')}/override`, { override: 'exempt', until: 'hour', reason: 'Late' });
  expect(admin.shown.status).toBe(422);
  expect(admin.text).toContain('Nobody rents A-3, so there is nobody to let in.');
  const { unit_id } = await company.unit('A-3');
  const { override } = demand(200, await service.operator('get', `/units/${unit_id}`));
  expect(override).toBeNull();
});

it('a past end of letting in is refused at its form alone, by the label of its field', async () => {
  await admin.visit(await pageOf('A-1'));
  await admin.submit('let-in', { until: 'other', expires_at: '2020-01-01T10:00', reason: 'Late' });
  expect(admin.shown.status).toBe(422);
  expect(admin.html.match(/role="alert"/g)).toHaveLength(1);
  expect(admin.text).toMatch(/“Date and time \([^)]*\)” must be in the future\./);
  expect(admin.text).not.toContain('expires at');
});

it('letting in a tenant without a phone says before that no key is given', async () => {
  await admin.visit(await pageOf('A-1'));
  expect(admin.text).toMatch(new RegExp(`A-1 opens now until .*${NO_KEY}`));
});

it('letting in a tenant without a phone says afterwards that no key is given', async () => {
  await admin.visit(await pageOf('A-1'));
  await admin.submit('let-in', { until: 'hour', reason: 'Late' });
  const noLock = 'It has no lock and is in no zone, so nobody can open anything with it.';
  expect(admin.text).toContain(`Saved. A-1 is open: let in by staff. ${noLock} ${NO_KEY}`);
});

it('letting in a tenant with a phone says nothing of a missing key', async () => {
  await admin.visit(await pageOf('A-2'));
  await admin.submit('let-in', { until: 'hour', reason: 'Late' });
  expect(admin.text).toContain('Saved. A-2 is open: let in by staff.');
  expect(admin.text).not.toContain('no key:');
});

it('letting in a tenant whose unit is open is said to keep it open', async () => {
  await admin.visit(await pageOf('A-2'));
  expect(admin.text).toMatch(/A-2 stays open until/);
});

it('letting in at a unit in auction is said to open nothing', async () => {
  await admin.visit(await pageOf('A-4'));
  expect(admin.text).toContain(
    'A-4 does not open. What staff set changes nothing while the unit is in auction.',
  );
  expect(admin.text).not.toContain('opens now');
});

const setReason = async (name: string): Promise<string> => {
  const { unit_id } = await company.unit(name);
  return demand(200, await service.operator('get', `/units/${unit_id}`)).override.reason as string;
};

it('a reason that is picked stands for one that is typed', async () => {
  await admin.visit(await pageOf('A-1'));
  const usual_reason = 'Payment is on its way';
  await admin.submit('let-in', { until: 'hour', usual_reason, reason: 'left from before' });
  expect(await setReason('A-1')).toBe(usual_reason);
});

it('a reason that is typed counts while another than the usual ones is chosen', async () => {
  await admin.visit(await pageOf('A-1'));
  await admin.submit('let-in', { until: 'hour', usual_reason: 'typed', reason: 'Brings the key' });
  expect(await setReason('A-1')).toBe('Brings the key');
});

it('letting in without a reason is refused at its form', async () => {
  await admin.visit(await pageOf('A-1'));
  await admin.submit('let-in', { until: 'hour', usual_reason: 'typed', reason: '' });
  expect(admin.shown.status).toBe(422);
  expect(admin.html.match(/role="alert"/g)).toHaveLength(1);
});
