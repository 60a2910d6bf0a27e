import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toTimestamp } from '#kernel/timestamp.js';
import { Visitor } from '../../dashboard/support/visitor.js';
import type { Answer, Parsed } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';

/** A phone of a person, and its number without the country code. */
const STRANGER = '+13125550100';
const STRANGERS_NUMBER = '3125550100';

let service: Service;
let earnest: Company;
let sandbox: Company;
beforeEach(async () => {
  service = await Service.start();
  earnest = await service.company();
  sandbox = await service.sandbox();
});
afterEach(() => service.close());

const rented = (crm_unit_id: string, phone: string) => ({
  crm_unit_id,
  occupied: true,
  move_in_date: '2025-12-01',
  tenant: { pms_tenant_id: `t-${crm_unit_id}`, first_name: 'Ada', last_name: 'Park', phone },
});
const record = async (of: Company, ...units: object[]) =>
  expect(demand(200, await of.sync(units)).errors).toEqual([]);
const ask = (phone_number: string, country_code = '1'): Promise<Answer> =>
  service.call('post', '/api/v2/auth/phone', { body: { country_code, phone_number } });
const verify = (phone_number: string, otp: string, more: object = {}): Promise<Answer> =>
  service.call('post', '/api/v2/auth/verify-otp', {
    body: { country_code: '1', phone_number, otp, ...more },
  });
const messagesOf = async ({ id }: Company): Promise<Parsed> =>
  demand(200, await service.operator('get', `/companies/${id}/messages`));
/** Every line of the outbox. */
const sent = async (): Promise<{ readonly to: string; readonly body: string }[]> => {
  const lines = await readFile(join(service.path, 'sms-outbox.ndjson'), 'utf8').catch(() => '');
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
};
const codeIn = ({ body }: { readonly body: string }) => /\d{6}/.exec(body)![0];

describe('a sandbox', () => {
  it('that records a stranger’s phone has no message sent to it', async () => {
    await record(sandbox, rented('A-1', STRANGER));
    const refused = await ask(STRANGERS_NUMBER);
    expect([refused.status, refused.body.code]).toEqual([422, 'phone_unknown']);
    expect(await sent()).toEqual([]);
    expect((await messagesOf(sandbox)).messages).toEqual([]);
  });

  it('that records a stranger’s phone reads none of its codes, and opens to none of them', async () => {
    await record(earnest, rented('A-1', STRANGER));
    await record(sandbox, rented('A-1', STRANGER));
    demand(200, await ask(STRANGERS_NUMBER));
    const [message] = await sent();
    expect((await messagesOf(sandbox)).messages).toEqual([]);
    const [mine] = demand(
      200,
      await service.operator('get', `/tenants?company_id=${sandbox.id}&q=Ada`),
    ).tenants;
    const refused = await verify(STRANGERS_NUMBER, codeIn(message!), { tenant_id: mine.tenant_id });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['tenant_id']]);
    // One account alone is left: there is nothing to choose.
    expect(demand(200, await verify(STRANGERS_NUMBER, codeIn(message!))).token).toEqual(expect.any(String));
  });

  it('hides no account of a stranger behind many of its own', async () => {
    const other = await service.sandbox();
    for (const one of [sandbox, other])
      await record(one, ...Array.from({ length: 120 }, (_, place) => rented(`B-${place}`, STRANGER)));
    await record(earnest, rented('A-1', STRANGER));
    demand(200, await ask(STRANGERS_NUMBER));
    expect(demand(200, await verify(STRANGERS_NUMBER, codeIn((await sent())[0]!))).token).not.toBeNull();
  });

  it('ends no code of a stranger by erasing or changing its own tenant', async () => {
    await record(earnest, rented('A-1', STRANGER));
    await record(sandbox, rented('A-1', STRANGER));
    demand(200, await ask(STRANGERS_NUMBER));
    await record(sandbox, rented('A-1', '+13125550199'));
    expect((await verify(STRANGERS_NUMBER, codeIn((await sent())[0]!))).status).toBe(200);
  });

  it('signs in test numbers of its own block, whose codes are among its last 20 messages', async () => {
    const { test_numbers } = await messagesOf(sandbox);
    expect(test_numbers).toMatch(/^\+999\d{4}$/);
    const numbers = Array.from({ length: 21 }, (_, place) => `${test_numbers.slice(4)}${100 + place}`);
    await record(sandbox, ...numbers.map((own, place) => rented(`A-${place}`, `+999${own}`)));
    for (const own of numbers) demand(200, await ask(own, '999'));
    const number = numbers[20]!;
    const { messages } = await messagesOf(sandbox);
    expect(messages).toHaveLength(20);
    expect(messages[0]).toMatchObject({ to: `+999${number}`, sent_at: toTimestamp(service.clock.now()) });
    const otp = codeIn(messages[0]);
    const body = { country_code: '999', phone_number: number, otp };
    demand(200, await service.call('post', '/api/v2/auth/verify-otp', { body }));
    expect(await sent()).toEqual([]);
    const admin = await Visitor.signedIn(service);
    await admin.visit(`/dashboard/companies/${sandbox.id}`);
    expect(admin.text).toContain(test_numbers);
    expect(admin.text).toContain(`Your access code is ${otp}.`);
  });

  it('keeps its test numbers to itself', async () => {
    const other = await service.sandbox();
    const { test_numbers } = await messagesOf(sandbox);
    expect((await messagesOf(other)).test_numbers).not.toBe(test_numbers);
    const phone = `${test_numbers}123`;
    const text =
      'The phone field must not be a test number of another company. A sandbox shows its own test numbers.';
    for (const thief of [earnest, other]) {
      const { errors, created } = demand(
        200,
        await thief.sync([rented('A-1', phone), rented('A-2', STRANGER)]),
      );
      expect([created, errors[0].errors]).toEqual([1, { 'units.0.tenant.phone': [text] }]);
      const path = `/locations/${thief.locations.get('MAIN')!}/tenants`;
      const person = { pms_tenant_id: 'own', name: 'Ada' };
      const refused = await service.operator('post', path, { ...person, phone });
      expect([refused.status, refused.body.errors]).toEqual([422, { phone: [text] }]);
      const { tenant_id } = demand(201, await service.operator('post', path, person));
      expect((await service.operator('patch', `/tenants/${tenant_id}`, { phone })).status).toBe(422);
    }
    expect((await ask(`${test_numbers.slice(4)}123`, '999')).status).toBe(422);
  });
});

test('a company that is no sandbox has no messages', async () => {
  expect((await service.operator('get', `/companies/${earnest.id}/messages`)).status).toBe(404);
  expect((await service.operator('get', `/companies/${'0'.repeat(26)}/messages`)).status).toBe(404);
});

describe('text messages', () => {
  const numbers = (count: number, from = 0) =>
    Array.from({ length: count }, (_, place) => String(3_125_550_200 + from + place));
  const statuses = async (phones: readonly string[]) => {
    const answers: number[] = [];
    for (const phone of phones) answers.push((await ask(phone)).status);
    return answers;
  };
  const people = (phones: readonly string[]) =>
    phones.map((phone, place) => rented(`A-${place}`, `+1${phone}`));

  it('are limited for a company, beside others', async () => {
    await service.close();
    service = await Service.start({
      environment: { SMS_LIMIT_COMPANY: '3/5', SMS_LIMIT_SERVICE: '100/100' },
    });
    [earnest, sandbox] = [await service.company(), await service.company()];
    const other = sandbox;
    const phones = numbers(10);
    await record(earnest, ...people(phones));
    await record(other, rented('A-1', `+1${phones[4]}`), rented('A-2', '+13125550300'));
    expect(await statuses(phones.slice(0, 4))).toEqual([200, 200, 200, 429]);
    // The other company has some left: its own tenant is sent one, and one who has an account in both.
    expect(await statuses([phones[4]!, '3125550300'])).toEqual([200, 200]);
    expect(await sent()).toHaveLength(5);
  });

  it('are limited for the service', async () => {
    await service.close();
    service = await Service.start({
      environment: { SMS_LIMIT_COMPANY: '100/100', SMS_LIMIT_SERVICE: '2/100' },
    });
    earnest = await service.company();
    const phones = numbers(3);
    await record(earnest, ...people(phones));
    expect(await statuses(phones)).toEqual([200, 200, 429]);
    expect(await sent()).toHaveLength(2);
    const metrics = await service.call('get', '/metrics');
    expect(metrics.text).toContain('policy="sms-service"');
  });
});
