import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KeptBytes } from '#web/pipeline/kept-bytes.js';
import { IDEMPOTENCY_RECORDS } from '#web/pipeline/idempotency-record.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

const MEGABYTE = 1024 * 1024;
const MINUTE = 60_000;
const DAY = 24 * 60 * 60_000;

let service: Service;
let company: Company;
let operator_id: string;
beforeEach(async () => {
  service = await Service.start();
  company = await service.company();
  ({ operator_id } = demand(200, await service.operator('get', '/session')));
});
afterEach(() => service.close());

const key = (text: string) => ({ 'Idempotency-Key': text });

async function makeCompany(headers: Record<string, string>) {
  const token = await service.operatorToken();
  const options = { body: { name: 'Another' }, token, headers };
  return service.call('post', '/api/operator/companies', options);
}

/** The kept answer under a key of the company. */
async function keptAnswers() {
  const records = await service.stores.records.collection(IDEMPOTENCY_RECORDS);
  return (await records.page(undefined, 10)).map(({ answer }) => answer!);
}

test('an operator whose kept answers took 8 MB in a day gets no new key, and retries go on', async () => {
  demand(201, await makeCompany(key('first')));
  await service.part(KeptBytes).add(`operator ${operator_id} x`, 9 * MEGABYTE);
  expect((await makeCompany(key('second'))).status).toBe(429);
  const replayed = await makeCompany(key('first'));
  expect([replayed.status, replayed.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect((await makeCompany({})).status).toBe(201);
  service.manualClock.advance(DAY);
  expect((await makeCompany(key('third'))).status).toBe(201);
});

test('a company whose kept answers took 64 MB in a day gets no new key, and writes without one', async () => {
  const units = [{ crm_unit_id: 'A-1', occupied: false }];
  await service.part(KeptBytes).add(`${company.id} x`, 65 * MEGABYTE);
  expect((await company.sync(units, key('one'))).status).toBe(429);
  expect((await company.sync(units)).status).toBe(200);
});

test('a refusal for kept answers names its limit and when it ends, and counts in the metrics', async () => {
  await service.part(KeptBytes).add(`${company.id} x`, 65 * MEGABYTE);
  const { headers } = await company.sync([{ crm_unit_id: 'A-1', occupied: false }], key('one'));
  expect(headers).toMatchObject({
    'ratelimit-policy': `"kept-answers";q=${64 * MEGABYTE};w=86400`,
    ratelimit: `"kept-answers";r=0;t=${headers['retry-after']}`,
  });
  const { text } = await service.call('get', '/metrics');
  expect(text).toContain('rate_limited_total{policy="kept-answers"} 1');
});

test('a long answer is kept compressed, and replayed whole', async () => {
  const units = Array.from({ length: 200 }, (_, n) => ({ crm_unit_id: `A-${n}`, occupied: 5 }));
  const first = await company.sync(units, key('one'));
  const [kept] = await keptAnswers();
  expect(kept!.body).toBe('');
  expect(kept!.deflated!.length * 4).toBeLessThan(first.text.length);
  expect((await company.sync(units, key('one'))).text).toBe(first.text);
});

test('replays of a minute end at 16 MB', async () => {
  const kept = service.part(KeptBytes);
  await kept.replayed(`${company.id} x`, 16 * MEGABYTE);
  const units = [{ crm_unit_id: 'A-1', occupied: false }];
  demand(200, await company.sync(units, key('one')));
  expect((await company.sync(units, key('one'))).status).toBe(429);
  service.manualClock.advance(60_000);
  expect((await company.sync(units, key('one'))).status).toBe(200);
});

/** Bytes on the disk of all that the service keeps. */
async function bytesOnDisk(): Promise<number> {
  const names = await readdir(service.path, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(service.path, name))).blocks));
  return 512 * sizes.reduce((sum, size) => sum + size, 0);
}

test('answers of days that are over leave their place on the disk to new ones', async () => {
  const keepAnswers = async (day: number) => {
    for (let n = 0; n < 8; n += 1) {
      // Nothing of it compresses well.
      const faulty = () => ({ crm_unit_id: randomBytes(150).toString('base64'), occupied: 5 });
      const units = Array.from({ length: 500 }, faulty);
      demand(200, await company.sync(units, key(`${day} ${n}`)));
    }
  };
  const sizes = [await bytesOnDisk()];
  for (let day = 1; day <= 4; day += 1) {
    await keepAnswers(day);
    sizes.push(await bytesOnDisk());
    service.manualClock.advance(DAY);
    await waitUntil(async () => {
      service.manualClock.advance(MINUTE);
      return (await keptAnswers()).length === 0;
    });
  }
  const [empty, first, second, , last] = sizes as [number, number, number, number, number];
  const ofDay = first - empty;
  expect(ofDay).toBeGreaterThan(MEGABYTE / 2);
  // Two days follow the second one.
  expect(last - second).toBeLessThan(ofDay);
});

test('a read by POST takes no key: its answer is not kept', async () => {
  const path = `/api/operator/locations/${company.locations.get('MAIN')!}/policy-backtest`;
  const options = {
    body: { policy: { grace_period_days: 3 }, days: 1 },
    token: await service.operatorToken(),
    headers: key('one'),
  };
  demand(200, await service.call('post', path, options));
  const again = await service.call('post', path, options);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  expect(await keptAnswers()).toEqual([]);
});
