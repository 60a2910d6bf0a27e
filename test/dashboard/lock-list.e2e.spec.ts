import { Conditions } from '#domain/locks/index.js';
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
  it('are told a hundred at a time, beside the other lists of the page', async () => {
    const other = await service.company({ pms_location_code: 'MANY' });
    const path = `/locations/${other.locations.get('MANY')}`;
    for (let number = 0; number < 101; number += 1)
      demand(201, await service.operator('post', `${path}/locks`, { name: `Latch ${number}` }));
    demand(201, await service.operator('post', `${path}/zones`, { name: 'Building Z' }));
    const charges = jest.spyOn(service.part(Conditions), 'batteriesOf');
    await admin.visit(`/dashboard${path}/equipment`);
    // Units and charges are read of the locks that are shown.
    expect(charges.mock.calls.map(([lock_ids]) => lock_ids.length)).toEqual([100]);
    charges.mockRestore();
    expect(admin.text).toContain('Latch 99 ');
    expect(admin.text).not.toContain('Latch 100 ');
    await admin.visit(admin.links.find((href) => href.includes('locks='))!);
    expect(admin.text).toContain('Latch 100 ');
    expect(admin.text).not.toContain('Latch 99 ');
    expect(admin.text).toContain('Building Z');
    expect(admin.links.filter((href) => href.includes('locks='))).toEqual([]);
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
    expect(bySerial).toMatch(/#locks$/);
    expect(await listed('?sort=-serial')).toEqual(['Latch 9', 'Bolt', 'Latch 10']);
    const csv = await admin.visit(`/dashboard${path}/locks.csv?q=latch&sort=serial`);
    const [head, ...lines] = csv.html.trimEnd().split('\r\n');
    expect(head).toBe('lock_id,name,serial,unit_id,battery_percent,battery_reported_at');
    expect(lines.map((line) => line.split(',')[1])).toEqual(['Latch 10', 'Latch 9']);
  });
});
