import { TENANT_ACCESS } from '#domain/access/index.js';
import { type Company, demand, Service } from '../../support/service.js';

const DAY = 24 * 60 * 60_000;
const HALF_DAY = DAY / 2;

interface Change {
  readonly crm_unit_id: string;
  readonly date: string;
  readonly at: string;
  readonly from: { readonly state: string; readonly reason: string | null };
  readonly to: { readonly state: string; readonly reason: string | null };
}

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
});

/** A local date some days from now. */
function date(days: number): string {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' });
  return local.format(service.clock.now() + days * DAY);
}

/** A facility in which much is about to change, and much is not. */
async function facility(): Promise<void> {
  const rented = (crm_unit_id: string, pms_tenant_id: string, facts: object = {}) => ({
    crm_unit_id,
    occupied: true,
    pms_tenant_id,
    move_in_date: date(-40),
    ...facts,
  });
  const owing = (days: number) => ({ balance_due: 50, paid_through_date: date(days) });
  const units = [
    rented('paid', 't-1'),
    rented('owes', 't-2', owing(3)),
    rented('owes-too', 't-2', owing(20)),
    rented('of-who-owes', 't-2'),
    rented('owes-already', 't-3', owing(-10)),
    rented('exempt', 't-4', { ...owing(2), pms_lock_exempt: true }),
    rented('of-the-exempt', 't-4'),
    rented('locked-out', 't-5', { ...owing(4), pms_lockout: true }),
    rented('comes-later', 't-6', { move_in_date: date(12) }),
    rented('comes-much-later', 't-6', { move_in_date: date(90) }),
    rented('excused', 't-7', owing(-10)),
    rented('of-the-excused', 't-7'),
    { crm_unit_id: 'vacant', occupied: false },
  ];
  demand(200, await company.sync(units));
  const { unit_id } = await company.unit('excused');
  const expires_at = new Date(service.clock.now() + 9.3 * DAY).toISOString();
  const body = { override: 'exempt', reason: 'They will pay.', expires_at };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
}

async function forecast(query = '', path = '/locations/MAIN/forecast'): Promise<Change[]> {
  const changes: Change[] = [];
  for (let cursor = ''; ;) {
    const data = demand(200, await company.push('get', `${path}?${query}${cursor}`));
    changes.push(...data.changes);
    if (data.next_cursor === null) return changes;
    cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
}

describe('a forecast', () => {
  it('is what happens if nothing is written, to the millisecond, and nothing else does', async () => {
    await facility();
    const foreseen = await forecast('days=60&limit=3');
    expect(foreseen.length).toBeGreaterThan(5);
    expect(new Set(foreseen.map(({ crm_unit_id }) => crm_unit_id)).size).toBe(6);
    const standing = new Map<string, string>();
    for (const { crm_unit_id, access } of await company.list())
      standing.set(crm_unit_id as string, JSON.stringify([access.state, access.reason]));
    const expectAll = async () => {
      for (const { crm_unit_id, access } of await company.list())
        expect([crm_unit_id, JSON.stringify([access.state, access.reason])]).toEqual([
          crm_unit_id,
          standing.get(crm_unit_id as string),
        ]);
    };
    const end = service.clock.now() + 60 * DAY;
    const instants = new Set(foreseen.map(({ at }) => Date.parse(at)));
    for (let at = service.clock.now() + HALF_DAY; at < end; at += HALF_DAY * 23) instants.add(at);
    for (const at of [...instants].sort((one, other) => one - other)) {
      service.manualClock.advance(at - 1 - service.clock.now());
      await expectAll();
      service.manualClock.advance(1);
      for (const { crm_unit_id, from, to } of foreseen.filter((one) => Date.parse(one.at) === at)) {
        expect(standing.get(crm_unit_id)).toBe(JSON.stringify([from.state, from.reason]));
        standing.set(crm_unit_id, JSON.stringify([to.state, to.reason]));
      }
      await expectAll();
    }
  });

  it('counts by local date what it tells one by one, and looks no further than it is asked to', async () => {
    await facility();
    const whole = demand(200, await company.push('get', '/locations/MAIN/forecast?days=60&limit=500'));
    const short = await forecast('days=12');
    expect(short).toEqual((whole.changes as Change[]).filter((change) => change.date <= date(12)));
    const dates = new Map<string, number>();
    for (const { date: day } of whole.changes as Change[]) dates.set(day, (dates.get(day) ?? 0) + 1);
    expect(whole.dates.map((one: { date: string; changes: number }) => [one.date, one.changes])).toEqual([
      ...dates,
    ]);
    expect(whole.dates).toContainEqual({ date: date(9), changes: 3, denied: 3, permitted: 0 });
  });

  it('is the same for operators, and another company’s location is not there', async () => {
    await facility();
    const path = `/locations/${company.locations.get('MAIN')}/forecast?days=30`;
    const told = demand(200, await service.operator('get', path));
    expect(told.changes).toEqual(await forecast('days=30'));
    const other = await service.company({ pms_location_code: 'OTHER' });
    const answer = await other.push('get', '/locations/MAIN/forecast');
    expect([answer.status, answer.body.code]).toEqual([404, 'location_not_found']);
    expect(answer.body.hint).toContain('it takes a pms_location_code');
    expect((await company.push('get', '/locations/MAIN/forecast?days=61')).status).toBe(422);
    expect((await company.push('get', '/locations/MAIN/forecast?cursor=e30')).status).toBe(422);
  });

  it('reads each tenant of the location once, a hundred at a time, and names of the page alone', async () => {
    const units = Array.from({ length: 250 }, (_, number) => ({
      crm_unit_id: `U-${number}`,
      occupied: true,
      pms_tenant_id: `t-${number}`,
      move_in_date: date(-1),
      balance_due: 50,
      paid_through_date: date(3),
    }));
    demand(200, await company.sync(units));
    const { views } = service.stores;
    const open = views.collection.bind(views);
    let pages = 0;
    const opened = jest.spyOn(views, 'collection').mockImplementation(async (declaration) => {
      const collection = await open(declaration);
      if (declaration.name !== TENANT_ACCESS.name) return collection;
      const find: typeof collection.find = (...given) => {
        pages += 1;
        return collection.find(...given);
      };
      return { find } as never;
    });
    const path = '/locations/MAIN/forecast?days=30&limit=20';
    const told = demand(200, await company.push('get', path));
    opened.mockRestore();
    expect(told.dates).toEqual([{ date: date(9), changes: 250, denied: 250, permitted: 0 }]);
    expect(pages).toBe(3);
  });
});
