import type { TenantPrincipal } from '../../../src/http/index.js';
import type { AccessWorld } from './access-world.js';
import { movedIn, movedOut, openAccessWorld, shared } from './access-world.js';

let world: AccessWorld;
let ada: TenantPrincipal;
let bob: TenantPrincipal;
let eve: TenantPrincipal;

beforeAll(async () => {
  world = await openAccessWorld();
  ada = await world.tenant('Ada');
  bob = await world.tenant('Bob');
  eve = await world.tenant('Eve');
  await world.unit('A', movedIn('A', ada), shared(bob));
  await world.unit('B', movedIn('B', ada), movedOut);
  await world.unit('C', movedIn('C', ada), movedIn('C', bob));
  await world.zone('A', 'zone-a');
  await world.zone('B', 'zone-b');
});
afterAll(() => world.close());

describe('a report about a lock', () => {
  it('is taken from those who have or had its unit', async () => {
    const may = async (principal: TenantPrincipal, unit: string) =>
      world.entitlement.mayReportLock(principal, await world.lock(`lock-${unit}`, unit));
    expect(await Promise.all([may(ada, 'A'), may(bob, 'A'), may(eve, 'A')])).toEqual([true, true, false]);
    expect(await Promise.all([may(ada, 'B'), may(bob, 'B'), may(eve, 'B')])).toEqual([true, false, false]);
    expect(await Promise.all([may(ada, 'C'), may(bob, 'C'), may(eve, 'C')])).toEqual([true, true, false]);
  });

  it('is not taken where the lock is on no unit', async () => {
    expect(await world.entitlement.mayReportLock(ada, await world.lock('spare', null))).toBe(false);
  });

  it('is not taken for another company', async () => {
    const lock = { ...(await world.lock('lock-A', 'A')), company_id: 'company-2' };
    expect(await world.entitlement.mayReportLock(ada, lock)).toBe(false);
  });
});

describe('a report about an entry point', () => {
  it('is taken from those who have or had a unit in one of its zones', async () => {
    const gate = await world.entryPoint('gate', ['zone-x', 'zone-a']);
    const back = await world.entryPoint('back', ['zone-b']);
    const may = (principal: TenantPrincipal, entry_point: typeof gate) =>
      world.entitlement.mayReportEntryPoint(principal, entry_point);
    expect(await Promise.all([may(ada, gate), may(bob, gate), may(eve, gate)])).toEqual([true, true, false]);
    expect(await Promise.all([may(ada, back), may(bob, back), may(eve, back)])).toEqual([true, false, false]);
  });

  it('is not taken where it serves no zone, or for another company', async () => {
    const none = await world.entryPoint('none', []);
    const foreign = await world.entryPoint('foreign', ['zone-a'], { company_id: 'company-2' });
    expect(await world.entitlement.mayReportEntryPoint(ada, none)).toBe(false);
    expect(await world.entitlement.mayReportEntryPoint(ada, foreign)).toBe(false);
  });
});
