import { TENANT_ACCESS } from '../../../src/access/tenant-access/tenant-access.documents.js';
import { UNIT_ACCESS } from '../../../src/access/unit-access/unit-access.documents.js';
import type { DocumentWrite } from '../../../src/documents/document-store.js';
import { type AccessWorld, idOf, movedIn, openAccessWorld, pastDue } from './access-world.js';

let world: AccessWorld;

beforeEach(async () => {
  world = await openAccessWorld();
});
afterEach(() => world.close());

const isReplacement = (write: DocumentWrite) =>
  write.collection === TENANT_ACCESS.name && write.kind === 'compare_and_set' && write.expected !== null;

/** Lets the next call that replaces several documents store those that it may, and tell of none. @returns how often */
function makeUnclear(mayStore: (place: number) => boolean): { times: number } {
  const met = { times: 0 };
  const write = world.store.write.bind(world.store);
  world.store.write = async (writes) => {
    const replacements = writes.filter(isReplacement);
    if (replacements.length < 2 || met.times > 0) return write(writes);
    met.times += 1;
    await write(writes.filter((one) => !isReplacement(one) || mayStore(replacements.indexOf(one))));
    return writes.map(() => ({ kind: 'unclear' }));
  };
  return met;
}

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
    const states = async () => {
      const rows = await world.store.collection(UNIT_ACCESS);
      const found = await rows.getMany(['A', 'A-2', 'B'].map((name) => idOf(name)));
      return found.map((row) => row!.state);
    };
    expect(await states()).toEqual(['tenant_denied', 'tenant_denied', 'tenant_permitted']);

    const met = makeUnclear(mayStore);
    await world.unit('A', movedIn('A', bob));
    expect(met.times).toBe(1);
    // The debt stays with the unit: what denied one tenant's other unit now denies the other's.
    expect(await states()).toEqual(['tenant_denied', 'tenant_permitted', 'tenant_denied']);
    const held = async (tenant: typeof ada) =>
      (await world.read(tenant)).units.map(({ unit_name, reason }) => `${unit_name} ${reason}`);
    expect(await held(ada)).toEqual(['A-2 active']);
    expect(await held(bob)).toEqual(['A delinquent', 'B blanket_delinquency']);
  });
});
