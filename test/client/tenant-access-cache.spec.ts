import { connectionLost, refusal, ScriptedService, success } from './support/scripted-service.js';

const HOUR = 60 * 60 * 1000;

/** An access that is due two hours after it was evaluated, by a service whose clock is not the device's. */
const access = (name: string) => ({
  tenant: { id: 'T', name },
  evaluated_at: '2026-03-03T03:00:00.000Z',
  refresh_at: '2026-03-03T05:00:00.000Z',
});
const answered = (name: string) => success(access(name), { ETag: `"${name}"` });
const unchanged = () => new Response(null, { status: 304, headers: { ETag: '"Ada"' } });

const once = { retries: { attempts: 1 } };

describe('a tenant’s access', () => {
  it('is asked for once, and again when it is due, however wrong the device’s clock is', async () => {
    const service = new ScriptedService(answered('Ada'), answered('Ada Park'));
    const cache = service.client().tenantAccess();
    const name = async () => (await cache.current()).access.tenant.name;
    expect([await name(), await name()]).toEqual(['Ada', 'Ada']);
    service.now += 2 * HOUR - 1;
    expect(await name()).toBe('Ada');
    service.now += 1;
    expect(await name()).toBe('Ada Park');
    expect(service.requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"Ada"']);
  });

  it('is asked for where the device’s clock was put back behind when it came, until that is known again', async () => {
    const service = new ScriptedService(answered('Ada'), unchanged(), connectionLost(), answered('Grace'));
    const cache = service.client(once).tenantAccess();
    await cache.current();
    service.now -= 1;
    expect(await cache.current()).toEqual({ access: access('Ada'), is_stale: false });
    expect(await cache.current()).toEqual({ access: access('Ada'), is_stale: true });
    expect(await cache.current()).toEqual({ access: access('Grace'), is_stale: false });
    expect(await cache.current()).toEqual({ access: access('Grace'), is_stale: false });
    expect(service.requests).toHaveLength(4);
  });

  it('stays what it was on 304', async () => {
    const service = new ScriptedService(answered('Ada'), unchanged());
    const cache = service.client().tenantAccess();
    await cache.current();
    expect(await cache.refresh()).toEqual({ access: access('Ada'), is_stale: false });
  });

  it('that was being asked for when the tenant logged out is not kept, nor given to who asks next', async () => {
    const service = new ScriptedService(answered('Ada'), answered('Grace'));
    const cache = service.client().tenantAccess();
    const asked = cache.refresh();
    cache.forget();
    const next = cache.current();
    await asked;
    expect(cache.kept?.access.tenant.name).not.toBe('Ada');
    expect((await next).access.tenant.name).toBe('Grace');
    expect((await cache.current()).access.tenant.name).toBe('Grace');
    expect(service.requests).toHaveLength(2);
  });

  it('without an end is asked for when the tenant wishes', async () => {
    const service = new ScriptedService(success({ ...access('Ada'), refresh_at: null }));
    const cache = service.client().tenantAccess();
    await cache.current();
    for (const hours of [1000, -2000]) {
      service.now += hours * HOUR;
      expect((await cache.current()).is_stale).toBe(false);
    }
  });

  it('is asked for once by all who ask at once', async () => {
    const service = new ScriptedService(answered('Ada'), unchanged());
    const cache = service.client().tenantAccess();
    await Promise.all([cache.current(), cache.current(), cache.refresh()]);
    expect(service.requests).toHaveLength(1);
    await cache.refresh();
    expect(service.requests).toHaveLength(2);
  });

  it.each([
    ['there is no signal', connectionLost()],
    ['the service is away', refusal(503, 'store_unavailable')],
    ['too many ask', refusal(429, 'rate_limited')],
  ])('is what was known where %s', async (_when, failure) => {
    const service = new ScriptedService(answered('Ada'), failure, failure);
    const cache = service.client(once).tenantAccess();
    await cache.current();
    expect(await cache.refresh()).toEqual({ access: access('Ada'), is_stale: true });
  });

  it('is not made up where nothing is known', async () => {
    const cache = new ScriptedService(connectionLost()).client(once).tenantAccess();
    await expect(cache.current()).rejects.toMatchObject({ code: 'no_answer' });
  });

  it('is forgotten with the session, and by one who logs out', async () => {
    const service = new ScriptedService(answered('Ada'), refusal(401, 'unauthorized'), answered('Ada'));
    const cache = service.client().tenantAccess();
    await cache.current();
    await expect(cache.refresh()).rejects.toMatchObject({ status: 401 });
    expect(cache.kept).toBeUndefined();
    await cache.current();
    cache.forget();
    expect(cache.kept).toBeUndefined();
  });

  it('outlives the app where it is stored', async () => {
    const service = new ScriptedService(answered('Ada'));
    const before = service.client().tenantAccess();
    await before.current();
    const kept = JSON.parse(JSON.stringify(before.kept)) as typeof before.kept;
    const after = service.client().tenantAccess({ kept });
    expect((await after.current()).access.tenant.name).toBe('Ada');
    service.now += 2 * HOUR;
    service.then(unchanged());
    await after.current();
    expect(service.requests.at(-1)!.headers.get('if-none-match')).toBe('"Ada"');
  });
});
