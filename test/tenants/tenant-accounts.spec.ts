import type { AuditEntry } from '../../src/documents/audit-trail.js';
import { AUDIT_ENTRIES, AuditTrail } from '../../src/documents/audit-trail.js';
import { accountId, TENANT_ACCOUNTS } from '../../src/tenants/tenant-account.js';
import { TenantAccounts } from '../../src/tenants/tenant-accounts.js';
import { resultsAtOnce } from '../support/barrier.js';
import { makeUnclear } from '../support/unclear-writes.js';
import type { World } from './support/world.js';
import { COMPANY, OTHER_LOCATION, counting, keyOf, openWorld } from './support/world.js';

let world: World;
let accounts: TenantAccounts;

beforeEach(async () => {
  world = await openWorld();
  accounts = new TenantAccounts(world.records, world.ids, world.clock);
});
afterEach(() => world.close());

async function stored(pms_tenant_id: string) {
  const [account] = await accounts.find([keyOf(pms_tenant_id)]);
  return account;
}

async function resolve(keys: Parameters<TenantAccounts['resolve']>[0], by = accounts) {
  const { tenant_ids, release } = await by.resolve(keys);
  release();
  return tenant_ids;
}

describe('accounts that are created with what names them', () => {
  const joined = () => new TenantAccounts(world.records, world.ids, world.clock, true);

  it('have one id for all who create them at once, and are nobody’s until they are stored', async () => {
    const both = joined();
    const one = await both.resolve([keyOf('new')]);
    const other = await both.resolve([keyOf('new'), keyOf('new')]);
    expect(new Set([...one.tenant_ids, ...other.tenant_ids]).size).toBe(1);
    expect(await stored('new')).toBeUndefined();
    one.release();
    await world.records.write([other.inserts[0]!]);
    const details = { key: keyOf('new'), name: 'Ada Park' };
    await both.record([details]);
    other.release();
    expect(await stored('new')).toMatchObject({ tenant_id: one.tenant_ids[0], name: 'Ada Park' });
    expect((await both.resolve([keyOf('new')])).inserts).toEqual([undefined]);
  });

  it('have that id also where an operator is faster to store them', async () => {
    const both = joined();
    const pushed = await both.resolve([keyOf('new')]);
    const created = await both.create({ key: keyOf('new'), name: 'Ada Park' });
    expect(created).toMatchObject({ account: { tenant_id: pushed.tenant_ids[0] } });
  });

  it('are thought of anew where nothing came of them', async () => {
    const both = joined();
    const given = await both.resolve([keyOf('new')]);
    given.release();
    given.release();
    expect((await both.resolve([keyOf('new')])).tenant_ids).not.toEqual(given.tenant_ids);
  });
});

describe('resolving accounts', () => {
  it('creates what is missing once, in the order of the keys, repeated ones included', async () => {
    const [one, two, again] = await resolve([keyOf('t-1'), keyOf('t-2'), keyOf('t-1')]);
    expect(again).toBe(one);
    expect(two).not.toBe(one);
    expect(await resolve([keyOf('t-2'), keyOf('t-1')])).toEqual([two, one]);
  });

  it('takes the same PMS tenant at another location for another account', async () => {
    const [here, there] = await resolve([keyOf('t-1'), keyOf('t-1', OTHER_LOCATION)]);
    expect(here).not.toBe(there);
  });

  it('makes a document id of the longest key there can be', () => {
    expect(Buffer.byteLength(accountId(keyOf('😀'.repeat(255))))).toBeLessThan(1200);
  });

  it('costs one read and one write for 500, and no write the second time', async () => {
    const counted = counting(world.records);
    const many = new TenantAccounts(counted.store, world.ids, world.clock);
    const keys = Array.from({ length: 500 }, (_, index) => keyOf(`t-${index}`));
    await resolve(keys, many);
    expect([counted.reads(), counted.writes()]).toEqual([1, 1]);
    await resolve(keys, many);
    expect([counted.reads(), counted.writes()]).toEqual([2, 1]);
  });

  it('gives 20 at once one id for a new tenant', async () => {
    const answers = await resultsAtOnce(Array.from({ length: 20 }, () => () => resolve([keyOf('new')])));
    expect(new Set(answers.flat()).size).toBe(1);
    expect((await stored('new'))?.tenant_id).toBe(answers[0]?.[0]);
  });
});

describe('recording details', () => {
  it('creates, changes what is given, leaves what is absent and clears what is null', async () => {
    const key = keyOf('t-1');
    await accounts.record([{ key, name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' }]);
    const first = await stored('t-1');
    expect(first).toMatchObject({ name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' });
    await accounts.record([{ key, name: 'Ada Moss', email: null }]);
    expect(await stored('t-1')).toMatchObject({
      tenant_id: first?.tenant_id,
      name: 'Ada Moss',
      email: null,
      phone: '+13125550100',
    });
  });

  it.each([
    ['all', () => true],
    ['none', () => false],
    ['one', (place: number) => place === 1],
  ])('records again where the store cannot tell that it has stored %s of them', async (_what, mayStore) => {
    const named = (name: string) =>
      ['t-1', 't-2'].map((pms) => ({ key: keyOf(pms), name: `${name} ${pms}` }));
    await accounts.record(named('Ada'));
    const met = makeUnclear(world.records, TENANT_ACCOUNTS.name, mayStore);
    await accounts.record(named('Bea'));
    expect(met.times).toBe(1);
    expect([(await stored('t-1'))?.name, (await stored('t-2'))?.name]).toEqual(['Bea t-1', 'Bea t-2']);
  });

  it('writes nothing where nothing differs', async () => {
    const counted = counting(world.records);
    const own = new TenantAccounts(counted.store, world.ids, world.clock);
    const details = [{ key: keyOf('t-1'), name: 'Ada Park', phone: '+13125550100' }];
    await own.record(details);
    await own.record(details);
    expect(counted.writes()).toBe(1);
  });

  it('lets the later of two entries for one account stand', async () => {
    const key = keyOf('t-1');
    await accounts.record([
      { key, name: 'Ada', phone: '+13125550100' },
      { key, name: 'Ada Park', email: 'ada@example.com' },
    ]);
    expect(await stored('t-1')).toMatchObject({
      name: 'Ada Park',
      email: 'ada@example.com',
      phone: '+13125550100',
    });
  });

  it('loses no field to writers at the same time', async () => {
    const key = keyOf('t-1');
    await resultsAtOnce([
      ...Array.from(
        { length: 10 },
        () => () => accounts.record([{ key, name: 'Ada', email: 'ada@example.com' }]),
      ),
      ...Array.from(
        { length: 10 },
        () => () => accounts.record([{ key, name: 'Ada', phone: '+13125550100' }]),
      ),
    ]);
    expect(await stored('t-1')).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      phone: '+13125550100',
    });
  });
});

describe('looking accounts up', () => {
  it('finds them by tenant id in the order asked and by phone in the order made', async () => {
    const phone = '+13125550100';
    await accounts.record([{ key: keyOf('t-1'), name: 'Ada', phone }]);
    await accounts.record([{ key: keyOf('t-2'), name: 'Ben', phone }]);
    const found = await accounts.byPhone(phone);
    expect(found.map(({ name }) => name)).toEqual(['Ada', 'Ben']);
    const [ben, nobody, ada] = await accounts.byTenantId([
      found[1]!.tenant_id,
      'nobody',
      found[0]!.tenant_id,
    ]);
    expect([ben?.name, nobody, ada?.name]).toEqual(['Ben', undefined, 'Ada']);
  });
});

describe('an operator', () => {
  const details = { key: keyOf('t-1'), name: 'Ada Park', phone: '+13125550100' };

  it('creates an account once', async () => {
    expect(await accounts.create(details)).toMatchObject({ kind: 'created', account: { name: 'Ada Park' } });
    expect(await accounts.create(details)).toEqual({ kind: 'taken' });
  });

  it('completes the account that a flat push write made', async () => {
    const [tenant_id] = await resolve([details.key]);
    expect(await accounts.create(details)).toMatchObject({ kind: 'created', account: { tenant_id } });
  });

  it('is the only one of 20 at once to create it', async () => {
    const outcomes = await resultsAtOnce(Array.from({ length: 20 }, () => () => accounts.create(details)));
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  });

  it('leaves an audit entry that names the tenant by id only, and none where nothing was created', async () => {
    const audit = new AuditTrail(world.records, world.ids, world.clock);
    const create = () =>
      accounts.create(details, ({ tenant_id, company_id }) =>
        audit.entry({
          actor: { kind: 'operator', id: 'op-1' },
          action: 'tenant_created',
          company_id,
          subject: { tenant_id },
        }),
      );
    await create();
    await create();
    const trail = await world.records.collection<AuditEntry>(AUDIT_ENTRIES);
    const { documents } = await trail.find('company_id', { equals: [COMPANY], limit: 10 });
    expect(documents).toHaveLength(1);
    expect(documents[0]).toMatchObject({ action: 'tenant_created', actor: { kind: 'operator', id: 'op-1' } });
    expect(JSON.stringify(documents)).not.toMatch(/Ada|3125550100/);
  });
});

describe('an erased account', () => {
  it('keeps its id, has no details, is not found by phone and can be given details again', async () => {
    const key = keyOf('t-1');
    const phone = '+13125550100';
    await accounts.record([{ key, name: 'Ada Park', phone }]);
    const [tenant_id] = await resolve([key]);
    await accounts.forget(tenant_id!);
    await accounts.forget(tenant_id!);
    expect(await stored('t-1')).toMatchObject({ name: null, phone: null, erased_at: world.clock.now() });
    expect(await accounts.byPhone(phone)).toEqual([]);
    expect(await resolve([key])).toEqual([tenant_id]);
    await accounts.record([{ key, name: 'Ada Park' }]);
    expect(await stored('t-1')).toMatchObject({ tenant_id, name: 'Ada Park', erased_at: null });
  });
});
