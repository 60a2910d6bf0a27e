import { sentCode } from '../../client/support/sent-code.js';
import { ACTIVITY_MESSAGES, ActivityRecords } from '#domain/locks/activity/activity-records.js';
import type { Parsed } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';

const HOUR = 60 * 60_000;

let service: Service;
let company: Company;
beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
});
afterAll(() => service.close());

/** A tenant who rents a unit with a lock, and is signed in. */
async function tenantOf(crm_unit_id: string, phone_number: string) {
  const phone = `+1${phone_number}`;
  const tenant = { pms_tenant_id: crm_unit_id, first_name: 'Ada', last_name: 'Park', phone };
  demand(200, await company.sync([{ crm_unit_id, occupied: true, move_in_date: '2025-12-01', tenant }]));
  const { unit_id } = await company.unit(crm_unit_id);
  const locks = `/locations/${company.locations.get('MAIN')!}/locks`;
  const { lock_id } = demand(201, await service.operator('post', locks, { name: crm_unit_id }));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const number = { country_code: '1', phone_number };
  demand(200, await service.call('post', '/api/v2/auth/phone', { body: number }));
  const otp = await sentCode(service);
  const login = await service.call('post', '/api/v2/auth/verify-otp', { body: { ...number, otp } });
  const { token, user } = demand(200, login);
  const report = (entries: readonly object[]) =>
    service.call('post', `/api/v2/locks/${lock_id}/logs`, { body: { entries }, token });
  return { tenant_id: user.id as string, report };
}

test('a batch of 100 refused reports does not read the stream of the unit that was left for each', async () => {
  const { report } = await tenantOf('A-1', '3125550100');
  demand(200, await company.moveOut('A-1'));
  service.manualClock.advance(2 * HOUR);
  const at = (n: number) => new Date(service.clock.now() - n * 1_000).toISOString();
  const entries = Array.from({ length: 100 }, (_, n) => ({
    event: 'unlock',
    result: 'success',
    client_log_id: `report ${n}`,
    occurred_at: at(n),
  }));
  const read = jest.spyOn(service.stores.eventStore, 'readStream');
  const answer = await report(entries);
  const ofUnit = read.mock.calls.filter(([stream]) => stream.startsWith('unit-'));
  read.mockRestore();
  const codes = (answer.body.data.entries as Parsed[]).map(({ error }) => error.code);
  expect(codes).toEqual(Array(100).fill('no_access_then'));
  expect(ofUnit.length).toBeLessThan(10);
});

/** Does this before the text of the third report of a batch is kept. */
function beforeThirdText(act: () => Promise<unknown>): jest.SpyInstance {
  const records = service.part(ActivityRecords);
  const keep = records.keepText.bind(records);
  let texts = 0;
  return jest.spyOn(records, 'keepText').mockImplementation(async (...given) => {
    texts += 1;
    if (texts === 3) await act();
    await keep(...given);
  });
}

const texts = async () => {
  const collection = await service.stores.records.collection(ACTIVITY_MESSAGES);
  return (await collection.page(undefined, 100)).map(({ tenant_id }) => tenant_id);
};

const talkative = Array.from({ length: 5 }, () => ({ event: 'unlock', result: 'success', message: 'Text' }));

test('an erasure in the midst of a batch leaves none of its texts, and the rest of the batch is refused', async () => {
  const { tenant_id, report } = await tenantOf('A-2', '3125550102');
  const path = `/tenants/${tenant_id}/personal-data`;
  const spy = beforeThirdText(async () => demand(200, await service.operator('delete', path)));
  const { entries } = demand(201, await report(talkative));
  spy.mockRestore();
  expect(entries.map(({ error }: Parsed) => error?.code)).toEqual([
    ...[undefined, undefined, undefined],
    ...['unauthorized', 'unauthorized'],
  ]);
  expect(await texts()).not.toContain(tenant_id);
});

test('the end of a session in the midst of a batch refuses the rest of it', async () => {
  const { tenant_id, report } = await tenantOf('A-3', '3125550103');
  const path = `/tenants/${tenant_id}/sessions`;
  const spy = beforeThirdText(async () => demand(200, await service.operator('delete', path)));
  const { entries } = demand(201, await report(talkative));
  spy.mockRestore();
  expect(entries.filter(({ error }: Parsed) => error?.code === 'unauthorized')).toHaveLength(2);
  expect((await texts()).filter((one) => one === tenant_id)).toHaveLength(3);
});
