import { TENANT_ACCOUNTS, type TenantAccount } from '#domain/tenants/tenant-account.js';
import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company({ pms_location_code: 'MAIN' }, { pms_location_code: 'EAST' });
});

const PASSWORD = 'a password for tests';

async function tenant(
  pms_tenant_id: string,
  name: string,
  more: object = {},
  code = 'MAIN',
): Promise<string> {
  const path = `/locations/${company.locations.get(code)}/tenants`;
  return demand(201, await service.operator('post', path, { pms_tenant_id, name, ...more })).tenant_id;
}

async function search(
  query: string,
  token?: string,
): Promise<{ names: string[]; next_cursor: string | null }> {
  const path = `/api/operator/tenants?${query}`;
  const answer = await service.call('get', path, { token: token ?? (await service.operatorToken()) });
  const { tenants, next_cursor } = demand(200, answer);
  return { names: tenants.map((one: TenantAccount) => one.name ?? one.pms_tenant_id), next_cursor };
}

const inCompany = async (query: string) => (await search(`company_id=${company.id}${query}`)).names;

describe('tenants', () => {
  it('are found by the beginnings of what is known of them, each once', async () => {
    const phone = '+13125550100';
    const tenant_id = await tenant('park', 'Park Parker', { email: 'park@example.com', phone });
    await tenant('T-2', 'Ada Núñez', { email: 'nunez@example.com' });
    await company.moveIn('A-1', { pms_tenant_id: 'T-3', pms_location_code: 'MAIN' });
    expect(await inCompany('&q=park')).toEqual(['Park Parker']);
    expect(await inCompany('&q=NUNEZ')).toEqual(['Ada Núñez']);
    expect(await inCompany(`&q=${encodeURIComponent('+1 312')}`)).toEqual(['Park Parker']);
    expect(await inCompany('&q=T-3')).toEqual(['T-3']);
    expect(await inCompany('&q=T-')).toEqual([]);
    expect(await inCompany('&q=arker')).toEqual([]);
    expect(await inCompany('')).toEqual(['Park Parker', 'Ada Núñez', 'T-3']);
    const listed = demand(200, await service.operator('get', `/tenants?company_id=${company.id}&q=parker`));
    expect(listed.tenants).toEqual([
      {
        tenant_id,
        pms_tenant_id: 'park',
        company_id: company.id,
        location_id: company.locations.get('MAIN'),
        name: 'Park Parker',
        email: 'park@example.com',
        phone,
        created_at: expect.any(String),
        erased_at: null,
      },
    ]);
  });

  it('are found by every word of the name, and by none once it is erased', async () => {
    await tenant('T-1', 'Ann Annabel Smith', { email: 'ann@example.com' });
    const mary = { pms_tenant_id: 'T-2', first_name: 'Mary Ann', last_name: 'Smith' };
    const person = { ...mary, email: 'mary@example.com', phone: '+13125550100' };
    const rented = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant: person };
    expect(demand(200, await company.sync([{ ...rented, pms_location_code: 'MAIN' }])).created).toBe(1);
    const tenant_id = await tenant('T-3', 'Jan van der Berg');
    expect(await inCompany('&q=ann')).toEqual(['Ann Annabel Smith', 'Mary Ann Smith']);
    expect(await inCompany('&q=smith')).toEqual(['Ann Annabel Smith', 'Mary Ann Smith']);
    for (const q of ['berg', 'der%20b']) expect(await inCompany(`&q=${q}`)).toEqual(['Jan van der Berg']);
    demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
    for (const q of ['berg', 'der%20b']) expect(await inCompany(`&q=${q}`)).toEqual([]);
  });

  it('are found at one location alone, and by a name that changed by the new one only', async () => {
    await tenant('T-1', 'Grace Main');
    const tenant_id = await tenant('T-1', 'Grace East', {}, 'EAST');
    const location_id = company.locations.get('EAST');
    expect((await search(`location_id=${location_id}&q=grace`)).names).toEqual(['Grace East']);
    expect((await search(`location_id=${location_id}`)).names).toEqual(['Grace East']);
    await service.operator('patch', `/tenants/${tenant_id}`, { name: 'Hope East' });
    expect([await inCompany('&q=grace'), await inCompany('&q=hope')]).toEqual([
      ['Grace Main'],
      ['Hope East'],
    ]);
  });

  it('are found no more by what was erased, only by the PMS’s identifier', async () => {
    const tenant_id = await tenant('T-9', 'Ada Park', { email: 'ada@example.com', phone: '+13125550111' });
    demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
    for (const q of ['ada', 'park', 'ada@example.com', '%2B13125550111'])
      expect(await inCompany(`&q=${q}`)).toEqual([]);
    expect(await inCompany('&q=T-9')).toEqual(['T-9']);
    const kept = await (
      await service.stores.records.collection(TENANT_ACCOUNTS)
    ).findAny('tenant_id', [tenant_id]);
    // Identifiers are in capitals, and now and then spell a name.
    expect(JSON.stringify(kept)).not.toMatch(/Ada|ada|Park|park|3125550111/);
  });

  it('come in pages, which hold while others are added', async () => {
    for (let number = 0; number < 7; number += 1) await tenant(`P-${number}`, `Page ${number} Page`);
    const told: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 20; pages += 1) {
      const page = await search(`company_id=${company.id}&q=page&limit=2${cursor}`);
      told.push(...page.names);
      if (pages === 0) await tenant('P-7', 'Aaron');
      if (page.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(told).toEqual([0, 1, 2, 3, 4, 5, 6].map((number) => `Page ${number} Page`));
  });

  it('are those of the operator’s companies alone, whatever is named and with whatever cursor', async () => {
    const mine = company;
    await tenant('T-1', 'Ada Mine');
    await tenant('T-2', 'Ada Mine Too');
    const { next_cursor } = await search(`company_id=${mine.id}&q=ada&limit=1`);
    company = await service.company();
    await tenant('T-1', 'Ada Theirs');
    const body = {
      email: `${company.id}@example.com`,
      password: PASSWORD,
      role: 'auditor',
      companies: [company.id],
    };
    await service.addOperator(body);
    const session = await service.call('post', '/api/operator/sessions', {
      body: { email: body.email, password: PASSWORD },
    });
    const { token } = demand(201, session);
    expect((await search('q=ada', token)).names).toEqual(['Ada Theirs']);
    expect((await search('', token)).names).toEqual(['Ada Theirs']);
    const call = (query: string) => service.call('get', `/api/operator/tenants?${query}`, { token });
    expect((await call(`company_id=${mine.id}&q=ada`)).status).toBe(404);
    expect((await call(`location_id=${mine.locations.get('MAIN')}&q=ada`)).status).toBe(404);
    expect((await call(`q=ada&cursor=${next_cursor}`)).status).toBe(422);
    const everywhere = (await search('q=ada&limit=500')).names;
    expect(everywhere).toEqual(expect.arrayContaining(['Ada Mine', 'Ada Theirs']));
  });
});
