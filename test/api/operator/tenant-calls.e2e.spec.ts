import { TenantAccounts } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const HOUR = 60 * 60_000;

let service: Service;
let company: Company;
let tenant_id: string;

/** At 6 PM in Chicago, with six hours of the day left. */
beforeEach(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  const unit = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-10-01', tenant };
  demand(200, await company.sync([{ ...unit, pms_lockout: true }]));
  const { unit_id } = await company.unit('A-1');
  ({ tenant_id } = demand(200, await service.operator('get', `/units/${unit_id}`)).tenant);
  service.manualClock.advance(60_000);
});
afterEach(() => service.close());

const call = () => service.operator('put', `/tenants/${tenant_id}/called`);
const shown = async () => {
  const { locked_out } = demand(200, await service.operator('get', `/companies/${company.id}/today`));
  return locked_out.first[0].called as { called_at: string; called_by: string } | null;
};
const eventsOf = async () => {
  const { changes } = demand(200, await service.operator('get', `/companies/${company.id}/today`));
  const { by_type } = changes as { by_type: { type: string; events: number }[] };
  return by_type.filter(({ type }) => type.startsWith('TenantCall'));
};

it('a call stands on Today with its time and the operator, and in the log', async () => {
  expect(await shown()).toBeNull();
  const called = demand(200, await call());
  expect(called).toEqual({ tenant_id, called_at: '2026-01-01T00:01:00.000Z', called_by: 'ada@example.com' });
  expect(await shown()).toEqual({ called_at: called.called_at, called_by: called.called_by });
  expect(await eventsOf()).toEqual([{ type: 'TenantCalled', events: 1 }]);
});

it('a second call of the day changes nothing', async () => {
  const first = demand(200, await call());
  service.manualClock.advance(HOUR);
  expect(demand(200, await call())).toEqual(first);
  expect(await eventsOf()).toEqual([{ type: 'TenantCalled', events: 1 }]);
});

it('a call that is taken back is gone, and its event stays', async () => {
  demand(200, await call());
  for (let time = 0; time < 2; time += 1) {
    demand(200, await service.operator('delete', `/tenants/${tenant_id}/called`));
    expect(await shown()).toBeNull();
  }
  expect(new Set((await eventsOf()).map(({ type, events }) => `${type} ${events}`))).toEqual(
    new Set(['TenantCalled 1', 'TenantCallTakenBack 1']),
  );
});

it('Today reads the accounts of its rows, and of nobody else who is locked out', async () => {
  const locked = (place: number) => ({
    ...{ crm_unit_id: `B-${place}`, occupied: true, move_in_date: '2025-10-01', pms_lockout: true },
    tenant: { pms_tenant_id: `T-B${place}`, first_name: 'Bo', last_name: `Park ${place}` },
  });
  demand(200, await company.sync(Array.from({ length: 30 }, (_, place) => locked(place))));
  demand(200, await call());
  const reads = jest.spyOn(TenantAccounts.prototype, 'byTenantId');
  await shown();
  const read = new Set(reads.mock.calls.flatMap(([tenant_ids]) => tenant_ids));
  reads.mockRestore();
  expect(read.size).toBe(25);
});

it('a call ends with the day of the site', async () => {
  demand(200, await call());
  service.manualClock.advance(5 * HOUR);
  expect(await shown()).not.toBeNull();
  service.manualClock.advance(HOUR);
  expect(await shown()).toBeNull();
});

it('a call ends when the tenant got access, also if it is lost again on that day', async () => {
  demand(200, await call());
  service.manualClock.advance(60_000);
  await company.patch('A-1', { pms_lockout: false });
  service.manualClock.advance(60_000);
  await company.patch('A-1', { pms_lockout: true });
  expect(
    await waitUntil(
      () => shown(),
      (called) => called === null,
    ),
  ).toBeNull();
});

it('a tenant who does not exist is not called, and an auditor calls nobody', async () => {
  const nobody = tenant_id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  demand(404, await service.operator('put', `/tenants/${nobody}/called`));
  demand(404, await service.operator('delete', `/tenants/${nobody}/called`));
  const body = { email: 'mo@example.com', password: 'correct horse battery staple', role: 'auditor' };
  await service.addOperator(body);
  const session = { email: body.email, password: body.password };
  const { token } = demand(201, await service.call('post', '/api/operator/sessions', { body: session }));
  const refused = await service.call('put', `/api/operator/tenants/${tenant_id}/called`, { token });
  expect(refused.status).toBe(403);
  expect(await shown()).toBeNull();
});
