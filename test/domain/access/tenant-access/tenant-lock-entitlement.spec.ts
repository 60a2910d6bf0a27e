import type { TenantPrincipal } from '#kernel/principals.js';
import type { AccessWorld } from './access-world.js';
import { idOf, movedIn, movedOut, openAccessWorld, shared, unshared } from './access-world.js';

const HOUR = 60 * 60_000;

let world: AccessWorld;
let start: number;
let ada: TenantPrincipal;
let bob: TenantPrincipal;
let eve: TenantPrincipal;

/** Hour by hour: Ada rents A and B, shares A with Bob from 1 to 3, leaves B at 2; Bob takes A at 4; Ada is back on B at 5. */
beforeAll(async () => {
  world = await openAccessWorld();
  start = world.clock.now();
  ada = await world.tenant('Ada');
  bob = await world.tenant('Bob');
  eve = await world.tenant('Eve');
  await world.unit('A', movedIn('A', ada));
  await world.unit('B', movedIn('B', ada));
  const steps = [
    () => world.unit('A', shared(bob)),
    () => world.unit('B', movedOut),
    () => world.unit('A', unshared(bob)),
    () => world.unit('A', movedIn('A', bob)),
    () => world.unit('B', movedIn('B', ada)),
  ];
  for (const step of steps) {
    world.clock.advance(HOUR);
    await step();
  }
  const [from, until] = [start + HOUR, start + 2 * HOUR];
  await world.zoneStays('A', ['zone-a'], [{ zone_id: 'zone-left', from, until }]);
  await world.zoneStays('B', ['zone-b']);
});
afterAll(() => world.close());

/** For each hour, counted in halves between the steps, whether the tenant had it then. */
function hours(had: (at: number) => Promise<boolean>): Promise<boolean[]> {
  return Promise.all([-0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5].map((hour) => had(start + hour * HOUR)));
}

const [yes, no] = [true, false];

describe('a unit', () => {
  it.each([
    ['A', () => ada, [no, yes, yes, yes, yes, no, no]],
    ['A', () => bob, [no, no, yes, yes, no, yes, yes]],
    ['A', () => eve, [no, no, no, no, no, no, no]],
    ['B', () => ada, [no, yes, yes, no, no, no, yes]],
    ['B', () => bob, [no, no, no, no, no, no, no]],
  ])('%s was had by whoever rented or shared it at the instant', async (unit, tenant, expected) => {
    expect(await hours((at) => world.entitlement.openUnitsOf(tenant()).hadUnit(idOf(unit), at))).toEqual(
      expected,
    );
  });

  it('was had until the instant at which a share ended by itself', async () => {
    const at = world.clock.now();
    await world.unit('C', movedIn('C', ada), shared(bob, at + HOUR));
    const rights = world.entitlement.openUnitsOf(bob);
    const had = (instant: number) => rights.hadUnit(idOf('C'), instant);
    expect(await Promise.all([at, at + HOUR - 1, at + HOUR].map(had))).toEqual([yes, yes, no]);
    world.clock.advance(2 * HOUR);
    await world.unit('C', unshared(bob));
    const later = world.entitlement.openUnitsOf(bob);
    expect(await later.hadUnit(idOf('C'), at + HOUR)).toBe(no);
  });

  it('was had again where a share was given another end', async () => {
    const at = world.clock.now();
    await world.unit('D', movedIn('D', ada), shared(bob, at + HOUR));
    world.clock.advance(2 * HOUR);
    await world.unit('D', shared(bob, at + 4 * HOUR));
    const rights = world.entitlement.openUnitsOf(bob);
    const hoursAfter = [0.5, 1.5, 2.5, 4.5].map((hour) => rights.hadUnit(idOf('D'), at + hour * HOUR));
    expect(await Promise.all(hoursAfter)).toEqual([yes, no, yes, no]);
  });

  it('costs one event of its stream where the tenant still rents it', async () => {
    const read = jest.spyOn(world.events, 'readStream');
    await world.entitlement.openUnitsOf(bob).hadUnit(idOf('A'), world.clock.now());
    expect(read.mock.calls.map(([, options]) => options?.limit)).toEqual([1]);
    read.mockRestore();
  });
});

describe('the rights of one request', () => {
  it('are the same at each instant as those of a request for each', async () => {
    const rights = world.entitlement.openUnitsOf(ada);
    expect(await hours((at) => rights.hadUnit(idOf('B'), at))).toEqual([no, yes, yes, no, no, no, yes]);
    expect(await hours((at) => rights.hadUnitInZones(['zone-left'], at))).toEqual([
      no,
      no,
      yes,
      no,
      no,
      no,
      no,
    ]);
  });

  it('read the stream of a unit that the tenant left once for 100 instants', async () => {
    const read = jest.spyOn(world.events, 'readStream');
    const rights = world.entitlement.openUnitsOf(ada);
    for (let minutes = 0; minutes < 100; minutes += 1)
      expect(await rights.hadUnit(idOf('A'), start + 5 * HOUR + minutes * 60_000)).toBe(false);
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });
});

describe('a unit in a zone', () => {
  it('was had likewise', async () => {
    const had = (tenant: TenantPrincipal, ...zones: string[]) =>
      hours((at) => world.entitlement.openUnitsOf(tenant).hadUnitInZones(zones, at));
    expect(await had(ada, 'zone-x', 'zone-a')).toEqual([no, yes, yes, yes, yes, no, no]);
    expect(await had(ada, 'zone-b')).toEqual([no, yes, yes, no, no, no, yes]);
    expect(await had(bob, 'zone-b')).toEqual([no, no, no, no, no, no, no]);
    expect(await had(ada)).toEqual([no, no, no, no, no, no, no]);
  });

  it('counts for as long as it was in the zone, wherever it is now', async () => {
    const had = (tenant: TenantPrincipal) =>
      hours((at) => world.entitlement.openUnitsOf(tenant).hadUnitInZones(['zone-left'], at));
    expect(await had(ada)).toEqual([no, no, yes, no, no, no, no]);
    expect(await had(bob)).toEqual([no, no, yes, no, no, no, no]);
    expect(await had(eve)).toEqual([no, no, no, no, no, no, no]);
  });
});
