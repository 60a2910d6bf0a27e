import { setImmediate as turn } from 'node:timers/promises';
import { forecastOf } from '#domain/access/core/forecast.js';
import { rented } from '#domain/access/core/tenant-units.js';
import { TENANT_ACCESS } from '#domain/access/tenant-access/tenant-access.documents.js';
import { LOCATIONS } from '#domain/locations/location.documents.js';
import { Yielder, runYielding, STEPS_PER_TURN } from '#kernel/yielder.js';
import {
  type AccessWorld,
  COMPANY,
  facts,
  movedIn,
  openAccessWorld,
} from '../../domain/access/tenant-access/access-world.js';
import { upTo } from '../../support/campaign.js';
import { longestStretch } from '../../support/turns.js';

/** Units of one tenant, and such of them as owe and are listed with all that would cure them. */
const MANY = upTo(400, 3_000);
const OWING = upTo(150, 400);
/** Units of tenants with so many each: more than a stretch, of fewer tenants than a round takes up at once. */
const OF_EACH = 20;
const TENANTS = (STEPS_PER_TURN + 1_000) / OF_EACH;

const STEP_MS = 0.005;

describe('work without a bound', () => {
  it('gives way after each stretch, in steps of whatever size', async () => {
    let done = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => done * STEP_MS);
    function* work(pieces: number) {
      for (let step = 0; step < 50 * STEPS_PER_TURN; step += pieces) {
        done += pieces;
        yield pieces;
      }
      return 'ended';
    }
    for (const pieces of [1, 7, STEPS_PER_TURN]) {
      const longest = await longestStretch(
        () => done,
        async () => expect(await runYielding(work(pieces))).toBe('ended'),
      );
      expect(longest).toBeLessThan(2 * STEPS_PER_TURN + pieces);
    }
  });

  afterEach(() => jest.restoreAllMocks());

  it('waits for nothing where there is little of it', async () => {
    await turn();
    const yielder = new Yielder();
    expect(yielder.after(STEPS_PER_TURN - 1)).toBeUndefined();
    const pause = yielder.after(1);
    expect(pause).toBeDefined();
    await pause;
    expect(yielder.after(1)).toBeUndefined();
  });
});

describe('tenants', () => {
  let world: AccessWorld;
  beforeEach(async () => {
    world = await openAccessWorld();
    await world.policy({});
  });
  afterEach(() => world.close());
  const named = (count: number) => Array.from({ length: count }, (_, n) => `U-${String(n).padStart(5, '0')}`);
  const decided = () => world.calendar.decided;

  it('of hundreds of units cost a write no more than a look at each', async () => {
    const ada = await world.tenant('Ada');
    const names = named(MANY);
    await world.units(new Map(names.map((name) => [name, movedIn(name, ada)])));
    const owing = facts({ balance_due: 100, paid_through_date: '2025-06-01' });
    await world.units(new Map(names.map((name) => [name, owing])));
    const before = { ...world.calendar };
    await world.unit(names[7]!, facts({ balance_due: 200 }));
    expect(world.calendar.decided - before.decided).toBe(MANY);
    // Each for itself and once for all others; each for each other would be the square.
    expect(world.calendar.reckoned - before.reckoned).toBeLessThan(5 * MANY);
  });

  it('whose policy changes are decided in stretches, however many they are', async () => {
    const ada = await world.tenant('Ada');
    const renting = named(TENANTS * OF_EACH).map(
      (name, n) => [name, movedIn(name, { ...ada, id: `tenant ${n % TENANTS}` })] as const,
    );
    await world.units(new Map(renting));
    await world.policy({ grace_period_days: 9 });
    const before = decided();
    const longest = await longestStretch(decided, () => world.decisions.policyChanged('location-1'));
    expect(decided() - before).toBe(TENANTS * OF_EACH);
    // What is decided of the last tenant of a stretch goes beyond it.
    expect(longest).toBeLessThan(STEPS_PER_TURN + OF_EACH);
  });

  it('are forecast by a look at each on each date, not at each for each', async () => {
    const ada = await world.tenant('Ada');
    const names = named(100);
    await world.units(new Map(names.map((name) => [name, movedIn(name, ada)])));
    const paid = (n: number) =>
      new Date(world.clock.now() + (n % 10) * 86_400_000).toISOString().slice(0, 10);
    const owing = names.map(
      (name, n) => [name, facts({ balance_due: 100, paid_through_date: paid(n) })] as const,
    );
    await world.units(new Map(owing));
    const [document] = await (await world.store.collection(TENANT_ACCESS)).getMany([ada.id]);
    const units = rented(document!.units).map(({ subject }) => subject);
    const { policy } = (await (await world.store.collection(LOCATIONS)).getMany(['location-1']))[0]!;
    const now = world.clock.now();
    const before = world.calendar.reckoned;
    const span = { now, until: now + 40 * 86_400_000 };
    const changes = await runYielding(forecastOf(units, policy, span, world.calendar));
    expect(changes.length).toBeGreaterThanOrEqual(100);
    // Eleven instants; each for each other would be a hundred thousand.
    expect(world.calendar.reckoned - before).toBeLessThan(11 * 5 * 100);
  });

  it('of many units that all owe are listed on pages that end in time, and in stretches', async () => {
    const ada = await world.tenant('Ada');
    const names = named(OWING);
    await world.units(new Map(names.map((name) => [name, movedIn(name, ada)])));
    const owing = facts({ balance_due: 100, paid_through_date: '2025-05-01' });
    await world.units(new Map(names.map((name) => [name, owing])));
    const listed: string[] = [];
    let longest = 0;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const from: string | undefined = cursor;
      const stretch = await longestStretch(decided, async () => {
        const filter = { companies: [COMPANY], location_id: 'location-1', cursor: from, limit: 500 };
        const page = await world.list(filter);
        const cures = page.units.flatMap(({ decision }) => decision.resolution ?? []);
        expect(cures.length).toBeLessThanOrEqual(20_000);
        listed.push(...page.units.map(({ unit }) => unit.crm_unit_id));
        cursor = page.next_cursor;
      });
      longest = Math.max(longest, stretch);
    }
    expect([...listed].sort()).toEqual(names);
    // Each unit looks at all of them.
    expect(longest).toBeLessThan((3 * STEPS_PER_TURN) / OWING);
  });
});
