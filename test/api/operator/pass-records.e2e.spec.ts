import { appOf } from '../tenant/app-of.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { addPassSite, inHours } from '../../support/pass-site.js';
import { type Company, demand, Service } from '../../support/service.js';

/** What passes leave: in histories, at instants, in reports. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: Service;
let company: Company;
let location_id: string;
let gate: string;
let unit_id: string;
let lock_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const later = (hours: number) => service.manualClock.advance(hours * HOUR);
const issued = async (rest: object = {}) => {
  const usual = {
    name: 'Vic',
    phone: newPhone(),
    entry_point_ids: [gate],
    unit_ids: [unit_id],
    reason: 'vendor',
  };
  const body = { ...usual, until: inHours(service, 48), ...rest };
  return demand(201, await operator('post', `/locations/${location_id}/passes`, body));
};
const change = async (pass_id: string, given: object) =>
  demand(200, await operator('patch', `/passes/${pass_id}`, given));
const end = async (pass_id: string) => demand(200, await operator('delete', `/passes/${pass_id}`));
const history = async (query = '') =>
  demand(200, await operator('get', `/units/${unit_id}/history?limit=100${query}`)).entries;
const asOf = async (at: string) => demand(200, await operator('get', `/units/${unit_id}/as-of?at=${at}`));
const ofPasses = (entries: { type: string }[]) => entries.filter(({ type }) => type.startsWith('Pass'));

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:10:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ company, location_id, gate, unit_id, lock_id } = await addPassSite(service));
  later(1);
});

describe('the history of a unit', () => {
  it('tells who issued, changed and ended a pass to it', async () => {
    const { pass_id, tenant_id, until } = await issued();
    later(1);
    await change(pass_id, { until: inHours(service, 5) });
    later(1);
    await end(pass_id);
    const [first, second, third, ...rest] = ofPasses(await history());
    expect(rest).toEqual([]);
    expect(first).toMatchObject({
      type: 'PassIssued',
      revision: null,
      pass_id,
      actor: { kind: 'operator' },
      hash: expect.any(String) as string,
      changes: {
        opened_by: { from: null, to: pass_id },
        pass_holder: { from: null, to: tenant_id },
        pass_until: { from: null, to: until },
        pass_reason: { from: null, to: 'vendor' },
      },
    });
    expect(second).toMatchObject({
      type: 'PassChanged',
      changes: { pass_until: { from: until, to: inHours(service, 4) } },
    });
    expect(third).toMatchObject({ type: 'PassEnded', changes: { opened_by: { from: pass_id, to: null } } });
  });

  it('tells that it ended by itself', async () => {
    const { pass_id, until } = await issued({ until: inHours(service, 2) });
    later(3);
    expect((await history()).at(-1)).toMatchObject({
      type: 'PassEnded',
      occurred_at: until,
      actor: { kind: 'system', id: 'calendar' },
      cause: { kind: 'calendar' },
      pass_id,
      hash: null,
    });
  });

  it('tells that a change took the unit out of it, and nothing of what follows', async () => {
    const { pass_id } = await issued();
    later(1);
    await change(pass_id, { unit_ids: [] });
    await change(pass_id, { reason: 'staff' });
    await end(pass_id);
    expect(ofPasses(await history())).toMatchObject([
      { type: 'PassIssued' },
      { type: 'PassChanged', changes: { opened_by: { from: pass_id, to: null } } },
    ]);
  });

  it('has the same entries page by page, in both orders', async () => {
    const one = await issued({ until: inHours(service, 3) });
    const two = await issued({ until: inHours(service, 3) });
    later(1);
    demand(200, await company.moveIn('A-1'));
    await change(one.pass_id, { until: inHours(service, 2), reason: 'staff' });
    await end(two.pass_id);
    later(4);
    const whole = await history();
    for (const order of ['asc', 'desc']) {
      const paged: unknown[] = [];
      for (let cursor = ''; ;) {
        const path = `/units/${unit_id}/history?limit=2&order=${order}${cursor}`;
        const page = demand(200, await operator('get', path));
        paged.push(...page.entries);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
      }
      expect(order === 'asc' ? paged : paged.reverse()).toEqual(whole);
    }
  });

  it('has passes that ended at one instant each on its page', async () => {
    const until = inHours(service, 1);
    await Promise.all([issued({ until }), issued({ until }), issued({ until })]);
    later(2);
    const path = `/units/${unit_id}/history?limit=1&from=${until}`;
    const seen: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = demand(200, await operator('get', `${path}${cursor}`));
      seen.push(...page.entries.map(({ pass_id }: { pass_id: string }) => pass_id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(new Set(seen).size).toBe(3);
    expect(seen).toHaveLength(3);
  });

  it('is told to integrators without the name of an operator', async () => {
    const { pass_id } = await issued();
    const { entries } = demand(200, await company.push('get', '/units/A-1/history?limit=100'));
    expect(ofPasses(entries)).toMatchObject([{ pass_id, actor: { kind: 'operator', name: null } }]);
  });
});

describe('a unit at an instant', () => {
  it('lists the passes that opened it then, by their terms of then', async () => {
    const { pass_id, tenant_id, until } = await issued();
    const then = inHours(service, 0.5);
    later(1);
    await change(pass_id, { until: inHours(service, 1), reason: 'staff' });
    later(3);
    expect((await asOf(then)).passes).toMatchObject([
      { pass_id, tenant_id, name: 'Vic', reason: 'vendor', until },
    ]);
    expect((await asOf(inHours(service, -2.5))).passes).toMatchObject([{ reason: 'staff' }]);
    expect((await asOf(inHours(service, -1.9))).passes).toEqual([]);
    expect((await asOf(inHours(service, -4.5))).passes).toEqual([]);
  });

  it('lists none once it is let', async () => {
    await issued();
    later(1);
    demand(200, await company.moveIn('A-1'));
    expect((await asOf(inHours(service, -0.5))).passes).toHaveLength(1);
    expect((await asOf(inHours(service, 0))).passes).toEqual([]);
  });

  it('ahead lists a pass to come', async () => {
    const { pass_id } = await issued({ from: inHours(service, 2), until: inHours(service, 4) });
    const ahead = async (hours: number) => (await asOf(inHours(service, hours))).passes;
    expect([await ahead(1), await ahead(2), await ahead(4)]).toMatchObject([[], [{ pass_id }], []]);
  });
});

describe('a report by the holder of a pass', () => {
  async function reporterOf(tenant_id: string) {
    const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
    const { token } = await service.part(TenantSessions).begin(account!);
    return (path: string, body: object) =>
      service.call('post', `/api/v2/${path}/logs`, {
        token,
        body: { event: 'unlock', result: 'success', ...body },
      });
  }

  it('is taken while a key is good, and names the pass', async () => {
    const { pass_id, tenant_id } = await issued();
    demand(200, await (await appOf(service, tenant_id))());
    const report = await reporterOf(tenant_id);
    demand(201, await report(`entry-points/${gate}`, {}));
    demand(201, await report(`locks/${lock_id}`, {}));
    const at = async (path: string) => demand(200, await operator('get', `/${path}/activity`)).entries;
    expect(await at(`entry-points/${gate}`)).toMatchObject([{ pass_id, tenant_id }]);
    expect(await at(`units/${unit_id}`)).toMatchObject([{ pass_id, tenant_id }]);
    const { events } = demand(200, await company.push('get', '/events?limit=100&types=LockActivityReported'));
    expect(events).toMatchObject([{ data: { pass_id, unit_id } }]);
  });

  it('is refused without a key that was good then', async () => {
    const { tenant_id } = await issued();
    const report = await reporterOf(tenant_id);
    expect((await report(`entry-points/${gate}`, {})).body.code).toBe('no_access_then');
    demand(200, await (await appOf(service, tenant_id))());
    later(1);
    expect((await report(`entry-points/${gate}`, {})).body.code).toBe('no_access_then');
    demand(201, await report(`entry-points/${gate}`, { occurred_at: inHours(service, -0.5) }));
  });

  it('is no opening outside of hours, if the pass has hours of its own', async () => {
    const closed = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, 'closed']),
    );
    const access_hours = { week: { ...closed, tue: { open: '01:00', close: '02:00' } } };
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
    const always = Object.fromEntries(Object.keys(closed).map((day) => [day, 'always']));
    const { tenant_id } = await issued({ hours: always });
    demand(200, await (await appOf(service, tenant_id))());
    demand(201, await (await reporterOf(tenant_id))(`entry-points/${gate}`, {}));
    const [entry] = demand(200, await operator('get', `/entry-points/${gate}/activity`)).entries;
    expect(entry).not.toHaveProperty('outside_hours');
  });

  it('of a tenant names no pass', async () => {
    demand(200, await company.moveIn('A-1'));
    const tenant_id = demand(200, await operator('get', `/units/${unit_id}`)).tenant.tenant_id as string;
    demand(201, await (await reporterOf(tenant_id))(`locks/${lock_id}`, {}));
    const [entry] = demand(200, await operator('get', `/units/${unit_id}/activity`)).entries;
    expect(entry).not.toHaveProperty('pass_id');
  });
});
