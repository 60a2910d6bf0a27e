import { Conditions } from '#domain/locks/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

describe('the locks of a location', () => {
  it('are listed a hundred at a time', async () => {
    const other = await service.company({ pms_location_code: 'MANY' });
    const path = `/locations/${other.locations.get('MANY')}`;
    for (let number = 0; number < 101; number += 1)
      demand(201, await service.operator('post', `${path}/locks`, { name: `Latch ${number}` }));
    const charges = jest.spyOn(service.part(Conditions), 'lastReportsOf');
    await admin.visit(`/dashboard${path}/equipment`);
    // What apps reported decides the order, and is read once for all.
    expect(charges.mock.calls.map(([lock_ids]) => lock_ids.length)).toEqual([101]);
    charges.mockRestore();
    expect(admin.text).toContain('Latch 99 ');
    expect(admin.text).not.toContain('Latch 100 ');
    await admin.visit(admin.links.find((href) => href.includes('locks='))!);
    expect(admin.text).toContain('Latch 100 ');
    expect(admin.text).not.toContain('Latch 99 ');
    expect(admin.links.filter((href) => href.includes('locks=') && !href.includes('peek='))).toEqual([]);
  });

  it('are found by name or serial number, and sorted by a click', async () => {
    const other = await service.company({ pms_location_code: 'SORT' });
    const path = `/locations/${other.locations.get('SORT')}`;
    for (const [name, serial] of [
      ['Latch 10', 'A-7'],
      ['Latch 9', 'B-1'],
      ['Bolt', 'A-9'],
    ])
      demand(201, await service.operator('post', `${path}/locks`, { name, serial }));
    const listed = async (query: string) => {
      await admin.visit(`/dashboard${path}/equipment${query}`);
      return admin.text.match(/Latch \d+|Bolt/g) ?? [];
    };
    expect(await listed('')).toEqual(['Bolt', 'Latch 9', 'Latch 10']);
    const [bySerial] = admin.links.filter((href) => href.includes('sort=serial'));
    expect(await listed('?q=latch')).toEqual(['Latch 9', 'Latch 10']);
    expect(await listed('?q=a-9')).toEqual(['Bolt']);
    expect(await listed('?q=gone')).toEqual([]);
    expect(admin.text).toContain('No match.');
    expect(bySerial).toBeDefined();
    expect(await listed('?sort=-serial')).toEqual(['Latch 9', 'Bolt', 'Latch 10']);
    const csv = await admin.visit(`/dashboard${path}/locks.csv?q=latch&sort=serial`);
    const [head, ...lines] = csv.html.trimEnd().split('\r\n');
    expect(head).toBe('lock_id,name,serial,unit_id,battery_percent,battery_reported_at,last_report_at,state');
    expect(lines.map((line) => line.split(',')[1])).toEqual(['Latch 10', 'Latch 9']);
  });

  it('are listed by what needs somebody first: a low battery, a day of silence, then spare ones', async () => {
    const company = await service.company({ pms_location_code: 'NEED' });
    const path = `/locations/${company.locations.get('NEED')}`;
    const locks = new Map<string, string>();
    for (const name of ['Aft', 'Bow', 'Cab', 'Dock']) {
      const { lock_id } = demand(201, await service.operator('post', `${path}/locks`, { name }));
      locks.set(name, lock_id);
    }
    for (const [unit, name] of [
      ['U-1', 'Bow'],
      ['U-2', 'Cab'],
      ['U-3', 'Dock'],
    ] as const) {
      demand(201, await company.moveIn(unit, { pms_tenant_id: `T-${unit}`, pms_location_code: 'NEED' }));
      const { unit_id } = await company.unit(unit);
      demand(200, await service.operator('put', `/units/${unit_id}/locks/${locks.get(name)}`));
    }
    const report = async (unit: string, name: string, battery_percent: number) => {
      const location_id = company.locations.get('NEED')!;
      const key = { company_id: company.id, location_id, pms_tenant_id: `T-${unit}` };
      const [account] = await service.part(TenantAccounts).find([key]);
      const { token } = await service.part(TenantSessions).begin(account!);
      const occurred_at = new Date(service.clock.now()).toISOString();
      const body = { event: 'unlock', result: 'success', occurred_at, battery_percent };
      demand(201, await service.call('post', `/api/v2/locks/${locks.get(name)}/logs`, { token, body }));
    };
    await report('U-3', 'Dock', 80);
    service.manualClock.advance(24 * 3_600_000);
    await report('U-1', 'Bow', 90);
    await report('U-2', 'Cab', 5);
    admin = await Visitor.signedIn(service);
    const listed = async (query: string) => {
      await admin.visit(`/dashboard${path}/equipment${query}`);
      const [, body] = /Locks<\/caption>.*?<tbody>(.*?)<\/tbody>/s.exec(admin.html) ?? ['', ''];
      return body.match(/(?<=>)(?:Aft|Bow|Cab|Dock)(?=<)/g) ?? [];
    };
    expect(await listed('')).toEqual(['Cab', 'Dock', 'Aft', 'Bow']);
    expect(admin.text).toContain('All 4 Battery low 1 Silent for a day 1 Spare 1');
    expect(await listed('?need=battery')).toEqual(['Cab']);
    expect(await listed('?need=silent')).toEqual(['Dock']);
    expect(await listed('?free=true')).toEqual(['Aft']);
    expect((await admin.visit(`/dashboard${path}/equipment?need=sleep`)).status).toBe(422);
    await admin.visit(`/dashboard/locks/${locks.get('Cab')}`);
    expect(admin.text).toMatch(/Cab Battery low On U-2 .*Change its battery: 5 % left, reported today /);
    await admin.visit(`/dashboard/locks/${locks.get('Dock')}`);
    expect(admin.text).toMatch(/Dock Silent for a day .*Nothing was reported since yesterday /);
  });
});

describe('the panel beside the locks', () => {
  let page: string;
  const locks: string[] = [];

  beforeAll(async () => {
    const company = await service.company({ pms_location_code: 'PEEK' });
    const path = `/locations/${company.locations.get('PEEK')}`;
    page = `/dashboard${path}/equipment`;
    for (const name of ['Aft', 'Bow', 'Cab'])
      locks.push(demand(201, await service.operator('post', `${path}/locks`, { name })).lock_id);
    demand(201, await company.moveIn('U-1', { pms_location_code: 'PEEK' }));
    const { unit_id } = await company.unit('U-1');
    const { zone_id } = demand(201, await service.operator('post', `${path}/zones`, { name: 'Hall' }));
    demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${locks[1]}`));
  });
  beforeEach(async () => {
    admin = await Visitor.signedIn(service);
  });

  const panel = () => /<aside id="peek".*<\/aside>/s.exec(admin.html)?.[0] ?? '';

  it('tells of one lock, and leads to it, to its unit and zone, and to the lock beside it in the list’s order', async () => {
    await admin.visit(`${page}?sort=name`);
    await admin.visit(admin.links.find((href) => href.endsWith(`peek=${locks[1]}`))!);
    expect(admin.html).toMatch(new RegExp(`peek=${locks[1]}"[^>]*aria-current="true"`));
    expect(panel()).toMatch(/Bow.*In service.*U-1.*Hall.*Serial number/s);
    expect(panel()).toContain(`/dashboard/locks/${locks[1]}`);
    for (const beside of [locks[0], locks[2]])
      expect(panel()).toContain(`${page}?sort=name&amp;peek=${beside}`);
  });

  it('is answered alone where a script asks for it', async () => {
    await admin.visit(`${page}?peek=${locks[0]}`, { 'HX-Request': 'true', 'HX-Target': 'peek' });
    expect(admin.html).toMatch(/^<aside id="peek"/);
    expect(admin.html).toMatch(/Aft.*Spare/s);
  });

  it.each([
    ['that does not exist', () => '01ZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['of another site', () => other],
    ['that was removed', () => removed],
  ])('is not there for a lock %s', async (_what, asked) => {
    await admin.visit(`${page}?peek=${asked()}`);
    expect([admin.shown.status, panel()]).toEqual([200, '<aside id="peek" hidden></aside>']);
  });

  let other: string;
  let removed: string;
  beforeAll(async () => {
    const far = await service.company({ pms_location_code: 'FAR' });
    const added = (path: string) => service.operator('post', `${path}/locks`, { name: 'Far' });
    other = demand(201, await added(`/locations/${far.locations.get('FAR')}`)).lock_id;
    removed = demand(201, await added(page.replace('/dashboard', '').replace('/equipment', ''))).lock_id;
    demand(200, await service.operator('delete', `/locks/${removed}`));
  });
});
