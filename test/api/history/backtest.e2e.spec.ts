import { UnitRecordReader } from '#domain/history/unit-record.reader.js';
import { LockoutRounds } from '#domain/history/lockouts/lockout-rounds.js';
import { Announcer } from '#domain/announcements/index.js';
import { encodeCursor } from '#kernel/cursor.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { type Company, demand, Service } from '../../support/service.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

interface Told {
  readonly crm_unit_id: string;
  readonly tenant_id: string | null;
  readonly effect: 'denied' | 'spared';
  readonly from: string;
  readonly until: string | null;
}

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await openCompany('WAS');
});

const openCompany = (...codes: readonly string[]): Promise<Company> =>
  service.company(...codes.map((pms_location_code) => ({ pms_location_code, timezone: 'America/Chicago' })));

const UNITS = ['owes', 'paid', 'moves', 'locked'] as const;

function date(days: number): string {
  return new Date(service.clock.now() + days * DAY).toISOString().slice(0, 10);
}

/** The same writes at each location of a company, on the day they are due. */
async function write(to: Company, day: number): Promise<void> {
  for (const code of to.locations.keys()) {
    const at = { pms_location_code: code, move_in_date: date(0) };
    const unit = (name: string, facts: object) => ({ crm_unit_id: `${code} ${name}`, ...facts });
    const plans: Readonly<Record<number, object[]>> = {
      1: [
        unit('owes', {
          occupied: true,
          pms_tenant_id: 't-1',
          ...at,
          balance_due: 30,
          paid_through_date: date(0),
        }),
        unit('paid', { occupied: true, pms_tenant_id: 't-1', ...at }),
        unit('moves', { occupied: true, pms_tenant_id: 't-2', ...at }),
        unit('locked', { occupied: true, pms_tenant_id: 't-3', ...at, pms_lockout: true }),
      ],
      14: [unit('moves', { occupied: false })],
      16: [unit('owes', { occupied: true, pms_tenant_id: 't-1', ...at, balance_due: 0 })],
      20: [
        unit('moves', {
          occupied: true,
          pms_tenant_id: 't-4',
          ...at,
          balance_due: 9,
          paid_through_date: date(-2),
        }),
      ],
      24: [
        unit('owes', {
          occupied: true,
          pms_tenant_id: 't-1',
          ...at,
          balance_due: 80,
          paid_through_date: date(0),
        }),
      ],
    };
    const units = plans[day];
    if (units !== undefined) expect(demand(200, await to.sync(units)).errors).toEqual([]);
  }
}

interface Totals {
  readonly complete: boolean;
  readonly units: number;
  readonly changes: number;
}

/** All pages: the changes of each, and the totals of the first. */
async function backtest(of: Company, body: object, query = '') {
  const pages: Told[][] = [];
  let totals: Totals | undefined;
  for (let cursor = ''; ;) {
    const path = `/locations/${of.locations.get('WAS')}/policy-backtest?${query}${cursor}`;
    const data = demand(200, await service.operator('post', path, body));
    expect(data.totals === null).toBe(totals !== undefined);
    totals ??= data.totals as Totals;
    pages.push(data.changes);
    if (data.next_cursor === null) return { changes: pages.flat(), pages, totals };
    cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
}

const POLICIES: readonly (readonly [string, object])[] = [
  ['stricter', { grace_period_days: 0 }],
  ['milder', { grace_period_days: 10, balance_threshold: 40 }],
  ['without blanket delinquency', { blanket_delinquency: false }],
  ['of flags alone', { delinquency_mode: 'pms_flag_only' }],
];

describe('a backtest of a policy', () => {
  describe('that other places really had', () => {
    let places: Company;
    /** Which units were open at each look, under what they are called in the bulks. */
    const looks: { readonly at: number; readonly open: ReadonlyMap<string, boolean> }[] = [];
    beforeAll(async () => {
      places = await openCompany('WAS', ...POLICIES.map(([name]) => name));
      for (const [name, policy] of POLICIES) {
        demand(200, await service.operator('patch', `/locations/${places.locations.get(name)}`, policy));
      }
      for (let hours = 0; hours < 40 * 24; hours += 12) {
        if (hours % 24 === 12) await write(places, hours / 24 - 0.5);
        const open = new Map<string, boolean>();
        for (const { crm_unit_id, access } of await places.list()) {
          open.set(crm_unit_id as string, access.state === 'tenant_permitted');
        }
        looks.push({ at: service.clock.now(), open });
        service.manualClock.advance(12 * HOUR);
      }
    });

    it.each(POLICIES)('%s tells what such a place did otherwise', async (name, policy) => {
      const { changes, pages, totals } = await backtest(places, { policy, days: 60 }, 'limit=1');
      expect(totals).toMatchObject({ complete: true, units: UNITS.length, changes: changes.length });
      expect(pages.map((page) => page.length)).toEqual(changes.map(() => 1));
      const unitsWith = (wanted: string) =>
        new Set(changes.filter(({ effect }) => effect === wanted).map(({ crm_unit_id }) => crm_unit_id)).size;
      expect(totals).toMatchObject({ units_denied: unitsWith('denied'), units_spared: unitsWith('spared') });
      for (const { at, open } of looks) {
        for (const unit of UNITS) {
          const [was, would] = [open.get(`WAS ${unit}`), open.get(`${name} ${unit}`)];
          if (was === undefined) continue;
          const told = changes.filter(
            (one) =>
              one.crm_unit_id === `WAS ${unit}` &&
              Date.parse(one.from) <= at &&
              (one.until === null || at < Date.parse(one.until)),
          );
          const instant = new Date(at).toISOString();
          expect([unit, instant, told.map(({ effect }) => effect)]).toEqual([
            unit,
            instant,
            was === would ? [] : [was ? 'denied' : 'spared'],
          ]);
        }
      }
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.every(({ tenant_id }) => tenant_id !== null)).toBe(true);
    });
  });

  it('of the policy that is there tells nothing, and writes nothing', async () => {
    await write(company, 1);
    service.manualClock.advance(20 * DAY);
    const before = (await service.events()).length;
    expect((await backtest(company, { policy: { grace_period_days: 5 }, days: 30 })).changes).toEqual([]);
    expect((await service.events()).length).toBe(before);
  });

  it.each([-1, 1e15, 0.5, 'now'])('refuses a cursor that was made up to begin at %p', async (now) => {
    const location_id = company.locations.get('WAS')!;
    const { policy } = (await service.part(LocationDirectory).location(location_id))!;
    const list = ['backtest', location_id, 30, { ...policy, grace_period_days: 1 }];
    const path = (cursor: unknown) =>
      `/locations/${location_id}/policy-backtest?cursor=${encodeCursor(['', 0, cursor], list)}`;
    const body = { days: 30, policy: { grace_period_days: 1 } };
    demand(200, await service.operator('post', path(service.clock.now()), body));
    const answer = await service.operator('post', path(now), body);
    expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['cursor']]);
  });

  it.each([
    [{}, ['days', 'policy']],
    [{ days: 366, policy: { grace_period_days: 1 } }, ['days']],
    [{ days: 30, policy: { grace: 1 } }, ['policy.grace']],
    [{ days: 30, policy: { grace_period_days: 91 } }, ['policy.grace_period_days']],
  ])('refuses %j', async (body, fields) => {
    const path = `/locations/${company.locations.get('WAS')}/policy-backtest`;
    const answer = await service.operator('post', path, body);
    expect([answer.status, Object.keys(answer.body.errors as object).sort()]).toEqual([422, fields]);
  });
});

describe('a backtest of a large place', () => {
  const UNITS_THERE = 260;
  const names = Array.from({ length: UNITS_THERE }, (_, number) => `U-${number}`);
  let place: Company;
  const path = () => `/locations/${place.locations.get('WAS')}/policy-backtest?limit=5000`;
  const stricter = { days: 30, policy: { grace_period_days: 0 } };

  beforeAll(async () => {
    // What they read of the log would be counted here.
    await service.part(Announcer).stop();
    await service.part(LockoutRounds).stop();
    place = await openCompany('WAS');
    // Units that have not changed since the begin of the location are not read.
    service.manualClock.advance(1);
    for (const balance_due of [0, 30]) {
      const units = names.map((crm_unit_id) => ({
        crm_unit_id,
        pms_location_code: 'WAS',
        occupied: true,
        pms_tenant_id: 't-1',
        move_in_date: date(0),
        balance_due,
        paid_through_date: date(0),
      }));
      expect(demand(200, await place.sync(units)).errors).toEqual([]);
    }
    service.manualClock.advance(3 * DAY);
  });

  it('is one answer, for which each stream is read once', async () => {
    const read = jest.spyOn(service.stores.eventStore, 'readStream');
    const told = demand(200, await service.operator('post', path(), stricter));
    const streams = read.mock.calls.map(([stream]) => stream).filter((stream) => stream.startsWith('unit-'));
    read.mockRestore();
    const counted = { complete: true, units: UNITS_THERE, not_tried: 0, changes: UNITS_THERE };
    expect(told).toMatchObject({ totals: counted, not_tried: [], next_cursor: null });
    // Denied on the day before the move-in, under either policy.
    expect(told.totals.tenants_denied).toEqual({ actual: 1, proposed: 1 });
    expect(told.totals.tenants_locked_out).toEqual({ actual: 0, proposed: 1 });
    expect(told.changes).toHaveLength(UNITS_THERE);
    expect([streams.length, new Set(streams).size]).toEqual([UNITS_THERE, UNITS_THERE]);
  });

  it('tries of later pages what they tell', async () => {
    const first = demand(200, await service.operator('post', path().replace('5000', '5'), stricter));
    const looks = jest.spyOn(service.part(UnitDirectory), 'listOfLocation');
    const query = `5&cursor=${encodeURIComponent(first.next_cursor as string)}`;
    const second = demand(200, await service.operator('post', path().replace('5000', query), stricter));
    const looked = looks.mock.calls.length;
    looks.mockRestore();
    expect(first.totals).toMatchObject({ units: UNITS_THERE });
    expect([first.changes.length, second.changes.length, second.totals]).toEqual([5, 5, null]);
    expect(new Set([...first.changes, ...second.changes].map(({ unit_id }) => unit_id)).size).toBe(10);
    expect(looked).toBe(1);
  });

  it('tells how far its totals reach where it has taken too long, and its pages go on from there', async () => {
    const store = service.stores.eventStore;
    const readStream = store.readStream.bind(store);
    const read = jest.spyOn(store, 'readStream').mockImplementation((...given) => {
      // By halves of a second: the bound is passed, what a request is given is not.
      if (given[0].startsWith('unit-') && read.mock.calls.length % 25 === 0) service.manualClock.advance(500);
      return readStream(...given);
    });
    const { changes, totals } = await backtest(place, stricter, 'limit=5000');
    read.mockRestore();
    expect(totals.complete).toBe(false);
    expect(totals.units).toBeLessThan(UNITS_THERE);
    expect(totals.changes).toBe(totals.units);
    expect(changes).toHaveLength(UNITS_THERE);
  });

  it('stops reading once who asked has been told to come back', async () => {
    const store = service.stores.eventStore;
    const readStream = store.readStream.bind(store);
    let reads = 0;
    const over = jest.spyOn(store, 'readStream').mockImplementation((...given) => {
      if (given[0].startsWith('unit-') && (reads += 1) === 3) service.manualClock.advance(11_000);
      return readStream(...given);
    });
    const answer = await service.call('post', `/api/operator${path()}`, {
      body: stricter,
      token: await service.operatorToken(),
      mayFail: true,
    });
    expect([answer.status, answer.body.code]).toEqual([503, 'store_unavailable']);
    // What waits for the same is let go on before anything is counted again.
    demand(200, await service.operator('get', `/locations/${place.locations.get('WAS')}/forecast`));
    over.mockRestore();
    expect(reads).toBeLessThan(3 + 2 * 16);
  });
});

it('where no unit bears on another, a trial reads none of the quiet units of one tenant', async () => {
  const place = { pms_location_code: 'WAS', timezone: 'America/Chicago', blanket_delinquency: false };
  const apart = await service.company(place);
  service.manualClock.advance(HOUR);
  for (const name of ['one', 'two'])
    demand(201, await apart.moveIn(name, { pms_tenant_id: 't-1', move_in_date: '2020-01-01' }));
  const reads = jest.spyOn(service.part(UnitRecordReader), 'pagesOf');
  await backtest(apart, { days: 30, policy: { grace_period_days: 5 } });
  expect(reads).not.toHaveBeenCalled();
  reads.mockRestore();
});
