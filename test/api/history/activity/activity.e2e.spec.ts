import type { Answer } from '../../../support/http-client.js';
import { type Company, demand, Service } from '../../../support/service.js';
import { accountId, TenantAccounts, TenantSessions } from '#domain/tenants/index.js';

const DAY = 24 * 60 * 60_000;

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

const location = () => company.locations.get('MAIN')!;

async function operate(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) {
  return demand(method === 'post' ? 201 : 200, await service.operator(method, path, body));
}

async function lock(name: string): Promise<string> {
  return (await operate('post', `/locations/${location()}/locks`, { name })).lock_id;
}

/** A unit that a tenant rents, with a lock on its door. */
async function rentedUnit(crm_unit_id: string, pms_tenant_id: string) {
  const { unit_id } = demand(201, await company.moveIn(crm_unit_id, { pms_tenant_id }));
  const lock_id = await lock(`${crm_unit_id} door`);
  await operate('put', `/units/${unit_id}/locks/${lock_id}`);
  return { unit_id, lock_id, token: await tokenOf(pms_tenant_id) };
}

async function tokenOf(pms_tenant_id: string): Promise<string> {
  const key = { company_id: company.id, location_id: location(), pms_tenant_id };
  const [account] = await service.part(TenantAccounts).find([key]);
  if (account === undefined) throw new Error(`There is no ${accountId(key)}.`);
  return (await service.part(TenantSessions).begin(account)).token;
}

async function report(path: string, token: string, more: object = {}): Promise<string> {
  const body = { event: 'unlock', result: 'success', ...more };
  service.manualClock.advance(1_000);
  return demand(201, await service.call('post', `/api/v2/${path}/logs`, { token, body })).log_id;
}

const ofUnit = (crm_unit_id: string, query = '') =>
  company.push('get', `/units/${crm_unit_id}/activity${query}`);
const idsOf = (answer: Answer): string[] =>
  demand(200, answer).entries.map(({ log_id }: { log_id: string }) => log_id);

describe('what locks reported of a unit', () => {
  it('is read newest first, as it was reported', async () => {
    const { lock_id, token, unit_id } = await rentedUnit('A-1', 't-1');
    const first = await report(`locks/${lock_id}`, token, { event: 'lock' });
    const failed = {
      result: 'failure',
      failure_code: 'nfc_timeout',
      message: 'It creaks.',
      battery_percent: 40,
    };
    const second = await report(`locks/${lock_id}`, token, failed);
    const at = new Date(service.clock.now()).toISOString();
    const { entries, next_cursor } = demand(200, await ofUnit('A-1'));
    expect(next_cursor).toBeNull();
    const newest = {
      log_id: second,
      lock_id,
      lock_name: 'A-1 door',
      event: 'unlock',
      result: 'failure',
      failure_code: 'nfc_timeout',
      occurred_at: at,
      recorded_at: at,
      tenant_id: expect.any(String),
      message: 'It creaks.',
    };
    expect(entries).toEqual([
      newest,
      expect.objectContaining({ log_id: first, event: 'lock', message: null }),
    ]);
    const told = demand(200, await service.operator('get', `/units/${unit_id}/activity`));
    expect(told.entries[0]).toEqual({ ...newest, unit_id, battery_percent: 40 });
  });

  it('outlives a move-out, and comes in pages that hold while reports come in', async () => {
    const { lock_id, token } = await rentedUnit('A-1', 't-1');
    const logs: string[] = [];
    for (let number = 0; number < 5; number += 1) logs.unshift(await report(`locks/${lock_id}`, token));
    const first = await ofUnit('A-1', '?limit=2');
    expect(idsOf(first)).toEqual(logs.slice(0, 2));
    await report(`locks/${lock_id}`, token);
    await company.moveOut('A-1');
    const cursor = encodeURIComponent(first.body.data.next_cursor as string);
    const second = await ofUnit('A-1', `?limit=2&cursor=${cursor}`);
    expect(idsOf(second)).toEqual(logs.slice(2, 4));
    const third = await ofUnit('A-1', `?limit=2&cursor=${second.body.data.next_cursor}`);
    expect([idsOf(third), third.body.data.next_cursor]).toEqual([logs.slice(4), null]);
  });

  it('is that of the locks which were on its door, each for as long as it was', async () => {
    const one = await rentedUnit('A-1', 't-1');
    const other = await rentedUnit('A-2', 't-1');
    const early = await report(`locks/${one.lock_id}`, one.token);
    await operate('delete', `/units/${other.unit_id}/locks/${other.lock_id}`);
    service.manualClock.advance(DAY);
    await operate('put', `/units/${one.unit_id}/locks/${other.lock_id}`);
    const late = await report(`locks/${other.lock_id}`, one.token);
    const middle = await report(`locks/${one.lock_id}`, one.token);
    await operate('delete', `/units/${one.unit_id}/locks/${one.lock_id}`);
    await operate('put', `/units/${other.unit_id}/locks/${one.lock_id}`);
    const elsewhere = await report(`locks/${one.lock_id}`, one.token);
    expect(idsOf(await ofUnit('A-1'))).toEqual([middle, late, early]);
    expect(idsOf(await ofUnit('A-2'))).toEqual([elsewhere]);
    const of = (lock_id: string) => service.operator('get', `/locks/${lock_id}/activity`);
    expect(idsOf(await of(one.lock_id))).toEqual([elsewhere, middle, early]);
    expect(idsOf(await of(other.lock_id))).toEqual([late]);
  });

  it('loses the words of a tenant who is erased, and nothing else', async () => {
    const { lock_id, token } = await rentedUnit('A-1', 't-1');
    const log_id = await report(`locks/${lock_id}`, token, { message: 'Ada was here.' });
    const { tenant_id } = demand(200, await ofUnit('A-1')).entries[0];
    await operate('delete', `/tenants/${tenant_id}/personal-data`);
    expect(demand(200, await ofUnit('A-1')).entries).toMatchObject([{ log_id, tenant_id, message: null }]);
  });

  it('is no other company’s to read, nor with a made-up cursor', async () => {
    const { lock_id, token } = await rentedUnit('A-1', 't-1');
    await report(`locks/${lock_id}`, token);
    await report(`locks/${lock_id}`, token);
    const { next_cursor } = demand(200, await ofUnit('A-1', '?limit=1'));
    const mine = company;
    company = await service.company();
    expect([(await ofUnit('A-1')).status, (await ofUnit('A-1')).body.code]).toEqual([404, 'unit_not_found']);
    await company.moveIn('A-1');
    expect((await ofUnit('A-1')).body.data).toEqual({ entries: [], next_cursor: null });
    expect((await ofUnit('A-1', `?cursor=${next_cursor}`)).status).toBe(422);
    company = mine;
    expect((await ofUnit('A-1', `?cursor=${next_cursor}`)).status).toBe(200);
  });
});

describe('what was reported of an entry point', () => {
  it('is read by operators', async () => {
    const { unit_id, token } = await rentedUnit('A-1', 't-1');
    const { zone_id } = await operate('post', `/locations/${location()}/zones`, { name: 'Floor 1' });
    await operate('put', `/zones/${zone_id}/units/${unit_id}`);
    const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
    const { entry_point_id } = await operate('post', `/locations/${location()}/entry-points`, gate);
    const log_id = await report(`entry-points/${entry_point_id}`, token, { message: 'Stuck.' });
    const path = `/entry-points/${entry_point_id}/activity`;
    const { entries } = demand(200, await service.operator('get', path));
    expect(entries).toEqual([
      expect.objectContaining({ log_id, entry_point_id, entry_point_name: 'Gate', message: 'Stuck.' }),
    ]);
    expect(idsOf(await ofUnit('A-1'))).toEqual([]);
  });

  it.each(['locks', 'entry-points', 'units'])('is 404 of %s that there are none of', async (things) => {
    const answer = await service.operator('get', `/${things}/01JAAAAAAAAAAAAAAAAAAAAAAA/activity`);
    expect(answer.status).toBe(404);
  });
});
