import { AppendFaults, withAppendFaults } from '../../support/faulty-event-store.js';
import { type Company, demand, embeddedStores, Service, type StoresFactory } from '../../support/service.js';
import { withMembers } from '../../support/with-members.js';

/** Every write is settled by itself, as on servers. */
const stores: StoresFactory = {
  ...embeddedStores,
  async open(folder, clock) {
    return { ...(await embeddedStores.open(folder, clock)), embedded: false };
  },
};

const PERSON = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550111' };
const ENTRY = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant: PERSON };

describe('a new person, where no write commits with another,', () => {
  let service: Service;
  let company: Company;
  const faults = new AppendFaults();

  beforeEach(async () => {
    Object.assign(faults, new AppendFaults());
    const wrap: (opened: Awaited<ReturnType<typeof stores.open>>) => typeof opened = (opened) =>
      withMembers(opened, { eventStore: withAppendFaults(opened.eventStore, faults) });
    service = await Service.start({ stores, wrap });
    company = await service.company();
  });
  afterEach(() => service.close());

  const push = (key: string) =>
    service.call('patch', '/api/v2/units', {
      body: { units: [ENTRY] },
      token: company.token,
      headers: { 'Idempotency-Key': key },
      mayFail: true,
    });
  const logIn = async () => {
    const body = { country_code: '1', phone_number: '3125550111' };
    return (await service.call('post', '/api/v2/auth/phone', { body })).status;
  };
  const create = () => {
    const { pms_tenant_id, phone } = PERSON;
    const path = `/locations/${company.locations.get('MAIN')}/tenants`;
    return service.operator('post', path, { pms_tenant_id, name: 'Ada Park', phone });
  };

  it('is nobody after a write that stored no event: no login finds them, and an operator may add them', async () => {
    faults.refusals = 1;
    expect((await push('k-1')).status).toBe(503);
    expect(await company.unitEvents()).toEqual([]);
    expect(await logIn()).toBe(422);
    demand(201, await create());
    expect(await logIn()).toBe(200);
  });

  it('is somebody once the events stand, also where the answer to them was lost and the write is repeated', async () => {
    faults.answersToLose = 1;
    expect((await push('k-1')).status).toBe(503);
    expect(await company.eventTypes()).toContain('TenantMovedIn');
    demand(200, await push('k-1'));
    expect(await logIn()).toBe(200);
    expect((await create()).status).toBe(422);
  });
});
