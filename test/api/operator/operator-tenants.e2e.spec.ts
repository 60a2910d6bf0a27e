import { makeAccounts } from '../../domain/tenants/support/details.js';
import { PERSONAL_DATA_HOLDERS, TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import type { TenantsApplication } from '../../domain/tenants/support/application.js';
import { OPERATOR_TOKEN, startTenantsApplication } from '../../domain/tenants/support/application.js';
import type { World } from '../../domain/tenants/support/world.js';
import { COMPANY, LOCATION, keyOf, openWorld } from '../../domain/tenants/support/world.js';
import { invalid } from '../../support/invalid.js';

const ADA = { pms_tenant_id: 't-1', name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' };

let world: World;
let app: TenantsApplication;
const erasedElsewhere: string[] = [];

beforeEach(async () => {
  erasedElsewhere.length = 0;
  world = await openWorld();
  const holder = {
    erasePersonalData: (tenant_id: string) => Promise.resolve(void erasedElsewhere.push(tenant_id)),
  };
  app = await startTenantsApplication(world, [], [{ provide: PERSONAL_DATA_HOLDERS, useValue: [holder] }]);
});
afterEach(async () => {
  await app.close();
  await world.close();
});

function as(request: ReturnType<typeof app.client.post>) {
  return request.set('Authorization', `Bearer ${OPERATOR_TOKEN}`);
}

function create(body: object, location = LOCATION) {
  return as(app.client.post(`/api/operator/locations/${location}/tenants`)).send(body);
}

function change(tenant_id: string, body: object) {
  return as(app.client.patch(`/api/operator/tenants/${tenant_id}`)).send(body);
}

function erase(tenant_id: string) {
  return as(app.client.delete(`/api/operator/tenants/${tenant_id}/personal-data`));
}

async function stored() {
  const [account] = await app.get(TenantAccounts).find([keyOf('t-1')]);
  return account;
}

describe('creating a tenant', () => {
  it('answers the id, once', async () => {
    const answer = await create(ADA).expect(201);
    expect(answer.body).toEqual({
      message: 'Request successful.',
      data: { tenant_id: (await stored())!.tenant_id },
    });
    const again = await create(ADA).expect(422);
    expect(again.body).toEqual(invalid({ pms_tenant_id: ['The pms tenant id has already been taken.'] }));
  });

  it('completes an account that has no name yet', async () => {
    const accounts = app.get(TenantAccounts);
    const {
      tenant_ids: [tenant_id],
    } = await makeAccounts({ ...world, accounts }, [keyOf('t-1')]);
    const answer = await create({ ...ADA, email: null }).expect(201);
    expect(answer.body.data).toEqual({ tenant_id });
    expect(await stored()).toMatchObject({ name: 'Ada Park', email: null, phone: ADA.phone });
  });

  it('says what is wrong with a body', async () => {
    const answer = await create({ email: 'ada', phone: '555-0100', first_name: 'Ada' }).expect(422);
    expect(answer.body.errors).toEqual({
      pms_tenant_id: ['The pms tenant id field is required.'],
      name: ['The name field is required.'],
      email: ['The email field must be a valid email address.'],
      phone: ['The phone field must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.'],
      first_name: ['The first name field is not allowed.'],
    });
  });

  it('needs a location that exists, and an operator', async () => {
    const answer = await create(ADA, world.ids.ulid()).expect(404);
    expect(answer.body).toMatchObject({ code: 'location_not_found', message: 'Location not found.' });
    await create(ADA, 'x'.repeat(2000)).expect(404);
    await app.client.post(`/api/operator/locations/${LOCATION}/tenants`).send(ADA).expect(401);
  });
});

describe('changing a tenant', () => {
  it('changes what is given and clears what is null', async () => {
    const { tenant_id } = (await create(ADA)).body.data;
    const answer = await change(tenant_id, { phone: null, name: 'Ada Moss', pms_tenant_id: 't-1' }).expect(
      200,
    );
    expect(answer.body.data).toEqual({ tenant_id });
    expect(await stored()).toMatchObject({ name: 'Ada Moss', email: ADA.email, phone: null });
  });

  it('refuses another PMS id and a tenant that does not exist', async () => {
    const { tenant_id } = (await create(ADA)).body.data;
    const moved = await change(tenant_id, { pms_tenant_id: 't-2' }).expect(422);
    expect(moved.body.errors).toEqual({ pms_tenant_id: ['The pms tenant id field cannot be changed.'] });
    const answer = await change(world.ids.ulid(), { name: 'Nobody' }).expect(404);
    expect(answer.body).toMatchObject({ code: 'tenant_not_found', message: 'Tenant not found.' });
  });
});

describe('ending the sessions of a tenant', () => {
  it('ends all of them at once, leaves an event, and lets the tenant sign in again', async () => {
    const { tenant_id } = (await create(ADA)).body.data;
    const sessions = app.get(TenantSessions);
    const account = (await stored())!;
    const tokens = [await sessions.begin(account), await sessions.begin(account)].map(({ token }) => token);
    await as(app.client.delete(`/api/operator/tenants/${tenant_id}/sessions`)).expect(200);
    const verified = await Promise.all(tokens.map((token) => sessions.verify(token)));
    expect(verified).toEqual([undefined, undefined]);
    const events = await world.events.readStream(`tenant-${tenant_id}`);
    expect(events.at(-1)).toMatchObject({
      type: 'TenantSessionsEnded',
      metadata: { actor: { kind: 'operator', id: 'operator-1' } },
    });
    const { token } = await sessions.begin(account);
    expect(await sessions.verify(token)).toBeDefined();
    await as(app.client.delete(`/api/operator/tenants/${world.ids.ulid()}/sessions`)).expect(404);
  });
});

describe('erasing a tenant', () => {
  it('leaves the id and nothing personal, here and wherever else it is kept, and can be repeated', async () => {
    const { tenant_id } = (await create(ADA)).body.data;
    await erase(tenant_id).expect(200);
    const account = await stored();
    expect(account).toMatchObject({ tenant_id, name: null, email: null, phone: null });
    expect(erasedElsewhere).toEqual([tenant_id]);
    await erase(tenant_id).expect(200);
    await erase(world.ids.ulid()).expect(404);
  });
});

it('leaves an event for each write, which names the operator, the fields, and no personal detail', async () => {
  const { tenant_id } = (await create(ADA)).body.data;
  await create(ADA).expect(422);
  await change(tenant_id, { name: 'Ada Moss', email: ADA.email }).expect(200);
  await change(tenant_id, { name: 'Ada Moss' }).expect(200);
  await erase(tenant_id).expect(200);
  const events = await world.events.readStream(`tenant-${tenant_id}`);
  const where = { company_id: COMPANY, location_id: LOCATION };
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['TenantDetailsChanged', { ...where, fields: ['name', 'email', 'phone'] }],
    ['TenantDetailsChanged', { ...where, fields: ['name'] }],
    ['TenantErased', where],
  ]);
  for (const { metadata } of events) {
    expect(metadata).toMatchObject({ actor: { kind: 'operator', id: 'operator-1' } });
  }
  expect(
    JSON.stringify(events, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
  ).not.toMatch(/Ada|3125550100|example/);
});
