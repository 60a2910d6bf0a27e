import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;
let location: string;
beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
  location = `/locations/${company.locations.get('MAIN')!}`;
});
afterAll(() => service.close());

test('a location takes 200 entry points, and the next is refused at its name', async () => {
  const { zone_id } = demand(201, await service.operator('post', `${location}/zones`, { name: 'all' }));
  const add = (n: number) => {
    const gate = { name: `Gate ${n}`, kind: 'gate', zone_ids: [zone_id] };
    return service.operator('post', `${location}/entry-points`, gate);
  };
  for (let n = 0; n < 200; n += 1) demand(201, await add(n));
  const refused = await add(200);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['name']]);
});

describe('a tenant of 2,000 units', () => {
  const rent = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({
      crm_unit_id: `S-${from + n}`,
      occupied: true,
      pms_tenant_id: 'many',
      move_in_date: '2025-12-01',
    }));
  beforeAll(async () => {
    for (let from = 0; from < 2_000; from += 500) demand(200, await company.sync(rent(from, from + 500)));
  });

  test('gets no further one: a move-in is refused at the tenant, and in a bulk the row alone', async () => {
    const refused = await company.moveIn('S-new', { pms_tenant_id: 'many' });
    expect([refused.status, refused.body.details]).toEqual([
      422,
      [expect.objectContaining({ field: 'pms_tenant_id', code: 'out_of_range' })],
    ]);
    const { errors, ...counts } = demand(200, await company.sync(rent(1_999, 2_001)));
    expect(counts).toMatchObject({ unchanged: 1, created: 0 });
    expect(errors).toMatchObject([{ crm_unit_id: 'S-2000', code: 'validation_failed' }]);
  });

  test('may change, and takes another unit after a move-out', async () => {
    demand(200, await company.patch('S-7', { balance_due: 5 }));
    demand(200, await company.moveIn('S-7', { pms_tenant_id: 'many', move_in_date: '2025-12-02' }));
    demand(200, await company.moveOut('S-7'));
    const next = await company.moveIn('S-new', { pms_tenant_id: 'many' });
    expect(next.status).toBe(201);
  });

  test('is refused by each of two requests at once that would fill one place', async () => {
    demand(200, await company.moveOut('S-8'));
    const statuses = (
      await Promise.all(
        ['S-twin-1', 'S-twin-2'].map((unit) => company.moveIn(unit, { pms_tenant_id: 'many' })),
      )
    ).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 422]);
  });
});

test('a location takes 500 zones, and the next is refused at its name, alone and in the row of a set-up', async () => {
  const rows = Array.from({ length: 500 }, (_, n) => ({ unit: `U-${n}`, zone: `Zone ${n}` }));
  demand(200, await company.sync(rows.map(({ unit }) => ({ crm_unit_id: unit, occupied: false }))));
  const { body } = await service.operator('post', `${location}/setup`, { rows });
  // One zone is of the gates.
  expect(body.data).toMatchObject({
    zones_created: 499,
    errors: [{ unit: 'U-499', code: 'validation_failed' }],
  });
  const refused = await service.operator('post', `${location}/zones`, { name: 'One more' });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['name']]);
});
