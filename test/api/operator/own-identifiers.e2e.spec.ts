import { TenantAccounts } from '#domain/tenants/index.js';
import { appOf } from '../tenant/app-of.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { addPassSite, inHours, type PassSite } from '../../support/pass-site.js';
import { demand, Service } from '../../support/service.js';

let service: Service;
let site: PassSite;
/** Accounts that the service made, by the beginning of their identifier. */
let own: Record<'guest' | 'pass', string>;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const NOT_ALLOWED = [
  'The pms tenant id field must not be guest- or pass- with a ULID: the service gives these to people who rent nothing.',
];
const day = '2026-03-01';
const unknown = (kind: string) => `${kind}-01JB0NANE00000000000000001`;
const accountsWith = (pms_tenant_id: string) => {
  const { company, location_id } = site;
  return service.part(TenantAccounts).find([{ company_id: company.id, location_id, pms_tenant_id }]);
};

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  site = await addPassSite(service);
  demand(201, await site.company.moveIn('B-1'));
  const { unit_id } = await site.company.unit('B-1');
  const shared = demand(
    201,
    await operator('post', `/units/${unit_id}/shares`, { name: 'Ann', phone: newPhone() }),
  );
  const pass = demand(
    201,
    await operator('post', `/locations/${site.location_id}/passes`, {
      name: 'Lakeside Pest Control',
      phone: newPhone(),
      entry_point_ids: [site.gate],
      until: inHours(service, 24),
      reason: 'vendor',
    }),
  );
  own = { guest: shared.tenant_id as string, pass: pass.tenant_id as string };
});

describe.each(['guest', 'pass'] as const)('an identifier of the service that begins with %s', (kind) => {
  const idOfOwn = () => `${kind}-${own[kind]}`;

  it('is refused in a move-in, and the unit stays vacant', async () => {
    const { status, body } = await site.company.moveIn('A-1', { pms_tenant_id: idOfOwn() });
    expect([status, body.errors]).toEqual([422, { pms_tenant_id: NOT_ALLOWED }]);
    expect(await site.company.access('A-1')).toMatch(/^vacant/);
  });

  it('is refused in a move-in though no account has it, and makes none', async () => {
    const { status, body } = await site.company.moveIn('A-1', { pms_tenant_id: unknown(kind) });
    expect([status, body.errors]).toEqual([422, { pms_tenant_id: NOT_ALLOWED }]);
    expect(await accountsWith(unknown(kind))).toEqual([undefined]);
  });

  it('is refused in a move-in of a unit that would be new', async () => {
    expect((await site.company.moveIn('C-1', { pms_tenant_id: idOfOwn() })).status).toBe(422);
    expect((await site.company.push('get', '/units/C-1')).status).toBe(404);
  });

  it('is refused in a dry run', async () => {
    const body = { pms_tenant_id: idOfOwn(), move_in_date: day };
    expect((await site.company.push('put', '/units/A-1/tenancy?dry_run=true', body)).status).toBe(422);
  });

  it.each([
    ['beside the tenant', (pms_tenant_id: string) => ({ pms_tenant_id })],
    [
      'in the tenant',
      (pms_tenant_id: string) => ({ tenant: { pms_tenant_id, first_name: 'A', last_name: 'B' } }),
    ],
  ])('is an error of its entry of a bulk, %s, and the others apply', async (_, named) => {
    const entry = { occupied: true, move_in_date: day };
    const answer = demand(
      200,
      await site.company.sync([
        { crm_unit_id: 'A-1', ...entry, ...named(idOfOwn()) },
        { crm_unit_id: 'C-1', ...entry, pms_tenant_id: 't-9' },
      ]),
    );
    expect(answer.errors).toMatchObject([
      { crm_unit_id: 'A-1', errors: { 'units.0.pms_tenant_id': NOT_ALLOWED } },
    ]);
    expect(answer.created).toBe(1);
  });

  it('is an error of its entry of a comparison', async () => {
    const units = [{ crm_unit_id: 'A-1', occupied: true, move_in_date: day, pms_tenant_id: idOfOwn() }];
    const { errors } = demand(200, await site.company.push('post', '/units/compare', { units }));
    expect(errors).toMatchObject([{ crm_unit_id: 'A-1', errors: { 'units.0.pms_tenant_id': NOT_ALLOWED } }]);
  });

  it('is refused where an operator moves somebody in, or records a tenant', async () => {
    const units = `/locations/${site.location_id}/units`;
    const { unit_id } = demand(201, await operator('post', units, { crm_unit_id: 'S-1' }));
    const lease = { pms_tenant_id: idOfOwn(), move_in_date: day };
    const moved = await operator('put', `/units/${unit_id as string}/tenancy`, lease);
    expect([moved.status, moved.body.errors]).toEqual([422, { pms_tenant_id: NOT_ALLOWED }]);
    const tenants = `/locations/${site.location_id}/tenants`;
    const made = await operator('post', tenants, { pms_tenant_id: unknown(kind), name: 'Ann' });
    expect([made.status, made.body.errors]).toEqual([422, { pms_tenant_id: NOT_ALLOWED }]);
  });
});

test('A share with an account of passes is refused at the tenant', async () => {
  const { unit_id } = await site.company.unit('B-1');
  const refused = await operator('put', `/units/${unit_id as string}/shares/${own.pass}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['tenant_id']]);
  expect((await (await appOf(service, own.pass))()).body.data.units).toEqual([]);
});

test('A share is given to a guest’s account, as to a tenant’s', async () => {
  demand(200, await site.company.moveIn('A-1'));
  demand(200, await operator('put', `/units/${site.unit_id}/shares/${own.guest}`));
  const { units } = demand(200, await (await appOf(service, own.guest))());
  expect(units).toHaveLength(2);
});

test('A share by the phone of a pass makes another account', async () => {
  const [holder] = await service.part(TenantAccounts).byTenantId([own.pass]);
  const { unit_id } = await site.company.unit('B-1');
  const body = { name: 'Ann', phone: holder!.phone };
  const { tenant_id } = demand(201, await operator('post', `/units/${unit_id as string}/shares`, body));
  expect(tenant_id).not.toBe(own.pass);
});

test('An identifier that only looks like one of the service is the PMS’s own', async () => {
  const moved = [
    await site.company.moveIn('C-1', { pms_tenant_id: 'pass-17' }),
    await site.company.moveIn('C-2', { pms_tenant_id: 'guest-house' }),
  ];
  expect(moved.map(({ status }) => status)).toEqual([201, 201]);
});
