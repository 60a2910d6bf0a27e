import type { DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import { UNIT } from '#domain/units/index.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { AppendFaults, withAppendFaults } from '../../support/faulty-event-store.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

const MOVE_IN = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };

const faults = new AppendFaults();
/** Stands between the service and each write to its views. */
let onViewWrite: (writes: readonly DocumentWrite[]) => Promise<void>;

function wrap(stores: Stores): Stores {
  const write = async (writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> => {
    await onViewWrite(writes);
    return stores.views.write(writes);
  };
  const views = withMembers(stores.views, { write });
  return { ...stores, views, eventStore: withAppendFaults(stores.eventStore, faults) };
}

let service: Service;
let company: Company;

beforeEach(async () => {
  onViewWrite = () => Promise.resolve();
  faults.answersToLose = 0;
  service = await Service.start({ wrap, environment: { RATE_LIMIT_PMS_WRITES: '4' } });
  company = await service.company();
});
afterEach(() => service.close());

const into = (collection: string) => (writes: readonly DocumentWrite[]) =>
  writes.some((write) => write.collection === collection);

function failing(collection: string): typeof onViewWrite {
  return (writes) =>
    into(collection)(writes)
      ? Promise.reject(new StoreUnavailableError('This view is down, as the test wants it.', false))
      : Promise.resolve();
}

const keyed = (mayFail = false) => ({
  body: MOVE_IN,
  token: company.token,
  headers: { 'Idempotency-Key': 'k' },
  mayFail,
});

describe('a write of which only one view could be written', () => {
  it.each(['units', 'tenant_access'])(
    '(all but %s) is healed before a repetition is answered',
    async (view) => {
      await company.moveIn('A-1');
      onViewWrite = failing(view);
      const lockout = { body: { pms_lockout: true }, token: company.token };
      const lost = await service.call('patch', '/api/v2/units/A-1', { ...lockout, mayFail: true });
      expect(lost.status).toBe(503);
      onViewWrite = () => Promise.resolve();
      expect((await service.call('patch', '/api/v2/units/A-1', lockout)).status).toBe(200);
      expect(await company.access('A-1')).toBe('tenant_denied pms_lockout');
      expect(await company.list('state=tenant_denied')).toHaveLength(1);
      expect((await company.eventTypes()).filter((type) => type === 'UnitFactsChanged')).toHaveLength(1);
    },
  );
});

describe('a retry whose first attempt was stored', () => {
  it('is answered by what was named then, whatever it would name now', async () => {
    faults.answersToLose = 1;
    expect((await service.call('put', '/api/v2/units/A-1/tenancy', keyed(true))).status).toBe(503);
    await company.addLocation({ pms_location_code: 'SECOND' });
    const retry = await service.call('put', '/api/v2/units/A-1/tenancy', keyed());
    expect(retry.status).toBe(201);
    expect(retry.body.data).not.toHaveProperty('access');
    expect(await company.eventTypes()).toEqual(['UnitRegistered', 'TenantMovedIn']);
  });

  it('is not refused by a rule that came with an upgrade meanwhile', async () => {
    await company.moveIn('A-1');
    await company.addLocation({ pms_location_code: 'SOUTH' });
    const request = {
      ...keyed(true),
      body: { ...MOVE_IN, ledger_id: 'L-1', pms_location_code: 'SOUTH' },
    };
    const decide = UNIT.decide.bind(UNIT);
    const earlierVersion = jest.spyOn(UNIT, 'decide').mockImplementation((state, command, now) => {
      if (!('registration' in command)) return decide(state, command, now);
      const registration = { ...command.registration, on_other_location: 'warn' } as const;
      return decide(state, { ...command, registration }, now);
    });
    faults.answersToLose = 1;
    expect((await service.call('put', '/api/v2/units/A-1/tenancy', request)).status).toBe(503);
    earlierVersion.mockRestore();
    const retry = await service.call('put', '/api/v2/units/A-1/tenancy', { ...request, mayFail: false });
    expect([retry.status, retry.body.data.warnings]).toMatchObject([200, [{ code: 'location_ignored' }]]);
  });

  it('does not execute again after it was told to wait for its quota', async () => {
    faults.answersToLose = 1;
    expect((await service.call('put', '/api/v2/units/A-1/tenancy', keyed(true))).status).toBe(503);
    await waitUntil(
      () => {
        // The catch-up looks at an event a second after it came.
        service.manualClock.advance(1_000);
        return company.push('get', '/units/A-1');
      },
      ({ status }) => status === 200,
    );
    for (let taken = 2; taken <= 4; taken += 1) await company.moveOut('A-1');
    expect((await service.call('put', '/api/v2/units/A-1/tenancy', keyed())).status).toBe(429);
    service.manualClock.advance(60_000);
    expect((await service.call('put', '/api/v2/units/A-1/tenancy', keyed())).status).toBe(201);
    expect(await company.access('A-1')).toBe('vacant');
    expect((await company.eventTypes()).filter((type) => type === 'TenantMovedIn')).toHaveLength(1);
  });

  it('does not bring a person back who was erased after it', async () => {
    const tenant = { pms_tenant_id: 't-9', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
    const entry = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant };
    await company.sync([entry]);
    const { unit_id } = await company.unit('A-1');
    const path = `/units/${unit_id}`;
    const { tenant_id } = demand(200, await service.operator('get', path)).tenant;
    const changed = { ...entry, balance_due: 5 };
    faults.answersToLose = 1;
    const request = { body: { units: [changed] }, token: company.token, headers: { 'Idempotency-Key': 'b' } };
    expect((await service.call('patch', '/api/v2/units', { ...request, mayFail: true })).status).toBe(503);
    service.manualClock.advance(1000);
    demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
    service.manualClock.advance(1000);
    expect((await service.call('patch', '/api/v2/units', request)).status).toBe(200);
    expect(demand(200, await service.operator('get', path)).tenant).toMatchObject({
      name: null,
      phone: null,
    });
    expect((await company.unit('A-1')).facts.balance_due).toBe(5);
  });
});

describe('a list by state', () => {
  it('waits for a sweep that another reader has begun', async () => {
    await company.moveIn('A-1');
    await company.patch('A-1', { balance_due: 5, paid_through_date: '2026-01-01' });
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld!: () => void;
    const holding = new Promise<void>((resolve) => (isHeld = resolve));
    onViewWrite = async (writes) => {
      if (!into('tenant_access')(writes)) return;
      isHeld();
      await held;
    };
    service.manualClock.advance(30 * 24 * 60 * 60 * 1000);
    const first = company.list('state=tenant_denied');
    await holding;
    const second = company.list('state=tenant_denied');
    release();
    expect(await first).toHaveLength(1);
    expect(await second).toHaveLength(1);
  });

  it('is right after a sweep that was cut off', async () => {
    await company.moveIn('A-1');
    await company.patch('A-1', { balance_due: 5, paid_through_date: '2026-01-01' });
    onViewWrite = failing('tenant_access');
    service.manualClock.advance(30 * 24 * 60 * 60 * 1000);
    const list = { token: company.token, mayFail: true };
    expect((await service.call('get', '/api/v2/units?state=tenant_denied', list)).status).toBe(503);
    onViewWrite = () => Promise.resolve();
    expect(await company.list('state=tenant_denied')).toHaveLength(1);
  });
});
