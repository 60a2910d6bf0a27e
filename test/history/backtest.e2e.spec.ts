import { encodeCursor } from '../../src/documents/page-cursor.js';
import { LocationDirectory } from '../../src/locations/index.js';
import { type Company, demand, Service } from '../support/service.js';

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
  company = await service.company(
    { pms_location_code: 'WAS', timezone: 'America/Chicago' },
    { pms_location_code: 'WOULD', timezone: 'America/Chicago' },
  );
});

const UNITS = ['owes', 'paid', 'moves', 'locked'] as const;

function date(days: number): string {
  return new Date(service.clock.now() + days * DAY).toISOString().slice(0, 10);
}

/** The same writes at both locations, on the day they are due. */
async function write(day: number): Promise<void> {
  for (const code of ['WAS', 'WOULD']) {
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
    if (units !== undefined) expect(demand(200, await company.sync(units)).errors).toEqual([]);
  }
}

async function backtest(body: object, query = ''): Promise<{ changes: Told[]; units: number }> {
  const changes: Told[] = [];
  let units = 0;
  for (let cursor = ''; ;) {
    const path = `/locations/${company.locations.get('WAS')}/policy-backtest?${query}${cursor}`;
    const data = demand(200, await service.operator('post', path, body));
    changes.push(...data.changes);
    units += data.units as number;
    if (data.next_cursor === null) return { changes, units };
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
  it.each(POLICIES)('%s tells what a place that had it really did otherwise', async (_, policy) => {
    demand(200, await service.operator('patch', `/locations/${company.locations.get('WOULD')}`, policy));
    const seen: { at: number; unit: string; effect: string }[] = [];
    for (let hours = 0; hours < 40 * 24; hours += 12) {
      if (hours % 24 === 12) await write(hours / 24 - 0.5);
      const access = new Map<string, boolean>();
      for (const unit of await company.list())
        access.set(unit.crm_unit_id as string, unit.access.state === 'tenant_permitted');
      for (const unit of UNITS) {
        const [was, would] = [access.get(`WAS ${unit}`), access.get(`WOULD ${unit}`)];
        const effect = was === would ? 'none' : was === true ? 'denied' : 'spared';
        if (was !== undefined) seen.push({ at: service.clock.now(), unit, effect });
      }
      service.manualClock.advance(12 * HOUR);
    }
    const { changes, units } = await backtest({ policy, days: 60 }, 'limit=2');
    expect(units).toBe(UNITS.length);
    for (const { at, unit, effect } of seen) {
      const told = changes.filter(
        (one) =>
          one.crm_unit_id === `WAS ${unit}` &&
          Date.parse(one.from) <= at &&
          (one.until === null || at < Date.parse(one.until)),
      );
      expect([unit, new Date(at).toISOString(), told.map((one) => one.effect)]).toEqual([
        unit,
        new Date(at).toISOString(),
        effect === 'none' ? [] : [effect],
      ]);
    }
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.every(({ tenant_id }) => tenant_id !== null)).toBe(true);
  });

  it('of the policy that is there tells nothing, and writes nothing', async () => {
    await write(1);
    service.manualClock.advance(20 * DAY);
    const before = (await service.events()).length;
    expect((await backtest({ policy: { grace_period_days: 5 }, days: 30 })).changes).toEqual([]);
    expect((await service.events()).length).toBe(before);
  });

  it.each([-1, 1e15, 0.5, 'now'])('refuses a cursor that was made up to begin at %p', async (now) => {
    const location_id = company.locations.get('WAS')!;
    const { policy } = (await service.part(LocationDirectory).location(location_id))!;
    const list = ['backtest', location_id, 30, { ...policy, grace_period_days: 1 }];
    const path = (cursor: unknown) =>
      `/locations/${location_id}/policy-backtest?cursor=${encodeCursor(['', cursor], list)}`;
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
  const path = () => `/locations/${company.locations.get('WAS')}/policy-backtest?limit=5000`;
  const stricter = { days: 30, policy: { grace_period_days: 0 } };

  beforeEach(async () => {
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
      expect(demand(200, await company.sync(units)).errors).toEqual([]);
    }
    service.manualClock.advance(3 * DAY);
  });

  it('is one answer, for which each stream is read once', async () => {
    const read = jest.spyOn(service.stores.eventStore, 'readStream');
    const told = demand(200, await service.operator('post', path(), stricter));
    const streams = read.mock.calls.map(([stream]) => stream).filter((stream) => stream.startsWith('unit-'));
    read.mockRestore();
    expect(told).toMatchObject({ units: UNITS_THERE, not_tried: [], next_cursor: null });
    expect(told.changes).toHaveLength(UNITS_THERE);
    expect([streams.length, new Set(streams).size]).toEqual([UNITS_THERE, UNITS_THERE]);
  });

  it('ends its page where it has taken too long, and goes on from there', async () => {
    const store = service.stores.eventStore;
    const readStream = store.readStream.bind(store);
    const read = jest.spyOn(store, 'readStream').mockImplementation((...given) => {
      // By halves of a second: the bound is passed, what a request is given is not.
      if (given[0].startsWith('unit-') && read.mock.calls.length % 25 === 0) service.manualClock.advance(500);
      return readStream(...given);
    });
    const { changes, units } = await backtest(stricter, 'limit=5000');
    read.mockRestore();
    expect([changes.length, units]).toEqual([UNITS_THERE, UNITS_THERE]);
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
    demand(200, await service.operator('get', `/locations/${company.locations.get('WAS')}/forecast`));
    over.mockRestore();
    expect(reads).toBeLessThan(3 + 2 * 16);
  });
});
