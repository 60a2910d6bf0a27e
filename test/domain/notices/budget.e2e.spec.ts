import { demand, Service } from '../../support/service.js';
import { HOUR, MINUTE, ToldTenants } from './support/told-tenants.js';

let service: Service;
let told: ToldTenants;

afterEach(() => service.close());

async function startWith(SMS_LIMIT_COMPANY: string, SMS_LIMIT_SERVICE = '1000/1000'): Promise<void> {
  service = await Service.start({ environment: { SMS_LIMIT_COMPANY, SMS_LIMIT_SERVICE } });
  told = await ToldTenants.start(service);
}

/** So many tenants whose units close at once. */
async function closeUnits(count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => `A-${index + 1}`);
  for (const [index, key] of keys.entries()) {
    await told.addTenant(`t-${key}`, `+1312555010${index}`);
    demand(201, await told.company.moveIn(key, { pms_tenant_id: `t-${key}` }));
  }
  await told.pass(MINUTE);
  await told.switchOn({ closed: true });
  for (const key of keys) demand(200, await told.company.patch(key, { pms_lockout: true }));
  await told.pass(MINUTE);
}

const metric = async (outcome: string) => {
  const { text } = await service.call('get', '/metrics', {});
  return Number(new RegExp(`storage_access_notices_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]);
};

test('A full budget of a minute delays texts, and drops none', async () => {
  await startWith('2/1000');
  await closeUnits(5);
  await told.pass(15 * MINUTE);
  expect((await told.texts()).length).toBeLessThan(5);
  expect(await metric('delayed')).toBeGreaterThan(0);
  await told.pass(MINUTE);
  await told.pass(MINUTE);
  await told.pass(MINUTE);
  expect(new Set((await told.texts()).map(({ to }) => to)).size).toBe(5);
  expect(await told.texts()).toHaveLength(5);
});

test('A full budget of a day delays texts to the next day, if they are still true', async () => {
  await startWith('1000/1');
  await closeUnits(2);
  await told.pass(15 * MINUTE);
  expect(await told.texts()).toHaveLength(1);
  await told.pass(12 * HOUR);
  expect(await told.texts()).toHaveLength(1);
  await told.pass(13 * HOUR);
  expect(await told.texts()).toHaveLength(2);
});

test('Texts that wait for a minute of the service do not use up the day of their company', async () => {
  await startWith('100/6', '1/1000');
  await closeUnits(6);
  await told.pass(15 * MINUTE);
  for (let minute = 0; minute < 12; minute += 1) await told.pass(MINUTE);
  expect(await told.texts()).toHaveLength(6);
});

test('Texts leave the budget of codes alone', async () => {
  await startWith('2/2');
  await closeUnits(2);
  await told.pass(15 * MINUTE);
  expect(await told.texts()).toHaveLength(2);
  const body = { country_code: '1', phone_number: '3125550100' };
  const answer = await service.call('post', '/api/v2/auth/phone', { body });
  expect(answer.status).toBe(200);
});
