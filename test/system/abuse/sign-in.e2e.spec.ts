import { Passwords } from '#domain/operators/index.js';
import type { Company } from '../../support/service.js';
import { demand, Service } from '../../support/service.js';
import { statusCounts } from '../../support/status-counts.js';

const PASSWORD = 'correct horse battery staple';
const EMAIL = 'ada@example.com';
const MINUTE = 60_000;

let service: Service;
let company: Company;
beforeAll(async () => {
  service = await Service.start({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  company = await service.company();
});
afterAll(() => service.close());

function login(email: string, password: string, headers: Record<string, string> = {}) {
  const from = { 'X-Forwarded-For': '192.0.2.1', ...headers };
  return service.call('post', '/api/operator/sessions', { body: { email, password }, headers: from });
}

/** Cookies of a browser after its owner has signed in. */
async function deviceOf(headers: Record<string, string>): Promise<Record<string, string>> {
  const answer = await login(EMAIL, PASSWORD, headers);
  demand(201, answer);
  const [cookie] = [answer.headers['set-cookie']].flat();
  expect(cookie).toMatch(/^operator_device=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/);
  return { ...headers, Cookie: cookie!.split(';')[0]! };
}

describe('signing in', () => {
  it('a flood of 120 from one address costs 20 comparisons, and writes go on meanwhile', async () => {
    const flood = Array.from({ length: 120 }, (_, n) =>
      login(`somebody-${n}@example.com`, 'wrong', { 'X-Forwarded-For': '192.0.2.20' }),
    );
    const writes = await Promise.all(Array.from({ length: 10 }, (_, n) => company.moveIn(`F-${n}`)));
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 201));
    expect(await statusCounts(flood)).toEqual({ 401: 20, 429: 100 });
  });

  it('a flood of 120 from as many addresses is compared two at once, and most of it is refused', async () => {
    const flood = Array.from({ length: 120 }, (_, n) =>
      login(`other-${n}@example.com`, 'wrong', { 'X-Forwarded-For': `198.51.100.${n}` }),
    );
    const counts = await statusCounts(flood);
    expect(counts[401]! + counts[429]!).toBe(120);
    expect(counts[429]).toBeGreaterThan(10);
  });

  it('failures from a known device count for it alone', async () => {
    const known = await deviceOf({ 'X-Forwarded-For': '192.0.2.3' });
    const tries = Array.from({ length: 7 }, () => login(EMAIL, 'wrong', known));
    expect(await statusCounts(tries)).toEqual({ 401: 5, 429: 2 });
    expect((await login(EMAIL, PASSWORD, known)).status).toBe(429);
    expect((await login(EMAIL, PASSWORD)).status).toBe(201);
  });

  it('a victim of wrong passwords signs in from where they did before, and from nowhere else', async () => {
    const known = await deviceOf({ 'X-Forwarded-For': '192.0.2.2' });
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await login(EMAIL, 'wrong', { 'X-Forwarded-For': `192.0.2.${attempt + 10}` });
    }
    expect((await login(EMAIL, PASSWORD)).status).toBe(429);
    expect((await login(EMAIL, PASSWORD, known)).status).toBe(201);
    // The device of one is nothing to the account of another.
    expect((await login('bob@example.com', 'wrong', known)).status).toBe(401);
  });

  it('known browsers of one operator are compared one after another, so that others need not wait', async () => {
    service.manualClock.advance(MINUTE);
    const devices: Record<string, string>[] = [];
    for (let n = 0; n < 4; n += 1) devices.push(await deviceOf({ 'X-Forwarded-For': `192.0.2.${n + 40}` }));
    const passwords = service.part(Passwords);
    const matches = passwords.matches.bind(passwords);
    let running = 0;
    let most = 0;
    const spy = jest.spyOn(passwords, 'matches').mockImplementation(async (...given) => {
      most = Math.max(most, (running += 1));
      return matches(...given).finally(() => (running -= 1));
    });
    expect(await statusCounts(devices.map((device) => login(EMAIL, PASSWORD, device)))).toEqual({ 201: 4 });
    spy.mockRestore();
    expect(most).toBe(1);
  });

  it('30 right passwords of one operator in a minute are enough, from a known browser too', async () => {
    service.manualClock.advance(MINUTE);
    const known = await deviceOf({ 'X-Forwarded-For': '192.0.2.50' });
    const counts: Record<number, number> = {};
    for (let n = 0; n < 32; n += 1) {
      const { status } = await login(EMAIL, PASSWORD, n % 2 === 0 ? known : {});
      counts[status] = (counts[status] ?? 0) + 1;
    }
    expect(counts).toEqual({ 201: 29, 429: 3 });
    service.manualClock.advance(MINUTE);
    expect((await login(EMAIL, PASSWORD, known)).status).toBe(201);
  });

  it('an address that was made up is believed from nobody but a trusted proxy', async () => {
    const alone = await Service.start();
    const tries = Array.from({ length: 25 }, (_, n) =>
      alone.call('post', '/api/operator/sessions', {
        body: { email: `a-${n}@example.com`, password: 'wrong' },
        headers: { 'X-Forwarded-For': `203.0.113.${n}` },
      }),
    );
    expect(await statusCounts(tries)).toEqual({ 401: 20, 429: 5 });
    await alone.close();
  });
});
