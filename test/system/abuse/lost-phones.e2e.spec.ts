import { OutboxSmsSender } from '#domain/tenants/sms/outbox-sms-sender.js';
import { demand, Service } from '../../support/service.js';

const COUNT = 100;

let service: Service;
beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());

test('a bulk in which 100 tenants lose their phones goes through the SMS outbox twice, not for each', async () => {
  const company = await service.company();
  const sync = (from: number) =>
    company.sync(
      Array.from({ length: COUNT }, (_, n) => ({
        crm_unit_id: `A-${n}`,
        occupied: true,
        move_in_date: '2025-12-01',
        tenant: {
          pms_tenant_id: `t-${n}`,
          first_name: 'Ada',
          last_name: 'Park',
          phone: `+1312555${from + n}`,
        },
      })),
    );
  demand(200, await sync(1_000));
  const forget = jest.spyOn(OutboxSmsSender.prototype, 'forget');
  expect(demand(200, await sync(2_000))).toMatchObject({ updated: COUNT });
  const passes = forget.mock.calls.map(([phones]) => phones.length);
  forget.mockRestore();
  expect(passes).toEqual([COUNT, COUNT]);
});
