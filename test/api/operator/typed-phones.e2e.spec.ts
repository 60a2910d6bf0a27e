import { TenantAccounts } from '#domain/tenants/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { addPassSite, inHours, type PassSite } from '../../support/pass-site.js';
import { demand, Service } from '../../support/service.js';

let service: Service;
let site: PassSite;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const phoneOf = async (tenant_id: string) =>
  (await service.part(TenantAccounts).byTenantId([tenant_id]))[0]!.phone;
const place = () => `/locations/${site.location_id}`;
const rentedUnit = async () =>
  demand(201, await site.company.moveIn('B-1', { pms_tenant_id: 't-b' })).unit_id as string;

/** Each sends a number as an operator types it, and tells the number that is kept. */
const doors: Readonly<Record<string, (phone: string) => Promise<string | null>>> = {
  'a new tenant': async (phone) => {
    const body = { pms_tenant_id: 't-9', name: 'Ann', phone };
    return phoneOf(demand(201, await operator('post', `${place()}/tenants`, body)).tenant_id);
  },
  'a tenant’s new number': async (phone) => {
    const { tenant_id } = demand(
      201,
      await operator('post', `${place()}/tenants`, { pms_tenant_id: 't-9', name: 'Ann' }),
    );
    demand(200, await operator('patch', `/tenants/${tenant_id as string}`, { phone }));
    return phoneOf(tenant_id);
  },
  'a share with somebody new': async (phone) => {
    const unit_id = await rentedUnit();
    const body = { name: 'Ann', phone };
    return phoneOf(demand(201, await operator('post', `/units/${unit_id}/shares`, body)).tenant_id);
  },
  'a pass': async (phone) => {
    const terms = { entry_point_ids: [site.gate], until: inHours(service, 24), reason: 'vendor' };
    const body = { name: 'Vic Vendor', phone, ...terms };
    return demand(201, await operator('post', `${place()}/passes`, body)).phone;
  },
  'another number of a pass': async (phone) => {
    const terms = { entry_point_ids: [site.gate], until: inHours(service, 24), reason: 'vendor' };
    const body = { name: 'Vic Vendor', phone: '+13125559999', ...terms };
    const { pass_id } = demand(201, await operator('post', `${place()}/passes`, body));
    return demand(200, await operator('patch', `/passes/${pass_id as string}`, { phone })).phone;
  },
  'a contact of a location': async (phone) => {
    demand(200, await operator('patch', place(), { contact: { phone } }));
    return demand(200, await operator('get', place())).contact.phone;
  },
};

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  site = await addPassSite(service);
});

describe.each(Object.entries(doors))('%s', (_, send) => {
  it.each([
    ['(312) 555-0120', '+13125550120'],
    ['1-312-555-0120', '+13125550120'],
    ['011 44 20 7946 0000', '+442079460000'],
    ['+13125550120', '+13125550120'],
  ])('is taken as %s, and kept in international format', async (typed, kept) => {
    expect(await send(typed)).toBe(kept);
  });
});

test('A number that is none is refused at its field', async () => {
  const unit_id = await rentedUnit();
  const { status, body } = await operator('post', `/units/${unit_id}/shares`, {
    name: 'Ann',
    phone: '555-0120',
  });
  const message = 'The phone field must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.';
  expect([status, body.errors]).toEqual([422, { phone: [message] }]);
});

test('One number that is written in two ways is one account', async () => {
  const first = await doors['a pass']!('(312) 555-0121');
  expect(await doors['a pass']!('+1 312.555.0121')).toBe(first);
  const accounts = await service.part(TenantAccounts).withPhone(site.company.id, '+13125550121');
  expect(accounts).toHaveLength(1);
});

test('A PMS sends numbers in international format, as the specification says', async () => {
  const tenant = { pms_tenant_id: 't-9', first_name: 'A', last_name: 'B', phone: '(312) 555-0120' };
  const units = [{ crm_unit_id: 'A-1', occupied: true, move_in_date: '2026-03-01', tenant }];
  const { errors } = demand(200, await site.company.sync(units));
  expect(errors).toMatchObject([{ errors: { 'units.0.tenant.phone': expect.any(Array) as unknown } }]);
});
