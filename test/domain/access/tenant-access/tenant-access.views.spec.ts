import { TemporalCalendar } from '#domain/access/calendar.js';
import { TenantAccessViews } from '#domain/access/tenant-access/tenant-access.views.js';
import { TENANT_ACCESS } from '#domain/access/tenant-access/tenant-access.documents.js';
import { CompanyClocks, type CompanyDirectory } from '#domain/companies/index.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { LOCATIONS } from '#domain/locations/location.documents.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { UNIT, unitStream } from '#domain/units/index.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { foldOnto, readFrom } from '#eventsourcing/writing/stored-stream.js';
import { makeUnclear } from '../../../support/unclear-writes.js';
import { type AccessWorld, COMPANY, facts, LOCATION, movedIn, movedOut } from './access-world.js';
import { openAccessWorld, pastDue } from './access-world.js';
import { worldsClock } from '../../../support/company-clocks.js';

const DAY = 24 * 60 * 60_000;

let world: AccessWorld;
/** Writes that the world's store is asked to make to documents of tenants. */
let writes: DocumentWrite[];

beforeEach(async () => {
  world = await openAccessWorld();
  writes = [];
  const write = world.store.write.bind(world.store);
  world.store.write = (asked) => {
    writes.push(...asked.filter(({ collection }) => collection === TENANT_ACCESS.name));
    return write(asked);
  };
});
afterEach(() => world.close());

async function documentOf({ id }: { readonly id: string }) {
  return (await (await world.store.collection(TENANT_ACCESS)).get(id))!;
}

/** How often the work asks to write a tenant's document. */
async function writesOf(work: () => Promise<unknown>): Promise<number> {
  const before = writes.length;
  await work();
  return writes.length - before;
}

/** What another process does, which reads locations for itself. */
function anotherProcess(): TenantAccessViews {
  const { store, clock } = world;
  return new TenantAccessViews(
    store,
    worldsClock(clock),
    new TemporalCalendar(),
    new LocationDirectory(store),
  );
}

/** Brings a unit's events to the views once more, as the catch-up does. */
async function bringAgain(unit: string): Promise<void> {
  const stream = unitStream(COMPANY, unit);
  const events = await readFrom<UnitEvent>(world.events, UNIT, stream, 0);
  await world.projector.project([{ stream, events, after: foldOnto(UNIT, undefined, events)! }]);
}

describe('the document of a tenant', () => {
  it('names each state of the units that the tenant rents, and none of those given up', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada), facts({ pms_lockout: true }));
    await world.unit('B', movedIn('B', ada));
    await world.unit('C', movedIn('C', ada), facts({ pms_auction: true }));
    expect((await documentOf(ada)).states).toEqual(['auction', 'tenant_denied', 'tenant_permitted']);
    await world.unit('A', movedOut);
    await world.unit('C', movedOut);
    expect((await documentOf(ada)).states).toEqual(['tenant_permitted']);
    await world.unit('B', movedOut);
    expect((await documentOf(ada)).states).toEqual([]);
  });

  it('is not written again where a change of its units is brought again', async () => {
    const ada = await world.tenant('Ada Park');
    expect(await writesOf(() => world.unit('A', movedIn('A', ada), pastDue))).toBe(2);
    expect(await writesOf(() => bringAgain('A'))).toBe(0);
  });

  it('is written once where its day has come, with its states and its next day', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada), facts({ balance_due: 5, paid_through_date: '2025-06-06' }));
    await world.unit('A-2', movedIn('A-2', ada));
    expect(await documentOf(ada)).toMatchObject({
      states: ['tenant_permitted'],
      valid_until: expect.any(Number),
    });
    world.clock.advance(30 * DAY);
    expect(await writesOf(() => world.decisions.sweep())).toBe(1);
    expect(await documentOf(ada)).toMatchObject({ states: ['tenant_denied'], valid_until: null });
    expect(await writesOf(() => world.decisions.sweep())).toBe(0);
  });

  it('is read and written once for each of its units that change at once, beside sweeps and changes of policy', async () => {
    const [ada, bob] = [await world.tenant('Ada Park'), await world.tenant('Bob Stone')];
    const names = Array.from({ length: 10 }, (_, number) => `A-${number}`);
    for (const name of names) await world.unit(name, movedIn(name, ada));
    await world.unit('B', movedIn('B', bob));
    const changes = () => [
      ...names.map((name) => world.unit(name, pastDue)),
      world.unit('B', movedIn('B', ada), movedIn('B', bob)),
      world.decisions.policyChanged(LOCATION),
      world.decisions.sweep(),
    ];
    // Those of the unit that goes from one to the other and back name both tenants.
    expect(await writesOf(() => Promise.all(changes()))).toBe(names.length + 4);
    const { units } = await documentOf(ada);
    const owing = units.filter(
      (unit) => unit.relationship === 'primary' && unit.decision.reason === 'delinquent',
    );
    expect(owing).toHaveLength(names.length);
  });

  it('is looked for at most twice by many readers at once: those that wait share a sweep', async () => {
    const sweeps = async (many: number) => {
      const before = world.reads.count;
      await Promise.all(Array.from({ length: many }, () => world.decisions.sweep()));
      return world.reads.count - before;
    };
    expect(await sweeps(10)).toBeLessThanOrEqual(2 * (await sweeps(1)));
  });

  it('is decided by a changed policy, whatever its state, and written once', async () => {
    const [ada, bob] = [await world.tenant('Ada Park'), await world.tenant('Bob Stone')];
    await world.unit('A', movedIn('A', ada), pastDue);
    await world.unit('B', movedIn('B', bob), movedOut);
    await world.policy({ balance_threshold: 10_000 });
    expect(await writesOf(() => world.decisions.policyChanged(LOCATION))).toBe(2);
    expect((await documentOf(ada)).states).toEqual(['tenant_permitted']);
    expect(await writesOf(() => world.decisions.policyChanged(LOCATION))).toBe(0);
  });

  it('is decided again where the policy changed as it was inserted', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada), pastDue, movedOut);
    const bob = await world.tenant('Bob Stone');
    const write = world.store.write.bind(world.store);
    world.store.write = async (asked) => {
      const isInserted = asked.some((one) => one.kind === 'compare_and_set' && one.expected === null);
      if (isInserted) {
        await world.policy({ balance_threshold: 10_000 });
        await world.decisions.policyChanged(LOCATION);
      }
      return write(asked);
    };
    await world.unit('A', movedIn('A', bob), pastDue);
    const location = await (await world.store.collection(LOCATIONS)).get(LOCATION);
    expect(await documentOf(bob)).toMatchObject({ policy_revision: location!.policy_revision });
  });

  it('is decided with the policy that another process has changed, which this one has not read', async () => {
    const [ada, bob] = [await world.tenant('Ada Park'), await world.tenant('Bob Stone')];
    await world.unit('A', movedIn('A', ada), pastDue);
    await world.policy({ balance_threshold: 10_000 });
    await anotherProcess().policyChanged(LOCATION);
    const location = await (await world.store.collection(LOCATIONS)).get(LOCATION);
    const decided = { policy_revision: location!.policy_revision, states: ['tenant_permitted'] };
    await world.unit('A', facts({ balance_due: 9_000 }));
    expect(await documentOf(ada)).toMatchObject(decided);
    await world.unit('B', movedIn('B', bob), pastDue);
    expect(await documentOf(bob)).toMatchObject(decided);
  });

  it('of a tenant whom nobody knew is decided with it, too', async () => {
    await world.unit('A', movedIn('A', await world.tenant('Ada Park')));
    await world.policy({ balance_threshold: 10_000 });
    await anotherProcess().policyChanged(LOCATION);
    const location = await (await world.store.collection(LOCATIONS)).get(LOCATION);
    const bob = await world.tenant('Bob Stone');
    await world.unit('B', movedIn('B', bob));
    expect(await documentOf(bob)).toMatchObject({ policy_revision: location!.policy_revision });
  });

  it('that others never cease to replace is given up, as a store out of reach', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada));
    world.store.write = (asked) => Promise.resolve(asked.map(() => ({ kind: 'version_conflict' })));
    const failed = await world.unit('A', pastDue).catch((error: unknown) => error);
    expect(failed instanceof StoreUnavailableError).toBe(true);
  });
});

describe('a sandbox whose clock was set forward', () => {
  /** The views of a process in which the company is a sandbox. */
  function inSandbox(sandbox = { _id: COMPANY, ahead_seconds: (30 * DAY) / 1_000 }): TenantAccessViews {
    const { store, clock } = world;
    const directory = {
      named: (ids: readonly string[]) =>
        Promise.resolve(ids.map((_id) => (_id === COMPANY ? sandbox : { _id }))),
      ahead: () => Promise.resolve([sandbox]),
    };
    return new TenantAccessViews(
      store,
      new CompanyClocks(clock, directory as unknown as CompanyDirectory),
      new TemporalCalendar(),
      new LocationDirectory(store),
    );
  }

  /** Holds the store's next writes. `begun` resolves at the first of them; `goOn` lets them be made. */
  function holdWrites() {
    const write = world.store.write.bind(world.store);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const begun = new Promise<void>((resolve) => {
      world.store.write = async (asked) => {
        resolve();
        await held;
        return write(asked);
      };
    });
    return { begun, goOn };
  }

  it('is swept once for many readers, and holds up no company but itself', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada), facts({ balance_due: 5, paid_through_date: '2025-06-06' }));
    const decisions = inSandbox();
    const { begun, goOn } = holdWrites();
    let isSwept = false;
    const [advance, reader] = [decisions.sweep([COMPANY]), decisions.sweep([COMPANY])];
    const swept = Promise.all([advance, reader, decisions.sweep()]).then(() => (isSwept = true));
    await begun;

    await decisions.sweep(['another company']);
    await decisions.sweep([]);
    expect([isSwept, (await documentOf(ada)).states]).toEqual([false, ['tenant_permitted']]);
    goOn();
    expect(await writesOf(() => swept)).toBe(1);
    expect((await documentOf(ada)).states).toEqual(['tenant_denied']);
  });

  it('is decided by its new time once a sweep ends that began after the advance', async () => {
    const [ada, bob] = [await world.tenant('Ada Park'), await world.tenant('Bob Stone')];
    await world.unit('A', movedIn('A', ada), facts({ balance_due: 5, paid_through_date: '2025-06-06' }));
    await world.unit('B', movedIn('B', bob), facts({ balance_due: 5, paid_through_date: '2025-07-20' }));
    const sandbox = { _id: COMPANY, ahead_seconds: (30 * DAY) / 1_000 };
    const decisions = inSandbox(sandbox);
    const { begun, goOn } = holdWrites();
    const running = decisions.sweep([COMPANY]);
    await begun;
    const waiting = decisions.sweep([COMPANY]);
    await decisions.sweep([]);
    sandbox.ahead_seconds = (90 * DAY) / 1_000;
    const advance = decisions.sweep([COMPANY]);
    goOn();
    await advance;
    expect([(await documentOf(ada)).states, (await documentOf(bob)).states]).toEqual([
      ['tenant_denied'],
      ['tenant_denied'],
    ]);
    await Promise.all([running, waiting]);
  });
});

describe('documents of tenants of which the store cannot tell whether they were replaced', () => {
  it.each([
    ['all were', () => true],
    ['none was', () => false],
    ['the first was', (place: number) => place === 0],
    ['the second was', (place: number) => place === 1],
  ])('(%s) are replaced again', async (_what, mayStore) => {
    const ada = await world.tenant('Ada Park');
    const bob = await world.tenant('Bob Stone');
    await world.unit('A', movedIn('A', ada), pastDue);
    await world.unit('A-2', movedIn('A-2', ada));
    await world.unit('B', movedIn('B', bob));
    const states = async () => [(await documentOf(ada)).states, (await documentOf(bob)).states];
    expect(await states()).toEqual([['tenant_denied'], ['tenant_permitted']]);

    const met = makeUnclear(world.store, TENANT_ACCESS.name, mayStore);
    await world.unit('A', movedIn('A', bob));
    expect(met.times).toBe(1);
    // The debt stays with the unit: what denied one tenant's other unit now denies the other's.
    expect(await states()).toEqual([['tenant_permitted'], ['tenant_denied']]);
    const held = async (tenant: typeof ada) =>
      (await world.read(tenant)).units.map(({ unit_name, reason }) => `${unit_name} ${reason}`);
    expect(await held(ada)).toEqual(['A-2 active']);
    expect(await held(bob)).toEqual(['A delinquent', 'B blanket_delinquency']);
  });
});
