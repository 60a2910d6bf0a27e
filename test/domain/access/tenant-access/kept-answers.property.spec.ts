import fc from 'fast-check';
import type { TenantPrincipal } from '#kernel/principals.js';
import { TENANT_ACCESS } from '#domain/access/index.js';
import { HmacKeyIssuer } from '#domain/locks/index.js';
import { UNITS, unitStream } from '#domain/units/index.js';
import type { UnitCommand } from '#domain/units/core/unit.commands.js';
import { recordDetails } from '../../tenants/support/details.js';
import { runs, upTo } from '../../../support/campaign.js';
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

/** Operations that the unit's facts do not allow now are left out. */
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
        tried(world, name, { type: 'ClearOverride' }),
  ),
  fc.tuple(unit, tenant, fc.constantFrom(1, HOUR, 30 * HOUR)).map(
    ([name, who, span]): Step =>
      ({ world, tenants }) =>
        tried(world, name, shared(tenants[who]!, world.clock.now() + span)),
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

describe('an answer that is kept', () => {
  let world: AccessWorld;
  beforeEach(async () => void (world = await openAccessWorld()));
  afterEach(() => world.close());

  it('is the answer of a process that keeps none, whatever is written and however time passes; equal tags are of equal answers', async () => {
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
            const fresh = await world.newReader().read(principal);
            const text = JSON.stringify({ ...fresh.answer!, evaluated_at: '' });
            expect(answers.get(fresh.entity_tag) ?? text).toBe(text);
            answers.set(fresh.entity_tag, text);
            expect(await world.query(principal)).toEqual(fresh);
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

  describe('is made anew by', () => {
    let ada: TenantPrincipal;
    let bob: TenantPrincipal;
    beforeEach(async () => {
      ada = await world.tenant('Ada');
      bob = await world.tenant('Bob');
      await world.unit('A', movedIn('A', ada), shared(bob));
      await world.unit('B', movedIn('B', ada));
      await world.lock('lock-1', 'A');
      await world.entryPoint('north', ['zone-1']);
      await world.zone('A', 'zone-1');
    });

    const owing = facts({ balance_due: 5_000, paid_through_date: '2025-05-01' });
    const lockout: UnitCommand = {
      type: 'OverrideAccess',
      override: { override: 'lockout', reason: 'as the test wants it', expires_at: null },
    };
    const named = (pms_tenant_id: string) => ({ company_id: COMPANY, location_id: LOCATION, pms_tenant_id });
    const changes: Readonly<Record<string, () => Promise<unknown>>> = {
      'a policy': async () => {
        await world.unit('A', facts({ balance_due: 1, paid_through_date: '2025-06-01' }));
        await world.query(bob);
        await world.policy({ grace_period_days: 0 });
      },
      'an override': () => world.unit('A', lockout),
      'the end of a share': () => world.unit('A', unshared(bob)),
      'a share of a further unit': () => world.unit('B', shared(bob)),
      'the move of a lock': () => world.lock('lock-1', 'B'),
      'a lock that is taken off': () => world.lock('lock-1', null),
      'an entry point out of service': () => world.entryPoint('north', ['zone-1'], { in_service: false }),
      'a zone that is left': () => world.zone('A'),
      'a fact': () => world.unit('A', facts({ pms_lockout: true })),
      "what the unit's tenant owes elsewhere": () => world.unit('B', owing),
      'a move-out': () => world.unit('A', movedOut),
      'a new name of the unit': () => world.unit('A', { type: 'RenameUnit', unit_name: 'A-1' }),
      'a report of its lock': () => world.accessed('A', 5),
      midnight: () => Promise.resolve(world.clock.advance(15 * HOUR)),
      'a clock that is put back': () => Promise.resolve(world.clock.advance(-HOUR)),
      'erasure of the name': () => recordDetails(world, [{ key: named('Bob'), name: '' }]),
      'a name that reads like a revision': () =>
        recordDetails(world, [{ key: named('Bob'), name: 'Bob" 1 of 2' }]),
      'a rebuild that has corrected a document at its revision': async () => {
        const unit = await (await world.store.collection(UNITS)).get(unitStream(COMPANY, 'A'));
        const document = { ...unit!, unit_name: 'A-1' };
        await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
        const documents = await (await world.store.collection(TENANT_ACCESS)).page(undefined, 10);
        const corrected = documents.map((one) => {
          const { company_id, location_id, units } = one;
          return { document: one, company_id, location_id, units };
        });
        await world.decisions.correct(corrected, true);
      },
      "a unit's document that is ahead of the tenant's": async () => {
        const unit = await (await world.store.collection(UNITS)).get(unitStream(COMPANY, 'A'));
        const document = { ...unit!, revision: unit!.revision + 1, unit_name: 'A-1' };
        await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
      },
    };

    it.each(Object.entries(changes))('%s, at once and in every process', async (_, change) => {
      const elsewhere = world.newReader();
      const before = await world.query(bob);
      expect(await elsewhere.read(bob)).toEqual(before);
      await change();
      const fresh = await world.newReader().read(bob);
      expect(fresh.answer).not.toEqual(before.answer);
      expect(await world.query(bob, before.entity_tag)).toEqual(
        fresh.entity_tag === before.entity_tag ? { ...fresh, answer: undefined } : fresh,
      );
      expect(await elsewhere.read(bob)).toEqual(fresh);
    });

    it('a document that was mended without a new revision, within a minute', async () => {
      await world.query(bob);
      const unit = await (await world.store.collection(UNITS)).get(unitStream(COMPANY, 'A'));
      const document = { ...unit!, unit_name: 'A-1' };
      await world.store.write([{ kind: 'put', collection: UNITS.name, document }]);
      world.clock.advance(60_000);
      expect((await world.query(bob)).answer!.units[0]!.unit_name).toBe('A-1');
    });

    it('another secret of keys, under another tag', async () => {
      const before = await world.query(bob);
      const after = await world
        .newReader(new HmacKeyIssuer(Buffer.alloc(32, 8)))
        .read(bob, before.entity_tag);
      expect(after.answer).toBeDefined();
      expect(after.entity_tag).not.toBe(before.entity_tag);
    });

    it('nothing else: it tells when it was read', async () => {
      const before = await world.query(bob);
      world.clock.advance(1_000);
      world.calendar.decided = 0;
      const after = await world.query(bob);
      expect(world.calendar.decided).toBe(0);
      expect(after.answer!.evaluated_at).toBe(new Date(world.clock.now()).toISOString());
      expect(after).toEqual({
        ...before,
        answer: { ...before.answer, evaluated_at: after.answer!.evaluated_at },
      });
    });
  });

  it('is kept only behind the record of its keys', async () => {
    const ada = await world.tenant('Ada');
    await world.unit('A', movedIn('A', ada));
    await world.lock('lock-1', 'A');
    const record = world.issues.record.bind(world.issues);
    world.issues.record = () => Promise.reject(new Error('away'));
    await expect(world.query(ada)).rejects.toThrow('away');
    await expect(world.query(ada)).rejects.toThrow('away');
    world.issues.record = record;
    expect((await world.query(ada)).answer!.units[0]!.locks[0]).toHaveProperty('key');
  });

  it('puts a key that stays the same on record with a unit that comes to give the right to it', async () => {
    const ada = await world.tenant('Ada');
    await world.unit('A', movedIn('A', ada));
    await world.unit('B', movedIn('B', ada));
    await world.entryPoint('north', ['zone-1']);
    await world.zone('A', 'zone-1');
    const before = await world.read(ada);
    await world.zone('B', 'zone-1');
    expect((await world.read(ada)).entry_points).toEqual(before.entry_points);
    const outstanding = await world.issues.outstandingForUnit(idOf('B'), world.clock.now());
    expect(outstanding).toMatchObject([{ lock_id: 'north', tenant_id: ada.id }]);
  });
});
