import { systemClock } from '#kernel/clock.js';
import { KeyIssuer } from '#domain/locks/index.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { PullScheduler } from '#pull/index.js';
import type { Answer, Parsed } from '../../support/http-client.js';
import { opensLock } from '../../support/lock-verifier.js';
import { ManualClock } from '../../support/manual-clock.js';
import { json, occupied, SourceServer } from '../../pull/support/source-server.js';
import { waitUntil } from '../../support/wait-until.js';
import { type Company, demand, embeddedStores, Service, type Stores } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';

const CHICAGO = 'America/Chicago';
/** 09:00 on 6 June 2025 in Chicago, where the world stands still. */
const NOW = Date.UTC(2025, 5, 6, 14);
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let service: Service;
/** Each test has one of its own, and a phone that no other test calls. */
let company: Company;
let phone = '';
let phones = 0;

const chicago = { pms_location_code: 'MAIN', timezone: CHICAGO };
const operator = async (
  method: 'get' | 'post' | 'put' | 'patch',
  path: string,
  body?: object,
  status = 200,
) => demand(status, await service.operator(method, path, body));
const advance = (seconds: number, of = company): Promise<Answer> =>
  service.operator('post', `/companies/${of.id}/clock`, { advance_seconds: seconds });
const clockOf = async (of = company): Promise<Parsed> => (await operator('get', `/companies/${of.id}`)).clock;
const listed = async (state: string) =>
  (await company.list(`state=${state}`)).map(({ crm_unit_id }) => crm_unit_id as string);
const tenant = (pms_tenant_id: string) => ({
  pms_tenant_id,
  first_name: 'Ada',
  last_name: 'Park',
  phone: `+999${phone}`,
});
const rented = (crm_unit_id: string, person: object, more: object = {}) => ({
  crm_unit_id,
  occupied: true,
  tenant: person,
  move_in_date: '2025-06-06',
  paid_through_date: '2025-06-30',
  balance_due: 0,
  ...more,
});
const sync = async (...units: object[]) => {
  expect(demand(200, await company.sync(units)).errors).toEqual([]);
};
const messages = () => operator('get', `/companies/${company.id}/messages`);
/** Has a code sent to a test number, and reads it. */
const codeTo = async (phone_number: string): Promise<string> => {
  const body = { country_code: '999', phone_number };
  expect((await service.call('post', '/api/v2/auth/phone', { body })).status).toBe(200);
  const [newest] = (await messages()).messages as { readonly body: string }[];
  return /\d{6}/.exec(newest!.body)![0];
};
const signIn = (phone_number: string, otp: string): Promise<Answer> =>
  service.call('post', '/api/v2/auth/verify-otp', {
    body: { country_code: '999', phone_number, otp },
  });
const accessOf = (token: string): Promise<Answer> => service.call('get', '/api/v2/tenant/access', { token });

const start = () =>
  Service.start({ clock: new ManualClock(NOW), environment: { PULL_ALLOW_PRIVATE: 'true' } });
async function playing(): Promise<void> {
  company = await service.sandbox(chicago);
  phones += 1;
  phone = `${((await messages()).test_numbers as string).slice('+999'.length)}${100 + phones}`;
}

describe('in a world that stands still', () => {
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());

  describe('a sandbox', () => {
    beforeEach(playing);

    it('plays a month of late payments while the world stands still', async () => {
      await sync(rented('A-1', tenant('t-1')));
      const { unit_id, access } = await company.unit('A-1');
      expect(access).toMatchObject({ state: 'tenant_permitted', valid_until: null });

      // July comes, and the rent does not.
      await company.advance(25 * DAY);
      demand(200, await company.patch('A-1', { balance_due: 189.5 }));
      const owing = await company.unit('A-1');
      expect(owing.access).toMatchObject({
        state: 'tenant_permitted',
        valid_until: '2025-07-06T05:00:00.000Z',
      });
      const forecast = demand(200, await company.push('get', '/locations/MAIN/forecast?days=30'));
      expect(forecast).toMatchObject({
        from: '2025-07-01T14:00:00.000Z',
        changes: [{ crm_unit_id: 'A-1', date: '2025-07-06', to: { state: 'tenant_denied' } }],
      });

      // The grace period ends, and not a second before.
      await company.advance(4 * DAY + 15 * HOUR - 1);
      expect(await listed('tenant_denied')).toEqual([]);
      await company.advance(1);
      expect(await listed('tenant_denied')).toEqual(['A-1']);
      expect(await company.access('A-1')).toBe('tenant_denied delinquent');

      await company.advance(MINUTE);
      // An operator lets the tenant in for an hour.
      const exempt = { override: 'exempt', reason: 'Moves out.', expires_at: '2025-07-06T06:00:00.000Z' };
      await operator('put', `/units/${unit_id}/override`, exempt);
      expect(await company.access('A-1')).toBe('tenant_permitted system_exempt');
      await company.advance(HOUR - MINUTE);
      expect(await company.access('A-1')).toBe('tenant_denied delinquent');
      expect((await operator('get', `/units/${unit_id}`)).override).toBeNull();

      demand(200, await company.patch('A-1', { balance_due: 0, paid_through_date: '2025-07-31' }));
      expect(await company.access('A-1')).toBe('tenant_permitted active');
      expect(await listed('tenant_permitted')).toEqual(['A-1']);

      // The past is told by the same clock.
      const asOf = async (at: string) =>
        demand(200, await company.push('get', `/units/A-1/as-of?at=${at}`)).access.state as string;
      expect(await asOf('2025-07-06T04:59:59.999Z')).toBe('tenant_permitted');
      expect(await asOf('2025-07-06T05:00:00.000Z')).toBe('tenant_denied');
      const history = demand(200, await company.push('get', '/units/A-1/history'));
      const instants = (history.entries as Parsed[]).map(({ occurred_at }) => occurred_at as string);
      expect(instants).toContain('2025-07-06T05:00:00.000Z');
      expect(service.clock.now()).toBe(NOW);
    });

    it('has keys that end by its clock and open nothing, and sessions that end by it', async () => {
      await sync(rented('A-1', tenant('t-1')));
      const { unit_id } = await company.unit('A-1');
      const location = company.locations.get('MAIN')!;
      const { lock_id } = await operator('post', `/locations/${location}/locks`, { name: 'Door' }, 201);
      await operator('put', `/units/${unit_id}/locks/${lock_id}`);
      const keysOut = async () =>
        (await operator('get', `/units/${unit_id}`)).locks[0].keys_outstanding as Parsed[];
      await company.advance(DAY);

      const { token, expires_at } = demand(200, await signIn(phone, await codeTo(phone)));
      expect(expires_at).toBe(new Date(NOW + 31 * DAY * 1_000).toISOString());
      const shown = demand(200, await accessOf(token));
      expect(shown.evaluated_at).toBe('2025-06-07T14:00:00.000Z');
      const [{ key, key_expires_at }] = shown.units[0].locks;
      expect(key_expires_at).toBe('2025-06-08T07:00:00.000Z');
      const issuer: KeyIssuer = service.application.get(KeyIssuer, { strict: false });
      expect(opensLock(issuer, lock_id, key, service.clock.now())).toBe(false);
      expect(await keysOut()).toHaveLength(1);

      await company.advance(17 * HOUR - 1);
      expect(demand(200, await accessOf(token)).units[0].locks[0].key).not.toBe(key);
      expect((await keysOut()).map((one) => one.expires_at)).toContain('2025-06-09T07:00:00.000Z');
      await company.advance(1);
      await company.advance(DAY);
      expect(await keysOut()).toEqual([]);
      await company.advance(28 * DAY);
      expect((await accessOf(token)).status).toBe(200);
      await company.advance(2 * DAY);
      expect((await accessOf(token)).status).toBe(401);
    });

    it('has codes that end by its clock', async () => {
      await sync(rented('A-1', tenant('t-1')));
      const code = await codeTo(phone);
      await company.advance(5 * MINUTE);
      const refused = await signIn(phone, code);
      expect([refused.status, refused.body.code]).toEqual([422, 'otp_invalid']);
    });

    it('takes a code until the last second before', async () => {
      await sync(rented('A-1', tenant('t-1')));
      await company.advance(DAY);
      const code = await codeTo(phone);
      await company.advance(5 * MINUTE - 1);
      expect((await signIn(phone, code)).status).toBe(200);
    });

    it('limits codes by the world’s time, however far its own is ahead', async () => {
      await sync(rented('A-1', tenant('t-1')));
      await codeTo(phone);
      await company.advance(DAY);
      const body = { country_code: '999', phone_number: phone };
      expect((await service.call('post', '/api/v2/auth/phone', { body })).status).toBe(429);
    });

    it('has its pull sources run when they are due by its clock', async () => {
      const source = await SourceServer.start();
      source.always(json({ units: [occupied('P-1')] }));
      const body = { name: 'PMS', url: source.url(), interval_seconds: HOUR };
      const path = `/companies/${company.id}/pull-sources`;
      const { pull_source_id } = await operator('post', path, body, 201);
      const settled = () => service.part(PullScheduler).settled();
      const runs = async () =>
        (await operator('get', `/pull-sources/${pull_source_id}/runs`)).runs as Parsed[];
      await company.advance(HOUR - 1);
      await settled();
      expect(await runs()).toEqual([]);
      await company.advance(1);
      await settled();
      expect(await runs()).toMatchObject([
        { state: 'succeeded', created: 1, started_at: new Date(NOW + HOUR * 1_000).toISOString() },
      ]);
      expect((await company.unit('P-1')).source_type).toBe('pull');
      // However many were due: a source is asked for how it is, not for how it was.
      await company.advance(DAY);
      await settled();
      expect(await runs()).toHaveLength(2);
      // A run that is under way while the clock is set forward took no longer for it.
      let answer: () => void = () => undefined;
      source.next((response, asked) => (answer = () => json({ units: [] })(response, asked)));
      const asked = source.asked.length;
      await operator('post', `/pull-sources/${pull_source_id}/runs`, {}, 202);
      await waitUntil(() => source.asked.length > asked);
      await company.advance(HOUR / 2);
      answer();
      await settled();
      const [last] = await runs();
      expect([Date.parse(last.finished_at) - Date.parse(last.started_at), last.duration_ms]).toEqual([
        (HOUR / 2) * 1_000,
        0,
      ]);
      await operator('patch', `/pull-sources/${pull_source_id}`, { enabled: false });
      await source.close();
    });

    it('tells an auditor what it is, when its clock was set forward, and when its events really were', async () => {
      await company.advance(DAY);
      await company.advance(HOUR);
      await sync(rented('A-1', tenant('t-1')));
      const own = (await service.events(`company-${company.id}`)).map(({ type, data, metadata }) => {
        return { type, data, at: metadata['occurred_at'] };
      });
      expect(own).toMatchObject([
        { type: 'SandboxCompanyRegistered' },
        { type: 'ApiTokenIssued' },
        { type: 'LocationAdded' },
        {
          type: 'SandboxClockAdvanced',
          data: { advance_seconds: DAY, ahead_seconds: DAY },
          at: new Date(NOW).toISOString(),
        },
        { type: 'SandboxClockAdvanced', data: { advance_seconds: HOUR, ahead_seconds: DAY + HOUR } },
      ]);
      const [registered] = await company.unitEvents();
      expect(registered!.metadata).toMatchObject({
        occurred_at: '2025-06-07T15:00:00.000Z',
        real_time: '2025-06-06T14:00:00.000Z',
      });
      expect(await verifyAll(service.stores.eventStore)).toMatchObject({ ok: true });
    });

    it('keeps its time over a restart, and where the views are made anew', async () => {
      await sync(rented('A-1', tenant('t-1'), { balance_due: 50, paid_through_date: '2025-06-01' }));
      await company.advance(DAY);
      for (const keepViews of [true, false]) {
        await service.restart({ keepViews });
        expect(await clockOf()).toEqual({
          now: new Date(NOW + DAY * 1_000).toISOString(),
          ahead_seconds: DAY,
        });
        expect(await listed('tenant_denied')).toEqual(['A-1']);
      }
    });
  });

  describe('the clock of a sandbox', () => {
    beforeEach(playing);

    it('goes forward by at most 31 days at a time, and answers what it shows', async () => {
      expect(await clockOf()).toEqual({ now: new Date(NOW).toISOString(), ahead_seconds: 0 });
      for (const wrong of [0, -1, 1.5, 31 * DAY + 1, 'a day', null])
        expect((await advance(wrong as number)).status).toBe(422);
      expect(await company.advance(31 * DAY)).toMatchObject({
        company_id: company.id,
        sandbox: true,
        clock: { now: '2025-07-07T14:00:00.000Z', ahead_seconds: 31 * DAY },
      });
    });

    it('is at most ten years ahead of the world', async () => {
      for (let month = 0; month < 117; month += 1) await company.advance(31 * DAY);
      const refused = await advance(24 * DAY);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['advance_seconds']]);
      expect((await clockOf()).ahead_seconds).toBe(117 * 31 * DAY);
    });

    it('is set forward once under one key', async () => {
      const token = await service.operatorToken();
      const headers = { 'Idempotency-Key': 'a day' };
      const send = () =>
        service.call('post', `/api/operator/companies/${company.id}/clock`, {
          body: { advance_seconds: DAY },
          token,
          headers,
        });
      const [first, again] = [await send(), await send()];
      expect(again.text).toBe(first.text);
      expect((await clockOf()).ahead_seconds).toBe(DAY);
    });

    it('is no other company’s', async () => {
      const other = await service.company(chicago);
      expect(await operator('get', `/companies/${other.id}`)).toMatchObject({ sandbox: false, clock: null });
      const refused = await advance(DAY, other);
      expect([refused.status, refused.body.code]).toEqual([409, 'not_a_sandbox']);
      expect((await service.operator('post', '/companies/nobody/clock', { advance_seconds: 1 })).status).toBe(
        404,
      );
      const person = { ...tenant('t-9'), phone: '+13125550100' };
      demand(200, await other.sync([rented('B-1', person, { balance_due: 50 })]));
      await company.advance(31 * DAY);
      expect(await other.access('B-1')).toBe('tenant_permitted active');
      expect((await other.unitEvents())[0]!.metadata).not.toHaveProperty('real_time');
      const { companies } = await operator('get', '/companies');
      const listed = new Map((companies as Parsed[]).map(({ company_id, sandbox }) => [company_id, sandbox]));
      expect([listed.get(company.id), listed.get(other.id)]).toEqual([true, false]);
    });
  });
});

describe('in a world that goes on', () => {
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.close());
  beforeEach(playing);

  it('so does the clock of a sandbox', async () => {
    await company.advance(31 * DAY);
    service.manualClock.advance(1_000);
    expect((await clockOf()).now).toBe('2025-07-07T14:00:01.000Z');
  });
});

/** Two services on the same stores, as two processes are on servers. */
describe('a sandbox of two processes', () => {
  let shared: Stores;
  let there: Service;

  /** The stores are closed by whoever opened them. */
  function lent<Store extends { close(): Promise<void> }>(store: Store): Store {
    const members: { close(): Promise<void> } = { close: () => Promise.resolve() };
    return withMembers(store, members as Partial<Store>);
  }

  beforeAll(async () => {
    const embedded = false;
    const wrap = ({ eventStore, records, views }: Stores): Stores =>
      (shared = { eventStore, records, views, embedded });
    service = await Service.start({ clock: systemClock, wrap });
    const borrowed = () => ({
      eventStore: lent(shared.eventStore),
      records: lent(shared.records),
      views: lent(shared.views),
      embedded,
    });
    there = await Service.start({
      clock: systemClock,
      stores: { ...embeddedStores, open: () => Promise.resolve(borrowed()) },
    });
  });
  afterAll(async () => {
    await there.close();
    await service.close();
  });
  beforeEach(playing);

  it('has one time, in the next request to the other process too', async () => {
    const elsewhere = (method: 'get' | 'patch', path: string, body?: object) =>
      there.call(method, `/api/v2${path}`, { token: company.token, ...(body && { body }) });
    const paid_through_date = new Date().toISOString().slice(0, 10);
    const owing = { move_in_date: '2025-01-01', paid_through_date, balance_due: 50 };
    await sync(rented('A-1', tenant('t-1'), owing));
    // The other process has read the clock before.
    expect(demand(200, await elsewhere('get', '/units/A-1')).access.state).toBe('tenant_permitted');
    demand(200, await elsewhere('patch', '/units/A-1', { balance_due: 51 }));
    for (let days = 4; days <= 32; days += 4) {
      const { clock } = await company.advance(4 * DAY);
      const applied = demand(200, await elsewhere('patch', '/units/A-1', { balance_due: 50 + days }));
      expect(Date.parse(applied.applied_at)).toBeGreaterThanOrEqual(Date.parse(clock.now));
      const { state } = demand(200, await elsewhere('get', '/units/A-1')).access;
      const { units } = demand(200, await elsewhere('get', '/units?state=tenant_denied'));
      expect([state, units.length]).toEqual(days < 8 ? ['tenant_permitted', 0] : ['tenant_denied', 1]);
    }
  });

  it('is set forward by all who set it forward at once', async () => {
    const [one, other] = [await service.operatorToken(), await there.operatorToken()];
    const path = `/api/operator/companies/${company.id}/clock`;
    const send = (by: Service, token: string) =>
      by.call('post', path, { token, body: { advance_seconds: HOUR } });
    const answers = await Promise.all([1, 2, 3].flatMap(() => [send(service, one), send(there, other)]));
    const ahead = answers.map((answer) => demand(200, answer).clock.ahead_seconds as number);
    expect(ahead.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6].map((hours) => hours * HOUR));
  });
});
