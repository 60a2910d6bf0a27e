import type { OwnAccounts } from '#domain/tenants/own-accounts.js';
import { TENANT_ACCOUNTS } from '#domain/tenants/tenant-account.js';
import type { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { withMembers } from '../../support/with-members.js';
import { aContext, accountWriters } from './support/details.js';
import { COMPANY, LOCATION, openWorld, OTHER_LOCATION, type World } from './support/world.js';

const ADA = {
  place: { company_id: COMPANY, location_id: LOCATION },
  name: 'Ada Park',
  phone: '+13125550100',
};
const KINDS = ['findOrCreateGuest', 'findOrCreatePassHolder', 'findOrCreateByHand'] as const;
let world: World;

beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

interface Changed {
  readonly records?: World['records'];
  readonly writer?: CommandRunner;
  readonly sandboxes?: readonly string[];
}

/** A process of its own on the stores of the world, or on a view of them. */
const openProcess = (changed: Changed = {}) =>
  accountWriters({ ...world, writer: world.writerOn(world.events), ...changed });

/** Two processes. Each has looked for the phone, and found nobody, before either goes on. */
function openTwoProcesses() {
  let looked = 0;
  let letGo: () => void = () => undefined;
  const bothLooked = new Promise<void>((resolve) => (letGo = resolve));
  const records = withMembers(world.records, {
    async collection(declaration) {
      const collection = await world.records.collection(declaration);
      return withMembers(collection, {
        async find(index, options) {
          const page = await collection.find(index, options);
          if (index !== 'phone') return page;
          looked += 1;
          if (looked === 2) letGo();
          await bothLooked;
          return page;
        },
      });
    },
  });
  return [openProcess({ records }), openProcess({ records })] as const;
}

/** Lets the process end where it stores an account: its claim and its event are stored. */
async function createCutOff(accounts: (records: World['records']) => OwnAccounts, context: WriteContext) {
  const records = withMembers(world.records, {
    write: (writes) =>
      writes.some(({ collection }) => collection === TENANT_ACCOUNTS.name)
        ? Promise.reject(new Error('The process has ended.'))
        : world.records.write(writes),
  });
  await expect(accounts(records).findOrCreateGuest(ADA, context)).rejects.toThrow('has ended');
}

const storedAccounts = async () => (await world.records.collection(TENANT_ACCOUNTS)).page(undefined, 10);
const storedEvents = async () => (await world.events.readAll({ limit: 10 })).map(({ type }) => type);

describe('two processes that see a new phone at the same time', () => {
  it.each(KINDS)('make one account and one event: %s', async (findOrCreate) => {
    const found = await resultsAtOnce(
      openTwoProcesses().map(
        ({ ownAccounts }) =>
          () =>
            ownAccounts[findOrCreate](ADA, aContext()),
      ),
    );
    const stored = await storedAccounts();
    expect(stored).toHaveLength(1);
    expect(found).toEqual([stored[0], stored[0]]);
    expect(await storedEvents()).toEqual(['TenantDetailsChanged']);
  });

  it('make one holder of passes for two locations of a company', async () => {
    const there = { ...ADA, place: { ...ADA.place, location_id: OTHER_LOCATION } };
    const [here, other] = openTwoProcesses();
    await resultsAtOnce([
      () => here.ownAccounts.findOrCreatePassHolder(ADA, aContext()),
      () => other.ownAccounts.findOrCreatePassHolder(there, aContext()),
    ]);
    expect(await storedAccounts()).toHaveLength(1);
    const [event] = await world.events.readAll({ limit: 10 });
    expect(event?.data['location_id']).toBe((await storedAccounts())[0]?.location_id);
  });

  it('tell one of two operators that the phone is taken', async () => {
    const made = await resultsAtOnce(
      openTwoProcesses().map(
        ({ ownAccounts }) =>
          () =>
            ownAccounts.createGuest(ADA, aContext()),
      ),
    );
    expect(made.filter((account) => account === 'taken')).toHaveLength(1);
    expect(await storedAccounts()).toHaveLength(1);
  });
});

describe('a phone whose account a process had begun when it ended', () => {
  it('has that account, with the event that is stored already', async () => {
    const first = aContext();
    await createCutOff((records) => openProcess({ records }).ownAccounts, first);
    const account = await openProcess().ownAccounts.findOrCreateGuest(ADA, aContext());
    expect(account).toMatchObject({ tenant_id: first.command_id, name: 'Ada Park' });
    expect(await storedEvents()).toEqual(['TenantDetailsChanged']);
  });
});

describe('a phone that an account has lost', () => {
  it.each(KINDS)('has a new one: %s', async (findOrCreate) => {
    const { ownAccounts, details } = openProcess();
    const former = await ownAccounts[findOrCreate](ADA, aContext());
    await details.change(former.tenant_id, { phone: '+13125550199' }, aContext());
    const account = await ownAccounts[findOrCreate](ADA, aContext());
    expect(account.tenant_id).not.toBe(former.tenant_id);
    expect(await ownAccounts[findOrCreate](ADA, aContext())).toEqual(account);
  });

  it('by an erasure has a new one, and nobody is in the erased one again', async () => {
    const { ownAccounts, accounts, erasure } = openProcess();
    const former = await ownAccounts.findOrCreateGuest(ADA, aContext());
    await erasure.erase(former.tenant_id, aContext());
    await ownAccounts.findOrCreateGuest(ADA, aContext());
    expect((await accounts.byTenantId([former.tenant_id]))[0]).toMatchObject({ name: null, phone: null });
  });
});

it('a guest is found again by a retry of the command that made it', async () => {
  const context = aContext();
  const { ownAccounts } = openProcess();
  const made = await ownAccounts.createGuest(ADA, context);
  expect(await ownAccounts.createGuest(ADA, { ...context, recovering: true })).toEqual(made);
});

describe('a real phone, which may not sign in to a sandbox', () => {
  it.each(KINDS)('keeps its account there, also after the claim has expired: %s', async (findOrCreate) => {
    const { ownAccounts } = openProcess({ sandboxes: [COMPANY] });
    const made = await ownAccounts[findOrCreate](ADA, aContext());
    world.clock.advance(25 * 60 * 60_000);
    expect(await ownAccounts[findOrCreate](ADA, aContext())).toEqual(made);
  });
});

describe('a retry of the command that made an account', () => {
  it.each(KINDS)('gets it after another phone was given to it: %s', async (findOrCreate) => {
    const context = aContext();
    const { ownAccounts, details } = openProcess();
    const { tenant_id } = await ownAccounts[findOrCreate](ADA, context);
    await details.change(tenant_id, { phone: '+13125550199' }, aContext());
    const account = await ownAccounts[findOrCreate](ADA, { ...context, recovering: true });
    expect(account).toMatchObject({ tenant_id, phone: '+13125550199' });
  });

  it('gets the erased account of a guest, and nobody is in it again', async () => {
    const context = aContext();
    const { ownAccounts, erasure } = openProcess();
    const { tenant_id } = await ownAccounts.findOrCreateGuest(ADA, context);
    await erasure.erase(tenant_id, aContext());
    const account = await ownAccounts.createGuest(ADA, { ...context, recovering: true });
    expect(account).toMatchObject({ tenant_id, name: null, phone: null });
  });
});
