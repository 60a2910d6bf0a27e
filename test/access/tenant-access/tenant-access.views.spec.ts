import { TENANT_ACCESS } from '../../../src/access/tenant-access/tenant-access.documents.js';
import { TenantAccessViews } from '../../../src/access/tenant-access/tenant-access.views.js';
import { UNIT_ACCESS } from '../../../src/access/unit-access/unit-access.documents.js';
import { StoreUnavailableError } from '../../../src/storage/store.errors.js';
import { foldOnto, toDomainEvent } from '../../../src/writing/stored-stream.js';
import { ViewsGate } from '../../../src/writing/views-gate.js';
import type { UnitEvent } from '../../../src/units/core/unit.events.js';
import { unitStream } from '../../../src/units/index.js';
import { makeUnclear } from '../../support/unclear-writes.js';
import { waitUntil } from '../../support/wait-until.js';
import { calendar } from '../support/subjects.js';
import {
  type AccessWorld,
  COMPANY,
  facts,
  idOf,
  movedIn,
  movedOut,
  openAccessWorld,
  pastDue,
} from './access-world.js';

const DAY = 24 * 60 * 60_000;

let world: AccessWorld;

beforeEach(async () => {
  world = await openAccessWorld();
});
afterEach(() => world.close());

async function states(...units: string[]) {
  const rows = await world.store.collection(UNIT_ACCESS);
  const found = await rows.getMany(units.map((unit) => idOf(unit)));
  return found.map((row) => row!.state);
}

/** Does something that fails because it cannot write to a collection. */
async function withoutWritesTo(collection: string, work: () => Promise<void>): Promise<void> {
  const write = world.store.write.bind(world.store);
  world.store.write = (writes) =>
    writes.some((one) => one.collection === collection)
      ? Promise.reject(new StoreUnavailableError('Out of reach.', false))
      : write(writes);
  try {
    await expect(work()).rejects.toThrow('Out of reach.');
  } finally {
    world.store.write = write;
  }
}

/** Brings the newest events of a unit to the views once more, as the catch-up does. */
async function bringAgain(unit: string, count: number): Promise<void> {
  const stream = unitStream(COMPANY, unit);
  const recorded = await world.events.readStream(stream);
  const all = recorded.map((event) => toDomainEvent<UnitEvent>(world.kind, event));
  const after = foldOnto(world.kind, undefined, all)!;
  await world.kind.project([{ stream, events: all.slice(-count), after }]);
}

describe('a change that was cut off between its views', () => {
  it('has its rows written when the catch-up brings it together with a later one', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada));
    await world.unit('A-2', movedIn('A-2', ada));
    await withoutWritesTo(UNIT_ACCESS.name, () => world.unit('A', pastDue));
    await withoutWritesTo(TENANT_ACCESS.name, () => world.unit('A', facts({ balance_due: 6 })));
    await bringAgain('A', 2);
    expect(await states('A', 'A-2')).toEqual(['tenant_denied', 'tenant_denied']);
  });

  it('has its rows written by the next change before that is answered', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada));
    await world.unit('A-2', movedIn('A-2', ada));
    await withoutWritesTo(UNIT_ACCESS.name, () => world.unit('A', pastDue));
    await world.unit('A', facts({ balance_due: 6 }));
    expect(await states('A', 'A-2')).toEqual(['tenant_denied', 'tenant_denied']);
  });

  it('has its row replaced where the tenant’s document never knew of it', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada));
    await withoutWritesTo(TENANT_ACCESS.name, () => world.unit('A', movedOut));
    // Rows of units that nobody rents are written beside the documents.
    await waitUntil(
      () => states('A'),
      ([state]) => state === 'vacant',
    );
    const back = movedIn('A', ada, { tenancy_id: 'second', ledger_id: 'L-2' });
    await withoutWritesTo(TENANT_ACCESS.name, () => world.unit('A', back));
    await bringAgain('A', 2);
    expect(await states('A')).toEqual(['tenant_permitted']);
  });
});

describe('a sweep that has stored a document and not its rows', () => {
  it('leaves them to whoever takes the mark from the document that it is due', async () => {
    const ada = await world.tenant('Ada Park');
    await world.unit('A', movedIn('A', ada), facts({ balance_due: 5, paid_through_date: '2025-06-06' }));
    await world.unit('A-2', movedIn('A-2', ada));
    expect(await states('A', 'A-2')).toEqual(['tenant_permitted', 'tenant_permitted']);

    world.clock.advance(30 * DAY);
    const views = new TenantAccessViews(world.store, world.clock, calendar, world.sites, new ViewsGate());
    await withoutWritesTo(UNIT_ACCESS.name, () => views.sweep());

    await world.unit('A', facts({ balance_due: 6 }));
    await views.sweep();
    expect(await states('A', 'A-2')).toEqual(['tenant_denied', 'tenant_denied']);
  });
});

describe('documents of tenants of which the store cannot tell whether they were replaced', () => {
  it.each([
    ['all were', () => true],
    ['none was', () => false],
    ['the first was', (place: number) => place === 0],
    ['the second was', (place: number) => place === 1],
  ])('(%s) are replaced again, with the rows of every unit in them', async (_what, mayStore) => {
    const ada = await world.tenant('Ada Park');
    const bob = await world.tenant('Bob Stone');
    await world.unit('A', movedIn('A', ada), pastDue);
    await world.unit('A-2', movedIn('A-2', ada));
    await world.unit('B', movedIn('B', bob));
    expect(await states('A', 'A-2', 'B')).toEqual(['tenant_denied', 'tenant_denied', 'tenant_permitted']);

    const met = makeUnclear(world.store, TENANT_ACCESS.name, mayStore);
    await world.unit('A', movedIn('A', bob));
    expect(met.times).toBe(1);
    // The debt stays with the unit: what denied one tenant's other unit now denies the other's.
    expect(await states('A', 'A-2', 'B')).toEqual(['tenant_denied', 'tenant_permitted', 'tenant_denied']);
    const held = async (tenant: typeof ada) =>
      (await world.read(tenant)).units.map(({ unit_name, reason }) => `${unit_name} ${reason}`);
    expect(await held(ada)).toEqual(['A-2 active']);
    expect(await held(bob)).toEqual(['A delinquent', 'B blanket_delinquency']);
  });
});
