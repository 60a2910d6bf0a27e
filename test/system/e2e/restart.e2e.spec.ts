import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';

const DAY = 24 * 60 * 60 * 1000;

/** Set while writes to the views are to fail: the process "dies" between append and projection. */
let viewsAreDown = false;

function withFailingViews(stores: Stores): Stores {
  const { views } = stores;
  const write: DocumentStore['write'] = (writes) =>
    viewsAreDown
      ? Promise.reject(new StoreUnavailableError('The views are down, as the test wants it.', false))
      : views.write(writes);
  return { ...stores, views: withMembers(views, { write }) };
}

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start({ wrap: withFailingViews });
});
afterAll(() => service.close());
beforeEach(async () => {
  viewsAreDown = false;
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
});

/** A small facility in which every kind of event has happened. */
async function live(): Promise<void> {
  await company.addLocation({ pms_location_code: 'FAR', grace_period_days: 0 });
  const rented = (crm_unit_id: string, more: object = {}) => ({
    crm_unit_id,
    occupied: true,
    pms_tenant_id: 't-1',
    move_in_date: '2025-12-01',
    pms_location_code: 'MAIN',
    ...more,
  });
  const tenant = { pms_tenant_id: 't-2', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  await company.sync([
    rented('A-1', { balance_due: 5, paid_through_date: '2025-12-30' }),
    rented('A/2 🔑', { pms_status_raw: 'x' }),
    rented('A-3', { pms_tenant_id: undefined, tenant }),
    rented('F-1', { pms_location_code: 'FAR', balance_due: 1, paid_through_date: '2025-12-30' }),
    { crm_unit_id: 'V-1', occupied: false, pms_unrentable: true, pms_location_code: 'FAR' },
  ]);
  const { unit_id } = await company.unit('A/2 🔑');
  const main = `/locations/${company.locations.get('MAIN')}`;
  const { lock_id } = demand(201, await service.operator('post', `${main}/locks`, { name: 'Door' }));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const { zone_id } = demand(201, await service.operator('post', `${main}/zones`, { name: 'North' }));
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const other = demand(200, await service.operator('get', `/units/${(await company.unit('A-3')).unit_id}`));
  demand(200, await service.operator('put', `/units/${unit_id}/shares/${other.tenant.tenant_id}`));
  const ends = { override: 'exempt', reason: 'r', expires_at: '2026-01-02T00:00:00.000Z' };
  demand(200, await service.operator('put', `/units/${other.unit_id}/override`, ends));
  demand(200, await service.operator('patch', `/units/${unit_id}/name`, { unit_name: 'Corner' }));
  demand(200, await service.operator('patch', main, { grace_period_days: 7, balance_threshold: 1 }));
  await company.moveIn('M-1', { pms_location_code: 'MAIN' });
  await company.moveOut('M-1');
  await company.moveIn('M-2', { pms_location_code: 'MAIN' });
  await company.moveIn('M-2', { pms_tenant_id: 't-9' });
  demand(201, await service.operator('post', `${main}/units`, { crm_unit_id: 'S-1' }));
}

/** Everything that reads of units, alone and in lists, answer. */
async function everything(): Promise<unknown> {
  const listed = await company.list('limit=2');
  const states = ['vacant', 'tenant_permitted', 'tenant_denied', 'auction', 'unrentable'];
  return {
    listed,
    states: await Promise.all(states.map((state) => company.list(`state=${state}`))),
    locations: await Promise.all(['MAIN', 'FAR'].map((code) => company.list(`pms_location_code=${code}`))),
    alone: await Promise.all(listed.map((unit) => company.unit(unit.crm_unit_id))),
    operators: await Promise.all(
      listed.map(async ({ unit_id }) => {
        const unit = demand(200, await service.operator('get', `/units/${unit_id}`));
        // It comes from a count that is made now and then.
        delete unit.locked_out_since;
        return unit;
      }),
    ),
    company: (await service.operator('get', `/companies/${company.id}`)).body,
  };
}

describe('a restart', () => {
  it('answers as before', async () => {
    await live();
    const before = await everything();
    await service.restart();
    expect(await everything()).toEqual(before);
  });

  it('without views makes them again from the log, the same', async () => {
    await live();
    const before = await everything();
    await service.restart({ keepViews: false });
    expect(await everything()).toEqual(before);
    expect((await company.moveIn('A-1')).status).toBe(200);
  });

  it('without views, days later, answers as a service that ran all the time', async () => {
    await live();
    service.manualClock.advance(10 * DAY);
    const before = await everything();
    await service.restart({ keepViews: false });
    expect(await everything()).toEqual(before);
  });

  it('without views keeps more units than one batch of the catch-up holds', async () => {
    for (let round = 0; round < 2; round += 1) {
      const units = Array.from({ length: 300 }, (_, number) => ({
        crm_unit_id: `U-${round}-${number}`,
        occupied: true,
        pms_tenant_id: `t-${number % 50}`,
        move_in_date: '2025-12-01',
      }));
      demand(200, await company.sync(units));
    }
    const before = await company.list('limit=500');
    await service.restart({ keepViews: false });
    expect(await company.list('limit=500')).toEqual(before);
    expect(before).toHaveLength(600);
  });
});

describe('a crash between append and views', () => {
  it('is told as 503, and healed at the next start', async () => {
    await company.moveIn('A-1');
    viewsAreDown = true;
    const debt = { balance_due: 5, paid_through_date: '2025-12-01' };
    const path = '/api/v2/units/A-1';
    const answer = await service.call('patch', path, { body: debt, token: company.token, mayFail: true });
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
      { code: 'store_unavailable', message: 'Service unavailable.' },
    ]);
    const { location_id, unit_id } = (await company.unitEvents())[0]!.data;
    const created = {
      crm_unit_id: 'A-2',
      ...debt,
      pms_tenant_id: 't-1',
      move_in_date: '2025-12-01',
      occupied: true,
    };
    const bulk = { body: { units: [created] }, token: company.token, mayFail: true };
    expect((await service.call('patch', '/api/v2/units', bulk)).status).toBe(503);
    viewsAreDown = false;
    await service.restart();
    expect((await company.unit('A-1')).facts).toMatchObject(debt);
    expect(
      (await company.list('state=tenant_denied')).map((unit) => [unit.crm_unit_id, unit.access.reason]),
    ).toEqual([
      ['A-1', 'delinquent'],
      ['A-2', 'delinquent'],
    ]);
    expect([location_id, unit_id]).toEqual([
      company.locations.get('MAIN'),
      (await company.unit('A-1')).unit_id,
    ]);
  });

  it('is healed by the retry as well', async () => {
    await company.moveIn('A-1');
    viewsAreDown = true;
    const key = { 'Idempotency-Key': 'k-1' };
    const write = { body: { pms_lockout: true }, token: company.token, headers: key };
    const lost = await service.call('patch', '/api/v2/units/A-1', { ...write, mayFail: true });
    expect(lost.status).toBe(503);
    viewsAreDown = false;
    expect((await service.call('patch', '/api/v2/units/A-1', write)).status).toBe(200);
    expect(await company.access('A-1')).toBe('tenant_denied pms_lockout');
    expect(await company.list('state=tenant_denied')).toHaveLength(1);
    expect(await company.eventTypes()).toEqual(['UnitRegistered', 'TenantMovedIn', 'UnitFactsChanged']);
  });
});
