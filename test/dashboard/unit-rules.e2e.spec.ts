import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
  company = await service.company();
  const owing = { balance_due: 102, paid_through_date: '2025-10-31' };
  const rented = { occupied: true, move_in_date: '2025-06-01', pms_tenant_id: 'T-1' };
  demand(
    200,
    await company.sync([
      { ...rented, ...owing, crm_unit_id: 'A-1', pms_lockout: true },
      { crm_unit_id: 'A-2', occupied: false },
      { ...rented, crm_unit_id: 'A-3', pms_tenant_id: 'T-3' },
      { ...rented, ...owing, crm_unit_id: 'A-4', pms_tenant_id: 'T-4', pms_auction: true },
    ]),
  );
});
afterAll(() => service.close());

const visitUnit = async (name: string) =>
  admin.visit(`/dashboard/units/${(await company.unit(name)).unit_id}`);
/** Class, rule, what was looked at, and whether the rule holds. */
const rules = () =>
  [...admin.html.matchAll(/<tr class="([^"]*)"><td class="off">\d+<\/td>(.*?)<\/tr>/gs)].map(
    ([, kind, row]) => [
      kind,
      ...[...row!.matchAll(/<(?:th|td)[^>]*>(.*?)<\/(?:th|td)>/gs)].map(([, cell]) =>
        cell!.replace(/<[^>]*>/g, ''),
      ),
    ],
  );

describe('the rules on the page of a unit', () => {
  it('that come after the deciding one are not reached', async () => {
    await visitUnit('A-2');
    const later = rules().filter(([kind]) => kind === 'later');
    expect(later).not.toEqual([]);
    for (const [, , ...cells] of later) expect(cells).toEqual(['not reached', 'none']);
  });

  it('that come after the deciding one and hold are named with what they looked at', async () => {
    await visitUnit('A-1');
    const [pastDue] = rules().filter(([, name]) => name === 'Past due');
    expect(pastDue).toEqual(['later', 'Past due', expect.stringContaining('$102.00'), 'Yes, too']);
  });

  it.each([
    ['A-1', 'bad'],
    ['A-2', 'idle'],
    ['A-3', 'good'],
  ])('mark what the deciding one does to a tenant of %s', async (name, effect) => {
    await visitUnit(name);
    expect(rules().map(([kind]) => kind)).toContain(`decides ${effect}`);
  });
});

describe('the people of a unit', () => {
  it.each([
    ['A-2', 'is vacant', true],
    ['A-3', 'is rented', false],
    ['A-4', 'is in auction', true],
  ])('of %s, which %s, get a pass offered: %s', async (name, _, isOffered) => {
    await visitUnit(name);
    expect(admin.text.includes('Give a pass')).toBe(isOffered);
  });
});
