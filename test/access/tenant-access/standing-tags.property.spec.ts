import fc from 'fast-check';
import { ReadTenantAccess } from '../../../src/access/tenant-access/read-tenant-access.query.js';
import type { TenantPrincipal } from '../../../src/http/index.js';
import { type UnitCommand, UNITS, unitStream } from '../../../src/units/index.js';
import { recordDetails } from '../../tenants/support/details.js';
import { runs, upTo } from '../../support/campaign.js';
import {
  type AccessWorld,
  COMPANY,
  facts,
  idOf,
  LOCATION,
  movedIn,
  movedOut,
  openAccessWorld,
  shared,
  unshared,
} from './access-world.js';

const NAMES = ['Ada', 'Bob'];
const HOUR = 3_600_000;

interface Acting {
  readonly world: AccessWorld;
  readonly tenants: readonly TenantPrincipal[];
}

type Step = (acting: Acting) => Promise<unknown>;

const unit = fc.constantFrom('A', 'B', 'C');
const tenant = fc.nat({ max: NAMES.length - 1 });
const zones = fc.subarray(['zone-1', 'zone-2']);
const date = fc.constantFrom(null, '2025-05-01', '2025-06-01', '2025-06-05', '2025-06-30');

/** What the unit's facts do not allow now is left out. */
async function tried(world: AccessWorld, name: string, command: UnitCommand): Promise<void> {
  await world.unit(name, command).catch((error: Error) => {
    if (!error.message.startsWith('{"kind":"rejected"')) throw error;
  });
}

const command: fc.Arbitrary<(tenants: Acting['tenants'], name: string) => UnitCommand> = fc.oneof(
  tenant.map((who) => (tenants: Acting['tenants'], name: string) => movedIn(name, tenants[who]!)),
  tenant.map((who) => (tenants: Acting['tenants']) => shared(tenants[who]!)),
  tenant.map((who) => (tenants: Acting['tenants']) => unshared(tenants[who]!)),
  fc.constant(() => movedOut),
  fc
    .record({ balance_due: fc.constantFrom(0, 5_000), paid_through_date: date })
    .map((given) => () => facts(given)),
  fc.boolean().map((pms_auction) => () => facts({ pms_auction })),
  fc.constantFrom('A', 'A2').map((unit_name) => () => ({ type: 'RenameUnit', unit_name }) as const),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(unit, fc.constantFrom('lockout', 'exempt'), fc.constantFrom(HOUR, 30 * HOUR, null))
    .map(([name, override, span]): Step => ({ world }) => {
      const expires_at = span === null ? null : world.clock.now() + span;
      const given = {
        override: override,
        reason: 'as the test wants it',
        expires_at,
      };
      return tried(world, name, { type: 'OverrideAccess', override: given });
    }),
  unit.map(
    (name): Step =>
      ({ world }) =>
        tried(world, name, { type: 'ClearAccessOverride' }),
  ),
  {
    weight: 6,
    arbitrary: fc.tuple(unit, command).map(
      ([name, made]): Step =>
        ({ world, tenants }) =>
          tried(world, name, made(tenants, name)),
    ),
  },
  fc.tuple(fc.constantFrom('lock-1', 'lock-2'), fc.option(unit)).map(
    ([lock, name]): Step =>
      ({ world }) =>
        world.lock(lock, name),
  ),
  fc.tuple(unit, zones).map(
    ([name, ids]): Step =>
      ({ world }) =>
        world.zone(name, ...ids),
  ),
  fc.tuple(fc.constantFrom('north', 'south'), zones, fc.boolean()).map(
    ([gate, ids, in_service]): Step =>
      ({ world }) =>
        world.entryPoint(gate, ids, { in_service }),
  ),
  fc.tuple(unit, fc.nat({ max: 3 })).map(
    ([name, at]): Step =>
      ({ world }) =>
        world.accessed(name, at),
  ),
  fc
    .record({
      grace_period_days: fc.constantFrom(0, 5),
      blanket_delinquency: fc.boolean(),
      timezone: fc.constantFrom('America/Chicago', 'Asia/Tokyo'),
    })
    .map(
      (policy): Step =>
        ({ world }) =>
          world.policy(policy),
    ),
  fc.tuple(tenant, fc.constantFrom('Ada', 'Eve')).map(([who, name]): Step => ({ world }) => {
    const key = { company_id: COMPANY, location_id: LOCATION, pms_tenant_id: NAMES[who]! };
    return recordDetails(world, [{ key, name }]);
  }),
  {
    weight: 3,
    arbitrary: fc.constantFrom(1, HOUR, 5 * HOUR, 24 * HOUR).map(
      (span): Step =>
        ({ world }) =>
          Promise.resolve(world.clock.advance(span)),
    ),
  },
  // To the last instant before the answer ends, or to its end.
  {
    weight: 3,
    arbitrary: fc
      .tuple(tenant, fc.constantFrom('valid_until', 'refresh_at'), fc.constantFrom(-1, 0))
      .map(([who, end, more]): Step => async ({ world, tenants }) => {
        const instant = (await world.read(tenants[who]!))[end];
        const span = instant === null ? 0 : Date.parse(instant) + more - world.clock.now();
        if (span > 0) world.clock.advance(span);
      }),
  },
);

describe('an entity tag that is known without its answer', () => {
  let world: AccessWorld;
  beforeEach(async () => void (world = await openAccessWorld()));
  afterEach(() => world.close());

  it('is that of the answer, whatever is written and however time passes, and equal tags are of equal answers', async () => {
    let round = 0;
    let known = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        round += 1;
        const tenants = await Promise.all(NAMES.map((name) => world.tenant(name)));
        const answers = new Map<string, string>();
        const tags = new Map<string, string>();
        for (const take of steps) {
          await take({ world, tenants });
          for (const principal of tenants) {
            const fresh = await world.newReader().execute(new ReadTenantAccess(principal));
            const text = JSON.stringify({ ...fresh.answer!, evaluated_at: '' });
            expect(answers.get(fresh.entity_tag) ?? text).toBe(text);
            answers.set(fresh.entity_tag, text);
            const read = await world.query(principal, tags.get(principal.id) ?? '"none"');
            expect(read.entity_tag).toBe(fresh.entity_tag);
            if (read.answer === undefined) known += 1;
            tags.set(principal.id, read.entity_tag);
          }
        }
      }),
      runs(upTo(30, 60)),
    );
    expect(known).toBeGreaterThan(round);
  });

  describe('is another', () => {
    let ada: TenantPrincipal;
    let bob: TenantPrincipal;
    beforeEach(async () => {
      ada = await world.tenant('Ada');
      bob = await world.tenant('Bob');
      await world.unit('A', movedIn('A', ada), shared(bob));
      await world.unit('B', movedIn('B', ada));
    });

    async function expectAnother(change: () => Promise<unknown>): Promise<void> {
      const { entity_tag } = await world.query(bob);
      expect((await world.query(bob, entity_tag)).answer).toBeUndefined();
      await change();
      expect((await world.query(bob, entity_tag)).answer).toBeDefined();
    }

    it("to a guest by what the unit's tenant owes elsewhere", () =>
      expectAnother(() => world.unit('B', facts({ balance_due: 5_000, paid_through_date: '2025-05-01' }))));

    it("by a unit's own document, where the tenants' are behind", () =>
      expectAnother(async () => {
        const unit = await (await world.store.collection(UNITS)).get(unitStream(COMPANY, 'A'));
        const document = { ...unit!, revision: unit!.revision + 1, unit_name: 'A-1' };
        await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
      }));

    it('by views that were made anew of the same log, in place of some that told it wrongly', () =>
      expectAnother(() =>
        world.gate.exclusively(async () => {
          const unit = await (await world.store.collection(UNITS)).get(unitStream(COMPANY, 'A'));
          const document = { ...unit!, unit_name: 'A-1' };
          await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
        }),
      ));

    it('by a name that reads like the revision of a lock', async () => {
      const { revision } = await world.lock('lock-1', 'A');
      await expectAnother(async () => {
        await world.lock('lock-1', null);
        const key = { company_id: COMPANY, location_id: LOCATION, pms_tenant_id: 'Bob' };
        await recordDetails(world, [{ key, name: `lock-1:${revision} Bob` }]);
      });
    });

    it('where the clock is put back', async () => {
      await world.lock('lock-1', 'A');
      world.clock.advance(24 * HOUR);
      await expectAnother(() => Promise.resolve(world.clock.advance(-24 * HOUR)));
    });
  });

  it('is known no sooner than a key is on record with the unit that the right to it now comes from', async () => {
    const ada = await world.tenant('Ada');
    await world.unit('A', movedIn('A', ada));
    await world.unit('B', movedIn('B', ada));
    await world.entryPoint('north', ['zone-1']);
    await world.zone('A', 'zone-1');
    const { entity_tag } = await world.query(ada);
    await world.zone('B', 'zone-1');
    expect(await world.query(ada, entity_tag)).toEqual({ entity_tag, answer: undefined });
    const outstanding = await world.issues.outstandingForUnit(idOf('B'), world.clock.now());
    expect(outstanding).toMatchObject([{ lock_id: 'north', tenant_id: ada.id }]);
  });

  it('costs no decision', async () => {
    const ada = await world.tenant('Ada');
    await world.unit('A', movedIn('A', ada));
    const { entity_tag } = await world.query(ada);
    world.calendar.decided = 0;
    expect(await world.query(ada, entity_tag)).toEqual({ entity_tag, answer: undefined });
    expect(world.calendar.decided).toBe(0);
    await world.accessed('A', 5);
    expect((await world.query(ada, entity_tag)).answer).toBeDefined();
    expect(world.calendar.decided).toBeGreaterThan(0);
  });
});
