import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from '../../support/http-client.js';
import { demand, Service } from '../../support/service.js';

const HOME = '203.0.113.7';
const MOBILE = '198.51.100.20';
const STRANGER = '192.0.2.66';
const PHONE = { country_code: '1', phone_number: '3125550100' };

let service: Service;
/** The owner has logged in at home. */
beforeEach(async () => {
  service = await Service.start({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  const company = await service.company();
  const tenant = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  const unit = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant };
  expect(demand(200, await company.sync([unit])).errors).toEqual([]);
  demand(200, await ask(HOME));
  demand(200, await verify(HOME, await newestCode()));
  service.manualClock.advance(30_000);
});
afterEach(() => service.close());

const call = (from: string, path: string, body: object): Promise<Answer> =>
  service.call('post', `/api/v2/auth/${path}`, { body, headers: { 'X-Forwarded-For': from } });
const ask = (from: string) => call(from, 'phone', PHONE);
const verify = (from: string, otp: string) => call(from, 'verify-otp', { ...PHONE, otp });
const guess = async (from: string, right: string) => verify(from, right === '000000' ? '000001' : '000000');
const newestCode = async (): Promise<string> => {
  const lines = (await readFile(join(service.path, 'sms-outbox.ndjson'), 'utf8')).trim().split('\n');
  return /\d{6}/.exec((JSON.parse(lines.at(-1)!) as { body: string }).body)![0];
};
const statuses = async (count: number, work: () => Promise<Answer>) => {
  const answers: number[] = [];
  for (let tried = 0; tried < count; tried += 1) answers.push((await work()).status);
  return answers;
};

describe('a stranger with ten requests a minute', () => {
  it('shuts the owner out neither of codes nor of tries at home', async () => {
    demand(200, await ask(STRANGER));
    const strangers = await newestCode();
    expect(await statuses(5, () => ask(STRANGER))).toEqual([429, 429, 429, 429, 429]);
    demand(200, await ask(HOME));
    const code = await newestCode();
    // The first of the five was the owner's, before home was known.
    expect(await statuses(5, () => guess(STRANGER, strangers))).toEqual([422, 422, 422, 422, 429]);
    expect((await verify(MOBILE, code)).status).toBe(429);
    expect((await verify(HOME, code)).status).toBe(200);
  });

  it('replaces no code that was asked for at home', async () => {
    demand(200, await ask(HOME));
    const code = await newestCode();
    demand(200, await ask(STRANGER));
    expect((await verify(HOME, code)).status).toBe(200);
  });
});

test('five wrong tries where the code was asked for void it everywhere', async () => {
  demand(200, await ask(HOME));
  const code = await newestCode();
  await statuses(5, () => guess(HOME, code));
  expect((await verify(MOBILE, code)).status).toBe(422);
});
