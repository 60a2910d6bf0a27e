import { InvalidCursorError } from '#kernel/cursor.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { LOCATIONS } from '#domain/locations/location.documents.js';
import { newAccount, TENANT_ACCOUNTS, withDetails } from '#domain/tenants/tenant-account.js';
import { type SearchedCompanies, TenantSearch } from '#domain/tenants/index.js';
import { counting, openWorld, type World } from './support/world.js';

const COMPANIES = Array.from({ length: 300 }, (_, number) => `C-${String(number).padStart(3, '0')}`);
/** More finds than this no page makes, however many companies there are. */
const MOST_FINDS = 1_000;

let world: World;
let counted: ReturnType<typeof counting>;
let search: TenantSearch;

beforeEach(async () => {
  world = await openWorld();
  counted = counting(world.records);
  search = new TenantSearch(counted.store, new LocationDirectory(world.views));
});
afterEach(() => world.close());

interface Person {
  readonly name: string;
  readonly email?: string;
  readonly phone?: string;
}

type Given = readonly [company_id: string, pms_tenant_id: string, person: Person];

const give = (...given: Given): Promise<void> => giveAll([given]);

async function giveAll(given: readonly Given[]): Promise<void> {
  const documents = given.map(([company_id, pms_tenant_id, person]) => {
    const key = { company_id, location_id: `${company_id}-L`, pms_tenant_id };
    return withDetails(newAccount(key, `${company_id}-${pms_tenant_id}`, 0), person);
  });
  await world.records.collection(TENANT_ACCOUNTS);
  await world.records.write(
    documents.map((document) => ({ kind: 'put', collection: TENANT_ACCOUNTS.name, document })),
  );
  await world.views.collection(LOCATIONS);
  await world.views.write(
    documents.map(({ location_id, company_id }) => ({
      kind: 'put',
      collection: LOCATIONS.name,
      document: { _id: location_id, company_id },
    })),
  );
}

async function page(
  q: string | undefined,
  limit: number,
  { companies = COMPANIES, cursor }: { companies?: SearchedCompanies; cursor?: string | undefined } = {},
) {
  const before = counted.reads();
  const { tenants, next_cursor } = await search.page({ companies, q, limit, cursor });
  return {
    ids: tenants.map(({ tenant_id }) => tenant_id),
    next_cursor,
    finds: counted.reads() - before,
  };
}

/** All pages of a search. */
async function pages(
  q: string | undefined,
  limit: number,
  companies: SearchedCompanies = COMPANIES,
): Promise<string[][]> {
  const told: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { ids, next_cursor, finds } = await page(q, limit, { companies, cursor });
    expect(ids.length).toBeLessThanOrEqual(limit);
    expect(finds).toBeLessThanOrEqual(MOST_FINDS);
    told.push(ids);
    cursor = next_cursor;
  }
  return told;
}

describe('among the tenants of hundreds of companies', () => {
  it.each(
    ['+13125550100', '(312) 555-0100', 'Ada@example.com', 'PMS-17'].flatMap((q) => [
      [q, COMPANIES] as const,
      [q, 'all'] as const,
    ]),
  )('the one whom %s is of stands on the first page', async (q, companies) => {
    await giveAll(COMPANIES.map((company_id) => [company_id, 'T-0', { name: 'Bob' }]));
    const person = { name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' };
    await give(COMPANIES.at(-1)!, 'PMS-17', person);
    const first = await page(q, 20, { companies });
    expect(first.ids).toEqual([`${COMPANIES.at(-1)}-PMS-17`]);
    expect(first.finds).toBeLessThanOrEqual(MOST_FINDS);
  });

  it('the last word of a long name finds on the first page, where all companies are searched', async () => {
    await giveAll(COMPANIES.map((company_id) => [company_id, 'T-0', { name: 'Bob' }]));
    await give(COMPANIES.at(-1)!, 'T-1', { name: 'Ada Bea Cyd Dee Eve Fay Gia Park' });
    await give('Z-999', 'T-1', { name: 'Ada Bea Cyd Dee Eve Fay Gia Park' });
    const first = await page('park', 20, { companies: 'all' });
    expect(first.ids).toEqual([`${COMPANIES.at(-1)}-T-1`, 'Z-999-T-1']);
    expect(first.finds).toBeLessThanOrEqual(MOST_FINDS);
    expect(first.next_cursor).toBeNull();
  });

  it('a cursor of the search of all companies is none of a search of some', async () => {
    await give('C-000', 'T-1', { name: 'Ann' });
    await give('C-001', 'T-1', { name: 'Ann' });
    const { next_cursor } = await page('ann', 1, { companies: 'all' });
    await expect(page('ann', 1, { cursor: next_cursor! })).rejects.toThrow(InvalidCursorError);
  });

  it.each([1, 2, 3, 20].flatMap((limit) => [[limit, COMPANIES] as const, [limit, 'all'] as const]))(
    'a name is told in pages of %d, each tenant once and none lost',
    async (limit, companies) => {
      const given = COMPANIES.filter((_, number) => number % 23 < 3).flatMap((company_id) =>
        [0, 1, 2].map((number): Given => {
          const name = number === 2 ? 'Zoe Ann' : `Ann Annabel ${number}`;
          return [company_id, `T-${number}`, { name }];
        }),
      );
      await giveAll(given);
      const ids = given.map(([company_id, pms_tenant_id]) => `${company_id}-${pms_tenant_id}`);
      const told = (await pages('ann', limit, companies)).flat();
      expect(told).toHaveLength(ids.length);
      expect(told.toSorted()).toEqual(ids);
      expect((await pages(undefined, limit, companies)).flat()).toEqual(ids);
    },
  );
});
