import fc from 'fast-check';
import { encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { ACCESS_STATES, type AccessState, type UnitListFilter } from '#domain/access/index.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import {
  type AccessWorld,
  COMPANY,
  facts,
  movedIn,
  movedOut,
  openAccessWorld,
  pastDue,
  registered,
} from '../tenant-access/access-world.js';
import { runs, upTo } from '../../../support/campaign.js';

const LOCATIONS = ['location-1', 'location-2', 'location-3'];
const PERSONS = ['Ada', 'Ben'];

let world: AccessWorld;
/** By location, each with as many accounts as there are persons. */
let tenants: TenantPrincipal[][];
let units: Set<string>;

beforeEach(async () => {
  world = await openAccessWorld();
  [tenants, units] = [[], new Set()];
  for (const location of LOCATIONS) {
    await world.policy({}, location);
    tenants.push(await Promise.all(PERSONS.map((person) => world.tenant(person, location))));
  }
});
afterEach(() => world.close());

type Filter = Omit<UnitListFilter, 'cursor'>;

/** All pages of a list, by the names of the units. */
async function pagesOf(filter: Filter): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await world.list({ ...filter, cursor });
    pages.push(page.units.map(({ unit }) => unit.crm_unit_id));
    cursor = page.next_cursor;
  }
  return pages;
}

const COMMANDS = {
  in: (unit: string, tenant: TenantPrincipal) => movedIn(unit, tenant),
  out: () => movedOut,
  'past due': () => pastDue,
  'auction begins': () => facts({ pms_auction: true }),
  'auction ends': () => facts({ pms_auction: false }),
  'not for rent': () => facts({ pms_unrentable: true }),
  exempted: () => facts({ pms_lock_exempt: true }),
  paid: () => facts({ balance_due: 0 }),
};

const step = fc.record({
  unit: fc.integer({ min: 0, max: 11 }),
  what: fc.constantFrom(...(Object.keys(COMMANDS) as (keyof typeof COMMANDS)[])),
  person: fc.integer({ min: 0, max: PERSONS.length - 1 }),
});

/** The units lie at one location after the other in turn. */
async function play(steps: readonly { unit: number; what: keyof typeof COMMANDS; person: number }[]) {
  for (const { unit, what, person } of steps) {
    const [name, place] = [`U-${unit}`, unit % LOCATIONS.length];
    const command = COMMANDS[what](name, tenants[place]![person]!);
    await world.unit(name, ...(units.has(name) ? [] : [registered(name, LOCATIONS[place])]), command);
    units.add(name);
  }
}

describe('a list', () => {
  it('holds each unit with its state once, whatever happened, in pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (steps, limit) => {
          await play(steps);
          const all = await world.list({ company_id: COMPANY, limit: 500 });
          for (const location_id of [undefined, ...LOCATIONS]) {
            for (const state of [undefined, ...ACCESS_STATES]) {
              const pages = await pagesOf({ company_id: COMPANY, location_id, state, limit });
              const expected = all.units.filter(
                ({ unit, decision }) =>
                  unit.location_id === (location_id ?? unit.location_id) &&
                  decision.state === (state ?? decision.state),
              );
              expect(pages.flat().sort()).toEqual(expected.map(({ unit }) => unit.crm_unit_id).sort());
              expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit);
            }
          }
        },
      ),
      runs(upTo(10, 25)),
    );
  });

  it('for a reason has full pages, and holds what the whole list holds for it', async () => {
    const all = Array.from({ length: 24 }, (_, unit) => ({ unit, what: 'in' as const, person: unit % 2 }));
    const exempt = [2, 9, 10, 13, 22].map((unit) => ({ unit, what: 'exempted' as const, person: 0 }));
    await play([...all, ...exempt]);
    for (const filter of [{}, { state: 'tenant_permitted' as const }]) {
      const pages = await pagesOf({ company_id: COMPANY, reason: 'pms_exempt', ...filter, limit: 2 });
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
      expect(pages.flat().sort()).toEqual(['U-10', 'U-13', 'U-2', 'U-22', 'U-9']);
    }
    const reason = 'delinquent';
    expect(await pagesOf({ company_id: COMPANY, state: 'vacant', reason, limit: 2 })).toEqual([[]]);
  });

  it('of retired units alone has full pages', async () => {
    await play([0, 1, 3, 6, 9].map((unit) => ({ unit, what: 'past due', person: 0 })));
    for (const unit of ['U-3', 'U-6', 'U-9']) await world.unit(unit, { type: 'RetireUnit' });
    expect(await pagesOf({ company_id: COMPANY, retired: true, limit: 2 })).toEqual([
      ['U-3', 'U-6'],
      ['U-9'],
    ]);
    expect(await pagesOf({ company_id: COMPANY, limit: 2 })).toEqual([['U-0', 'U-1']]);
  });

  it('without a state goes from location to location, at each in the order of the units’ ids', async () => {
    await play([5, 1, 3, 4, 0].map((unit) => ({ unit, what: 'past due', person: 0 })));
    expect(await pagesOf({ company_id: COMPANY, limit: 2 })).toEqual([
      ['U-0', 'U-3'],
      ['U-1', 'U-4'],
      ['U-5'],
    ]);
  });

  it('ends with a page that says so, also where a page within is full or ends among a tenant’s units', async () => {
    await play([0, 3, 6, 9].map((unit) => ({ unit, what: 'in', person: 0 })));
    const filter = { company_id: COMPANY, state: 'tenant_permitted' as const };
    expect(await pagesOf({ ...filter, limit: 2 })).toEqual([
      ['U-0', 'U-3'],
      ['U-6', 'U-9'],
    ]);
    expect(await pagesOf({ ...filter, limit: 3 })).toEqual([['U-0', 'U-3', 'U-6'], ['U-9']]);
  });

  it('reads through so many locations at once and no more', async () => {
    for (let number = 100; number < 350; number += 1) await world.policy({}, `location-${number}`);
    const last = await world.tenant('Ada', 'location-349');
    await world.unit('far', movedIn('far', last));
    expect(await pagesOf({ company_id: COMPANY, state: 'tenant_permitted', limit: 5 })).toEqual([
      [],
      [],
      ['far'],
    ]);
  });

  it('takes as many reads for a page of many units as for one of few', async () => {
    const many = Array.from({ length: 60 }, (_, number) => 3 * number);
    await play(many.map((unit) => ({ unit, what: unit % 2 === 0 ? 'in' : 'auction begins', person: 0 })));
    const readsOf = async (filter: Omit<UnitListFilter, 'company_id'>) => {
      const before = world.reads.count;
      const page = await world.list({ company_id: COMPANY, location_id: LOCATIONS[0], ...filter });
      return [page.units.length, world.reads.count - before];
    };
    expect(await readsOf({ limit: 500, state: 'auction' })).toEqual([30, 6]);
    expect(await readsOf({ limit: 500, state: 'tenant_permitted' })).toEqual([30, 6]);
    expect(await readsOf({ limit: 3, state: 'tenant_permitted' })).toEqual([3, 6]);
    expect(await readsOf({ limit: 500 })).toEqual([60, 5]);
  });

  it.each([
    ['another company’s location', 'company-2', [LOCATIONS[0], 'all', '0']],
    ['a location that is not there', COMPANY, ['elsewhere', 'all']],
    ['a part that is not listed', COMPANY, [LOCATIONS[0], 'rented']],
    ['what is no text', COMPANY, [LOCATIONS[0], 'all', {}]],
    ['nothing', COMPANY, []],
    ['null', COMPANY, null],
    ['a number', COMPANY, 5],
    ['an object', COMPANY, {}],
  ])('refuses a cursor that was made up, with the place of %s', async (_case, company_id, place) => {
    await play([0, 1, 2, 3].map((unit) => ({ unit, what: 'past due', person: 0 })));
    const cursor = encodeCursor(place, ['units', [company_id], undefined, undefined]);
    await expect(world.list({ company_id, limit: 9, cursor })).rejects.toThrow(InvalidCursorError);
  });

  it('refuses the cursor of another', async () => {
    await play([0, 1, 2, 3].map((unit) => ({ unit, what: 'past due', person: 0 })));
    const { next_cursor } = await world.list({ company_id: COMPANY, state: 'vacant', limit: 1 });
    const cursor = next_cursor!;
    const others: Filter[] = [
      { company_id: COMPANY, limit: 1 },
      { company_id: 'company-2', state: 'vacant', limit: 1 },
      { company_id: COMPANY, location_id: LOCATIONS[0], state: 'vacant', limit: 1 },
      { company_id: COMPANY, state: 'auction', limit: 1 },
      { limit: 1 },
    ];
    for (const other of others) {
      await expect(world.list({ ...other, cursor })).rejects.toThrow(InvalidCursorError);
    }
    const state: AccessState = 'vacant';
    expect((await world.list({ company_id: COMPANY, state, limit: 9, cursor })).units).toHaveLength(3);
  });
});
