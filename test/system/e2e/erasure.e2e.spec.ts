import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACTIVITY_MESSAGES, REPORT_RESERVATIONS } from '#domain/locks/activity/activity-records.js';
import { TENANT_ACCOUNTS } from '#domain/tenants/tenant-account.js';
import { OTP_CODES } from '#domain/tenants/otp-codes.js';
import { TENANT_SESSIONS } from '#domain/tenants/tenant-sessions.js';
import { demand, Service } from '../../support/service.js';

const PHONE = '+13125550100';
const NUMBER = { country_code: '1', phone_number: '3125550100' };

let service: Service;
beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());

const outbox = () => readFile(join(service.path, 'sms-outbox.ndjson'), 'utf8');

/** Everything that the records hold of tenants, as text. */
async function recorded(tenant_id: string): Promise<string> {
  const { records } = service.stores;
  const kept = await Promise.all([
    (await records.collection(TENANT_ACCOUNTS)).findAny('tenant_id', [tenant_id]),
    (await records.collection(TENANT_SESSIONS)).findAny('tenant_id', [tenant_id]),
    (await records.collection(REPORT_RESERVATIONS)).findAny('tenant_id', [tenant_id]),
    (await records.collection(ACTIVITY_MESSAGES)).findAny('tenant_id', [tenant_id]),
    (await records.collection(OTP_CODES)).get(PHONE),
  ]);
  return JSON.stringify(kept);
}

it('an erasure leaves no trace of the person: details, sessions, codes, texts, reservations and messages sent', async () => {
  const company = await service.company();
  const tenant = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park', phone: PHONE };
  await company.sync([{ crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant }]);
  const { unit_id } = await company.unit('A-1');
  const path = `/locations/${company.locations.get('MAIN')}/locks`;
  const { lock_id } = demand(201, await service.operator('post', path, { name: 'Door' }));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const asked = () => service.call('post', '/api/v2/auth/phone', { body: NUMBER });
  expect((await asked()).status).toBe(200);
  const otp = /access code is (\d{6})/.exec(await outbox())![1];
  const login = await service.call('post', '/api/v2/auth/verify-otp', { body: { ...NUMBER, otp } });
  const { token, user } = demand(200, login);
  const body = { event: 'unlock', result: 'success', client_log_id: 'of Ada', message: 'Ada was here.' };
  demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { body, token }));
  service.manualClock.advance(30_000);
  expect((await asked()).status).toBe(200);
  const details = /Ada|3125550100/;
  expect(await recorded(user.id)).toMatch(details);

  demand(200, await service.operator('delete', `/tenants/${user.id}/personal-data`));
  const left: unknown = JSON.parse(await recorded(user.id));
  expect(left).toMatchObject([[{ name: null, email: null, phone: null }], [], [], [], null]);
  expect(JSON.stringify([left, (await service.events()).map(({ data }) => data)])).not.toMatch(details);
  expect(await outbox()).not.toMatch(details);
  expect((await service.call('get', '/api/v2/tenant/access', { token })).status).toBe(401);
  expect((await asked()).status).toBe(422);
});
