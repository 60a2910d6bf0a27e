import { get } from 'node:http';
import { CallerBounds } from '#web/caller-bounds.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { LocationDirectory } from '#domain/locations/index.js';
import type { Company } from '../../support/service.js';
import { demand, Service } from '../../support/service.js';
import { Gate } from '../../support/gate.js';
import type { Answer } from '../../support/http-client.js';
import { waitUntil } from '../../support/wait-until.js';
import { statusCounts } from '../../support/status-counts.js';

let service: Service;
let one: Company;
let other: Company;
beforeAll(async () => {
  service = await Service.start({ environment: { RATE_LIMIT_READS: '30' } });
  one = await service.company();
  other = await service.company();
  await one.moveIn('A-1');
});
afterEach(async () => {
  for (const { id } of [one, other]) await service.part(RateLimits).reset('pms-read', id);
});
afterAll(() => service.close());

describe('a comparison', () => {
  const units = (bytes: number) => [
    { crm_unit_id: 'A-1', occupied: false, pms_status_raw: 'x'.repeat(bytes) },
  ];
  const left = async (body: object) => {
    const { headers } = await one.push('post', '/units/compare', body);
    return Number(/;r=(\d+);/.exec(headers['ratelimit']!)![1]);
  };

  it('of a large body takes a point for each 32 KB besides the one of the request', async () => {
    expect(await left({ units: units(10) })).toBe(29);
    expect(await left({ units: units(100 * 1024) })).toBe(25);
  });

  it('whose size uses the quota up is refused, and so are reads after it', async () => {
    const large = { units: units(1024 * 1024) };
    expect((await one.push('post', '/units/compare', large)).status).toBe(429);
    expect((await one.push('get', '/units/A-1')).status).toBe(429);
  });
});

describe('reads', () => {
  it('are counted per company, whichever route is asked, and those of another go on', async () => {
    const paths = ['/units/A-1', '/units/A-1/history', '/units/nothing', '/access-policy', '/units'];
    for (let read = 0; read < 30; read += 1) {
      const answer = await one.push('get', paths[read % paths.length]!);
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"pms-read";r=${29 - read};t=`));
    }
    const refused = await one.push('get', '/units/A-1');
    expect([refused.status, refused.body.code, refused.headers['ratelimit-policy']]).toEqual([
      429,
      'rate_limited',
      '"pms-read";q=30;w=60',
    ]);
    expect((await other.push('get', '/units')).status).toBe(200);
    // Writes and operators have quotas of their own.
    expect((await one.moveIn('A-2')).status).toBe(201);
    expect((await service.operator('get', '/units')).status).toBe(200);
  });

  it('of lists are under way four at once for a company, sixteen wait, and the rest is refused', async () => {
    let atOnce = 0;
    let most = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    // Every list of a company's units begins with its locations.
    const directory = service.part(LocationDirectory);
    const locationsOf = directory.locationsOfCompanies.bind(directory);
    const spy = jest.spyOn(directory, 'locationsOfCompanies').mockImplementation(async (companies) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      if (companies.includes(one.id)) await gate;
      atOnce -= 1;
      return locationsOf(companies);
    });
    const flood = Array.from({ length: 30 }, () => one.push('get', '/units'));
    const refused: Answer[] = [];
    for (const call of flood)
      void call.then((answer) => {
        if (answer.status === 429) refused.push(answer);
      });
    await waitUntil(() => refused.length === 10);
    // While all slots of one company are held, another's list is answered, and a cheap read as well.
    expect((await other.push('get', '/units')).status).toBe(200);
    open();
    expect(await statusCounts(flood)).toEqual({ 200: 20, 429: 10 });
    expect(most).toBeLessThanOrEqual(5);
    expect(refused[0]!.body).toEqual({
      code: 'rate_limited',
      message: 'Too many attempts. Please try again in 5 seconds.',
    });
    spy.mockRestore();
    expect((await one.push('get', '/units/A-1')).status).toBe(429);
  });

  it('of lists whose token is revoked while they wait for a slot are refused', async () => {
    const path = `/companies/${one.id}/api-tokens`;
    const { token, token_id } = demand(201, await service.operator('post', path, { name: 'leaked' }));
    const list = (by: string) => service.call('get', '/api/v2/units', { token: by, mayFail: true });
    const gate = new Gate();
    gate.close();
    const directory = service.part(LocationDirectory);
    const spy = jest.spyOn(directory, 'locationsOfCompanies').mockImplementation(async () => {
      await gate.pass();
      return [];
    });
    const waiting = jest.spyOn(service.part(CallerBounds), 'beginRead');
    const lists = [...Array.from({ length: 4 }, () => list(one.token)), list(token)];
    await waitUntil(() => waiting.mock.calls.length === 5);
    demand(200, await service.operator('delete', `${path}/${token_id}`));
    gate.open();
    spy.mockRestore();
    waiting.mockRestore();
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 401]);
  });

  it('of lists that the store answers at once meet the same bound', async () => {
    await one.sync(Array.from({ length: 100 }, (_, unit) => ({ crm_unit_id: `L-${unit}`, occupied: false })));
    const bounds = service.part(CallerBounds);
    const begin = bounds.beginRead.bind(bounds);
    let underWay = 0;
    let most = 0;
    const spy = jest.spyOn(bounds, 'beginRead').mockImplementation(async (principal) => {
      const end = await begin(principal);
      most = Math.max(most, (underWay += 1));
      return () => {
        underWay -= 1;
        end();
      };
    });
    await statusCounts(Array.from({ length: 30 }, () => one.push('get', '/units?limit=500')));
    spy.mockRestore();
    expect(most).toBe(4);
  });

  it('of lists go on to count where whoever asked has gone away', async () => {
    let atOnce = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const directory = service.part(LocationDirectory);
    const spy = jest.spyOn(directory, 'locationsOfCompanies').mockImplementation(async () => {
      atOnce += 1;
      await gate;
      return [];
    });
    const { port } = service;
    const headers = { Authorization: `Bearer ${one.token}` };
    for (let left = 1; left <= 4; left += 1) {
      const asking = get({ port, host: '127.0.0.1', path: '/api/v2/units', headers });
      const closed = new Promise((resolve) => asking.once('close', resolve));
      asking.on('error', () => undefined);
      await waitUntil(() => atOnce === left);
      asking.destroy();
      await closed;
    }
    const fifth = one.push('get', '/units');
    // A cheap read goes through all that the fifth has gone through by then.
    expect((await one.push('get', '/units/A-1')).status).toBe(200);
    expect(atOnce).toBe(4);
    open();
    expect((await fifth).status).toBe(200);
    spy.mockRestore();
  });
});
