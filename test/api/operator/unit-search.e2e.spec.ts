import { encodeCursor } from '#kernel/cursor.js';
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

interface Renting {
  readonly code?: string;
  readonly name?: string;
  readonly more?: object;
}

/** Units that one tenant rents, in the order they were made. */
async function rents(pms_tenant_id: string, units: readonly string[], renting: Renting = {}): Promise<void> {
  const { code = 'MAIN', name, more } = renting;
  if (name !== undefined) {
    const path = `/locations/${company.locations.get(code)}/tenants`;
    demand(201, await service.operator('post', path, { pms_tenant_id, name, ...more }));
  }
  for (const unit of units) await company.moveIn(unit, { pms_tenant_id, pms_location_code: code });
}

interface Found {
  readonly units: string[];
  readonly next_cursor: string | null;
}

async function search(query: string, token?: string): Promise<Found> {
  const path = `/api/operator/units?${query}`;
  const answer = await service.call('get', path, { token: token ?? (await service.operatorToken()) });
  const { units, next_cursor } = demand(200, answer);
  return { units: units.map((one: { crm_unit_id: string }) => one.crm_unit_id), next_cursor };
}

const inCompany = async (query: string) => (await search(`company_id=${company.id}${query}`)).units;

/** All pages of a search, from a place on. */
async function pages(query: string, from?: string): Promise<string[][]> {
  const told: string[][] = [];
  for (let cursor: string | null | undefined = from; cursor !== null;) {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await search(`${query}${next}`);
    told.push(page.units);
    cursor = page.next_cursor;
  }
  return told;
}

const named = (name: string) => (_: unknown, place: number) => `${name}-${place}`;

describe('units', () => {
  it('are found by the beginning of their tenant’s name or surname, whatever case and accents, and by their own', async () => {
    await rents('T-1', ['A-1', 'A-2'], { name: 'Ada Núñez' });
    await rents('T-2', ['Nunez box'], { name: 'Grace Park' });
    await rents('T-3', ['C-1']);
    expect(await inCompany('&q=NUNEZ')).toEqual(['A-1', 'A-2', 'Nunez box']);
    expect(await inCompany('&q=ada%20n')).toEqual(['A-1', 'A-2']);
    expect(await inCompany('&q=N%C3%BA%C3%B1ez%2CAda')).toEqual(['A-1', 'A-2']);
    expect(await inCompany('&q=park')).toEqual(['Nunez box']);
    expect(await inCompany('&q=ark')).toEqual([]);
    expect(await inCompany('&q=c-1')).toEqual(['C-1']);
    expect(await inCompany('&q=box%20nun')).toEqual(['Nunez box']);
  });

  it('are found by no e-mail, phone number or PMS identifier of their tenant', async () => {
    await rents('T-1', ['A-1'], { name: 'Ada', more: { email: 'mail@example.com', phone: '+13125550100' } });
    for (const q of ['mail', '%2B1312', '1312', 'T-1']) expect(await inCompany(`&q=${q}`)).toEqual([]);
  });

  it('that are called as their tenant is are told once', async () => {
    await rents('T-1', ['Ada one', 'A-2'], { name: 'Ada' });
    await rents('T-2', ['ada two'], { name: 'Grace' });
    expect(await inCompany('&q=ada')).toEqual(['Ada one', 'A-2', 'ada two']);
  });

  it('of a tenant whom several words of the name find are told once, and by each of them', async () => {
    await rents('T-1', ['A-1', 'Ann’s'], { name: 'Ann Annabel Smith' });
    await rents('T-2', ['B-1'], { name: 'Mary Ann Smith' });
    for (const limit of [1, 500]) {
      const told = (q: string) => pages(`company_id=${company.id}&q=${q}&limit=${limit}`);
      expect((await told('ann')).flat()).toEqual(['A-1', 'Ann’s', 'B-1']);
      expect((await told('smith')).flat()).toEqual(['A-1', 'Ann’s', 'B-1']);
    }
  });

  it('are told at one location, in a state and for a reason alone', async () => {
    await rents('T-1', ['A-1', 'A-2'], { name: 'Ada' });
    await rents('T-1', ['E-1'], { name: 'Ada', code: 'EAST' });
    demand(200, await company.patch('A-2', { pms_auction: true }));
    expect(await inCompany(`&q=ada&location_id=${company.locations.get('EAST')}`)).toEqual(['E-1']);
    expect(await inCompany('&q=ada&state=auction')).toEqual(['A-2']);
    expect(await inCompany('&q=ada&reason=active')).toEqual(['A-1', 'E-1']);
    expect(await inCompany('&q=ada&state=vacant')).toEqual([]);
    expect(await inCompany('&q=ada&retired=true')).toEqual([]);
  });

  it('are told no more when the tenant has moved out, is called otherwise or is erased', async () => {
    await rents('T-1', ['A-1', 'A-2'], { name: 'Ada' });
    demand(200, await company.moveOut('A-1'));
    expect(await inCompany('&q=ada')).toEqual(['A-2']);
    const listed = demand(200, await service.operator('get', `/tenants?company_id=${company.id}`));
    const path = `/tenants/${listed.tenants[0].tenant_id}`;
    demand(200, await service.operator('patch', path, { name: 'Hope' }));
    expect([await inCompany('&q=ada'), await inCompany('&q=hope')]).toEqual([[], ['A-2']]);
    demand(200, await service.operator('delete', `${path}/personal-data`));
    expect(await inCompany('&q=hope')).toEqual([]);
  });

  it.each([1, 2, 3, 500])('come in pages of %d, each once and none lost', async (limit) => {
    const many = Array.from({ length: 5 }, named('many'));
    await rents('T-1', many, { name: 'Ada First' });
    await rents('T-2', ['ada-own', 'second'], { name: 'Ada Second' });
    await rents('T-3', ['other', 'of ada'], { name: 'Grace' });
    await rents('T-4', ['third'], { name: 'Zoe Ada' });
    const told = await pages(`company_id=${company.id}&q=ada&limit=${limit}`);
    expect(told.flat().toSorted()).toEqual([...many, 'ada-own', 'second', 'third', 'of ada'].toSorted());
    for (const page of told) expect(page.length).toBeLessThanOrEqual(limit);
  });

  it('of more tenants than are found at once are all told, and once, while the first of them move out', async () => {
    const tenants = Array.from({ length: 45 }, named('tenant'));
    for (const [place, one] of tenants.entries()) {
      await rents(one, [`U-${place}`], { name: `Ada ${String(place).padStart(2, '0')}` });
    }
    const query = `company_id=${company.id}&q=ada&limit=30`;
    const first = await search(query);
    expect(first.units).toEqual(tenants.slice(0, 30).map(named('U')));
    demand(200, await company.moveOut('U-0'));
    demand(200, await company.moveOut('U-29'));
    const rest = await pages(query, first.next_cursor!);
    expect(rest.flat()).toEqual(tenants.map(named('U')).slice(30));
  });

  it('of other companies are told by no cursor, and none of another search goes on', async () => {
    await rents('T-1', ['A-1', 'A-2'], { name: 'Ada' });
    const { next_cursor } = await search(`company_id=${company.id}&q=ada&limit=1`);
    const cursor = encodeURIComponent(next_cursor!);
    const theirs = await service.company();
    for (const query of [`company_id=${theirs.id}&q=ada`, `company_id=${company.id}&q=adam`, 'q=ada', '']) {
      const answer = await service.operator('get', `/units?${query}&cursor=${cursor}`);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['cursor']]);
    }
  });

  it('of another company are told by no place that somebody makes up', async () => {
    await rents('T-1', ['A-1'], { name: 'Ada' });
    const listed = demand(200, await service.operator('get', `/tenants?company_id=${company.id}`));
    const waiting = listed.tenants.map(({ tenant_id }: { tenant_id: string }) => tenant_id);
    const cursorOf = (company_id: string, place: object) =>
      encodeCursor({ tenants: place }, ['found units', { company_id }, 'ada']);
    const place = { waiting, behind: '', search: null };
    const theirs = await service.company();
    expect(
      (await search(`company_id=${company.id}&q=ada&cursor=${cursorOf(company.id, place)}`)).units,
    ).toEqual(['A-1']);
    expect(
      (await search(`company_id=${theirs.id}&q=ada&cursor=${cursorOf(theirs.id, place)}`)).units,
    ).toEqual([]);
    for (const broken of [{}, { ...place, waiting: [] }, { ...place, waiting: [1] }]) {
      const cursor = cursorOf(company.id, broken);
      const answer = await service.operator('get', `/units?company_id=${company.id}&q=ada&cursor=${cursor}`);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['cursor']]);
    }
  });
});
