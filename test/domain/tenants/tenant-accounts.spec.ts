import { withMembers } from '../../support/with-members.js';
import { accountId, TENANT_ACCOUNTS, type TenantKey } from '#domain/tenants/tenant-account.js';
import type { TenantAccounts } from '#domain/tenants/tenant-accounts.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { makeUnclear } from '../../support/unclear-writes.js';
import { aContext, accountWriters, makeAccounts, recordDetails } from './support/details.js';
import { type World, OTHER_LOCATION, counting, keyOf, openWorld } from './support/world.js';

const PLACE = { phone: '+13125550100', id: 'home', isKnown: false };
let world: World;
let accounts: TenantAccounts;
let writers: ReturnType<typeof accountWriters>;

beforeEach(async () => {
  world = await openWorld();
  writers = accountWriters(world);
  accounts = writers.accounts;
});
afterEach(() => world.close());

async function stored(pms_tenant_id: string) {
  const [account] = await accounts.find([keyOf(pms_tenant_id)]);
  return account;
}

const made = (...keys: TenantKey[]) => makeAccounts(writers, keys);

describe('a new account', () => {
  const person = { key: keyOf('new'), name: 'Ada Park', phone: '+13125550100' };

  it.each([
    ['embedded', true, 'Ada Park'],
    ['on servers', false, null],
  ] as const)('holds its person only if it is stored with the events: %s', (_stores, embedded, name) => {
    const { accounts: any } = accountWriters(world, embedded);
    expect(any.newAccount(person.key, 7, person)).toMatchObject({ name, created_at: 7, erased_at: null });
  });

  it('is completed after the events, which is no change', async () => {
    const { created } = await made(person.key);
    // A login looks it up by its phone.
    expect(await accounts.byPhone(person.phone)).toEqual([]);
    const before = await world.events.readAll({ limit: 10 });
    expect(await writers.details.record([person], aContext(), created)).toEqual([
      { kind: 'changed', fields: ['name', 'phone'] },
    ]);
    expect(await stored('new')).toMatchObject({ name: 'Ada Park', phone: person.phone });
    expect(await world.events.readAll({ limit: 10 })).toEqual(before);
    await writers.details.record([{ ...person, phone: null }], aContext(), created);
    expect(await world.events.readAll({ limit: 10 })).toHaveLength(before.length + 1);
  });

  it('is completed without a read, unless somebody has changed it since', async () => {
    const counted = counting(world.records);
    const other = accountWriters({ ...world, records: counted.store });
    const { created } = await made(person.key);
    await other.details.record([person], aContext(), created);
    expect([counted.reads(), counted.writes()]).toEqual([0, 1]);
    await writers.details.record([{ ...person, name: 'Ada Moss' }], aContext());
    await other.details.record([person], aContext(), created);
    expect(await stored('new')).toMatchObject({ name: 'Ada Park', phone: '+13125550100' });
    expect(counted.reads()).toBe(1);
  });

  it('is another one at another location', async () => {
    const { tenant_ids } = await made(keyOf('t-1'), keyOf('t-1', OTHER_LOCATION));
    expect(new Set(tenant_ids).size).toBe(2);
  });

  it('has a document id that every store takes, however long its key', () => {
    expect(Buffer.byteLength(accountId(keyOf('😀'.repeat(255))))).toBeLessThan(1200);
  });
});

describe('recording details', () => {
  it('creates, changes what is given, leaves what is absent and clears what is null', async () => {
    const key = keyOf('t-1');
    await recordDetails(writers, [
      { key, name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' },
    ]);
    const first = await stored('t-1');
    expect(first).toMatchObject({ name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' });
    await recordDetails(writers, [{ key, name: 'Ada Moss', email: null }]);
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
    await recordDetails(writers, named('Ada'));
    const met = makeUnclear(world.records, TENANT_ACCOUNTS.name, mayStore);
    await recordDetails(writers, named('Bea'));
    expect(met.times).toBe(1);
    expect([(await stored('t-1'))?.name, (await stored('t-2'))?.name]).toEqual(['Bea t-1', 'Bea t-2']);
  });

  it('writes nothing where nothing differs', async () => {
    const details = [{ key: keyOf('t-1'), name: 'Ada Park', phone: '+13125550100' }];
    await recordDetails(writers, details);
    const first = await stored('t-1');
    await recordDetails(writers, details);
    expect(await stored('t-1')).toEqual(first);
  });

  it('lets the later of two entries for one account stand', async () => {
    const key = keyOf('t-1');
    await recordDetails(writers, [
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
        () => () => recordDetails(writers, [{ key, name: 'Ada', email: 'ada@example.com' }]),
      ),
      ...Array.from(
        { length: 10 },
        () => () => recordDetails(writers, [{ key, name: 'Ada', phone: '+13125550100' }]),
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
    await recordDetails(writers, [{ key: keyOf('t-1'), name: 'Ada', phone }]);
    await recordDetails(writers, [{ key: keyOf('t-2'), name: 'Ben', phone }]);
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
    expect(await writers.details.create(details, aContext())).toMatchObject({
      kind: 'created',
      account: { name: 'Ada Park' },
    });
    expect(await writers.details.create(details, aContext())).toEqual({ kind: 'taken' });
  });

  it('completes the account that a flat push write made', async () => {
    const {
      tenant_ids: [tenant_id],
    } = await made(details.key);
    expect(await writers.details.create(details, aContext())).toMatchObject({
      kind: 'created',
      account: { tenant_id },
    });
  });

  it('is the only one of 20 at once to create it', async () => {
    const outcomes = await resultsAtOnce(
      Array.from({ length: 20 }, () => () => writers.details.create(details, aContext())),
    );
    expect(outcomes.filter(({ kind }) => kind === 'created')).toHaveLength(1);
  });
});

describe('an erased account', () => {
  const key = keyOf('t-1');
  const phone = '+13125550100';

  beforeEach(async () => {
    await recordDetails(writers, [{ key, name: 'Ada Park', phone }]);
    const { tenant_id } = (await stored('t-1'))!;
    await writers.erasure.erase(tenant_id, aContext());
    await writers.erasure.erase(tenant_id, aContext());
  });

  it('keeps its id, has no details, is not found by phone, and no PMS gives it a person again', async () => {
    const account = await stored('t-1');
    expect(account).toMatchObject({ name: null, phone: null, erased_at: world.clock.now() });
    expect(await accounts.byPhone(phone)).toEqual([]);
    const again = await recordDetails(writers, [{ key, name: 'Ada Park', phone }]);
    expect(again).toEqual([{ kind: 'suppressed' }]);
    expect(await stored('t-1')).toEqual(account);
  });

  it('is a person’s again by an operator’s word, and then by a PMS’s as well', async () => {
    await writers.details.create({ key, name: 'Ada Park' }, aContext());
    expect(await stored('t-1')).toMatchObject({ name: 'Ada Park', erased_at: null });
    const pushed = await recordDetails(writers, [{ key, name: 'Ada Moss' }]);
    expect(pushed).toEqual([{ kind: 'changed', fields: ['name'] }]);
  });

  it('is a person’s again by an operator’s change', async () => {
    await writers.details.change((await stored('t-1'))!.tenant_id, { name: 'Ada Park' }, aContext());
    expect(await stored('t-1')).toMatchObject({ name: 'Ada Park', erased_at: null });
  });

  it('has one event of it, however often it is asked for', async () => {
    const events = await world.events.readStream(`tenant-${(await stored('t-1'))!.tenant_id}`);
    expect(events.map(({ type }) => type)).toEqual(['TenantErased']);
  });
});

describe('a change of the person', () => {
  const key = keyOf('t-1');
  const ADA = { key, name: 'Ada Park', email: 'ada@example.com', phone: '+13125550100' };

  const events = async () => {
    const { tenant_id } = (await stored('t-1'))!;
    const found = await world.events.readStream(`tenant-${tenant_id}`);
    return found.map(({ type, data, metadata }) => [type, data['fields'], metadata['actor']]);
  };

  it('leaves an event that names the fields and whoever asked, and first details none', async () => {
    await recordDetails(writers, [ADA]);
    expect(await events()).toEqual([]);
    await recordDetails(writers, [{ ...ADA, email: null, phone: '+13125550199' }]);
    await recordDetails(writers, [{ ...ADA, email: null, phone: '+13125550199' }]);
    expect(await events()).toEqual([
      ['TenantDetailsChanged', ['email', 'phone'], { kind: 'api_token', id: 'token-1' }],
    ]);
    const log = await world.events.readAll({ limit: 100 });
    expect(JSON.stringify(log.map(({ data }) => data))).not.toMatch(/Ada|3125550|example/);
  });

  it('leaves one of a person whom the account had not named before', async () => {
    await made(key);
    const [recorded] = await recordDetails(writers, [{ key, name: 'Ada Park' }]);
    expect(recorded).toEqual({ kind: 'changed', fields: ['name'] });
    expect(await events()).toEqual([['TenantDetailsChanged', ['name'], expect.anything()]]);
  });

  it('is told before it is made, and a retry tells it no second time and answers the same', async () => {
    await recordDetails(writers, [ADA]);
    const context = aContext();
    const moved = [{ ...ADA, phone: '+13125550199' }];
    const records = withMembers(world.records, { write: () => Promise.reject(new Error('Gone.')) });
    const cutOff = accountWriters({ ...world, records });
    await expect(cutOff.details.record(moved, context)).rejects.toThrow('Gone.');
    expect(await events()).toHaveLength(1);
    expect(await stored('t-1')).toMatchObject({ phone: ADA.phone });
    for (const fields of [['phone'], []]) {
      const again = await writers.details.record(moved, { ...context, recovering: true });
      expect(again).toEqual([{ kind: 'changed', fields }]);
    }
    expect(await events()).toHaveLength(1);
    expect(await stored('t-1')).toMatchObject({ phone: '+13125550199' });
  });
});

describe('a phone that changes', () => {
  const key = keyOf('t-1');
  const phone = '+13125550100';
  const changes: [string, (tenant_id: string) => Promise<unknown>][] = [
    ['by a PMS', () => recordDetails(writers, [{ key, name: 'Ada Park', phone: '+13125550199' }])],
    ['cleared by a PMS', () => recordDetails(writers, [{ key, name: 'Ada Park', phone: null }])],
    ['by an operator', (id) => writers.details.change(id, { phone: '+13125550199' }, aContext())],
    ['cleared by an operator', (id) => writers.details.change(id, { phone: null }, aContext())],
    ['by an erasure', (id) => writers.erasure.erase(id, aContext())],
  ];

  it.each(changes)('%s ends the sessions and the codes that were had by it', async (_how, change) => {
    await recordDetails(writers, [{ key, name: 'Ada Park', phone }]);
    const account = (await stored('t-1'))!;
    const { token } = await writers.sessions.begin(account);
    const issued = await writers.codes.issue(PLACE, []);
    await change(account.tenant_id);
    expect(await writers.sessions.verify(token)).toBeUndefined();
    expect(await writers.codes.check(PLACE, (issued as { code: string }).code)).toBeUndefined();
  });

  it('ends a session that began in between', async () => {
    await recordDetails(writers, [{ key, name: 'Ada Park', phone }]);
    const account = (await stored('t-1'))!;
    let late: string | undefined;
    const records = withMembers(world.records, {
      write: async (writes) => {
        if (writes.some(({ collection }) => collection === TENANT_ACCOUNTS.name)) {
          late = (await writers.sessions.begin(account)).token;
        }
        return world.records.write(writes);
      },
    });
    const change = { phone: '+13125550199' };
    await accountWriters({ ...world, records }).details.change(account.tenant_id, change, aContext());
    expect(await writers.sessions.verify(late!)).toBeUndefined();
  });

  it('leaves the sessions of another account alone, and codes that it may still use', async () => {
    const other = { key: keyOf('t-2'), name: 'Ben Park', phone };
    await recordDetails(writers, [{ key, name: 'Ada Park', phone }, other]);
    const { token } = await writers.sessions.begin((await stored('t-2'))!);
    const issued = await writers.codes.issue(PLACE, []);
    await recordDetails(writers, [{ key, name: 'Ada Park', phone: null }]);
    expect(await writers.sessions.verify(token)).toBeDefined();
    expect(await writers.codes.check(PLACE, (issued as { code: string }).code)).toBeDefined();
  });

  it('is answered with the accounts of every company, however many one of them has', async () => {
    const of = (company_id: string, pms_tenant_id: string) => ({
      key: { ...keyOf(pms_tenant_id), company_id },
      name: 'Ada',
      phone,
    });
    const crowd = Array.from({ length: 2_000 }, (_, place) => of('01COMPANY00000000000000005', `n-${place}`));
    const others = [of('01COMPANY00000000000000004', 'before'), of('01COMPANY00000000000000006', 'behind')];
    await recordDetails(writers, [...crowd, ...others]);
    const listed = (await accounts.byPhone(phone)).map(({ pms_tenant_id }) => pms_tenant_id);
    expect(listed).toEqual(expect.arrayContaining(['before', 'behind']));
    expect(new Set(listed).size).toBe(52);
    expect(listed).toHaveLength(52);
  });

  it('leaves codes to one account alone that a login would not list for its number', async () => {
    const sixty = Array.from({ length: 60 }, (_, place) => ({
      key: keyOf(`n-${place}`),
      name: 'Ada',
      phone,
    }));
    await recordDetails(writers, sixty);
    const listed = new Set((await accounts.byPhone(phone)).map(({ pms_tenant_id }) => pms_tenant_id));
    expect(listed.size).toBeLessThan(60);
    const issued = await writers.codes.issue(PLACE, []);
    const losing = sixty.filter((one) => listed.has(one.key.pms_tenant_id));
    await recordDetails(
      writers,
      losing.map((one) => ({ ...one, phone: null })),
    );
    expect(await writers.codes.check(PLACE, (issued as { code: string }).code)).toBeDefined();
  });
});
