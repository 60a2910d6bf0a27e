import type { LocationDocument } from '../../src/locations/index.js';
import { accountId, type TenantKey } from '../../src/tenants/index.js';
import { newAccount } from '../../src/tenants/tenant-accounts.js';
import type { UnitState } from '../../src/units/core/unit.state.js';
import { type PreparationPorts, UnitPreparation } from '../../src/units/unit-preparation.js';
import type { UnitWrite } from '../../src/units/unit-write.js';

const WRITER = { company_id: 'company', source: 'push' } as const;
const person = (first_name: string) => ({ first_name, last_name: 'Park' });
const moveIn = (crm_unit_id: string, more: Partial<UnitWrite> = {}): UnitWrite => ({
  kind: 'move_in',
  crm_unit_id,
  arrival: { pms_tenant_id: 'T-1', move_in_date: '2026-01-05' },
  ...more,
});
const sync = (crm_unit_id: string, first_name: string, facts: UnitWrite['facts'] = {}): UnitWrite => ({
  kind: 'sync',
  crm_unit_id,
  arrival: { pms_tenant_id: 'T-1', move_in_date: '2026-01-05', person: person(first_name) },
  facts,
});
/** A vacant unit of the writer's. */
const unitAt = (location_id: string) =>
  ({ location_id, source_type: 'push', facts: {}, tenancy: null }) as unknown as UnitState;

/** Accounts by location and name, as another process may change them. */
let stored: Map<string, string>;
let reads: string[][];
let ids: number;

beforeEach(() => {
  stored = new Map();
  reads = [];
  ids = 0;
});

function prepare(
  writes: readonly UnitWrite[],
  locations: readonly string[] = ['main'],
  { areInsertedFirst = false, dryRun = false } = {},
) {
  const ulid = () => `id-${(ids += 1)}`;
  const documents = locations.map((_id) => ({ _id, pms_location_code: _id }) as LocationDocument);
  const ports = {
    locations: {
      locationsOfCompany: () => Promise.resolve(documents),
      locations: (location_ids: readonly string[]) => Promise.resolve(location_ids.map((_id) => ({ _id }))),
    },
    accounts: {
      findOrAssumeNew(keys: readonly TenantKey[]) {
        return areInsertedFirst ? Promise.resolve([]) : ports.accounts.find(keys);
      },
      find(keys: readonly TenantKey[]) {
        if (keys.length > 0) reads.push(keys.map(accountId));
        return Promise.resolve(
          keys.map((key) => {
            const tenant_id = stored.get(accountId(key));
            return tenant_id === undefined ? undefined : newAccount(key, tenant_id, 0);
          }),
        );
      },
      newAccount: (key: TenantKey, now: number) => newAccount(key, ulid(), now),
    },
    clocks: { of: () => Promise.resolve({ now: () => 7, ahead: 0 }) },
    ids: { ulid },
  } as unknown as PreparationPorts;
  const preparation = new UnitPreparation(ports, WRITER, writes, dryRun);
  const again = async (...open: (readonly [index: number, state?: UnitState])[]) => {
    const { commands } = await preparation.prepare(open.map(([index, state]) => ({ index, state })));
    return commands as unknown as { command: { arrival: Record<string, unknown> }; account?: object }[];
  };
  return Object.assign(again, { policies: () => preparation.policies });
}

const tenantOf = ([one]: { command: { arrival: Record<string, unknown> } }[]) =>
  one!.command.arrival['tenant_id'];

describe('the commands of one run', () => {
  it('name one new account for one tenant, and insert it once', async () => {
    const [one, other] = await prepare([moveIn('A-1'), moveIn('A-2')])([0], [1]);
    expect(one!.command.arrival['tenant_id']).toBe(other!.command.arrival['tenant_id']);
    expect(one!.account).toBe(other!.account);
    expect(one!.account).toMatchObject({ kind: 'insert', document: { created_at: 7 } });
    expect(reads).toEqual([['company/main/T-1']]);
  });

  it('look nobody up before an account was refused, where accounts are inserted before the events', async () => {
    stored.set('company/main/T-1', 'ada');
    const again = prepare([moveIn('A-1')], ['main'], { areInsertedFirst: true });
    const [presumed] = await again([0]);
    expect([presumed!.command.arrival['tenant_id'] === 'ada', reads]).toEqual([false, []]);
    expect(presumed!.account).toMatchObject({ kind: 'insert' });
    const [refused] = await again([0]);
    expect([refused!.command.arrival['tenant_id'], refused!.account]).toEqual(['ada', undefined]);
    const dry = prepare([moveIn('A-1')], ['main'], { areInsertedFirst: true, dryRun: true });
    expect(tenantOf(await dry([0]))).toBe('ada');
  });

  it('name the account at the location where the unit turns out to be', async () => {
    stored.set('company/side/T-1', 'ada');
    const again = prepare([moveIn('A-1', { pms_location_code: 'main' })], ['main', 'side']);
    expect(tenantOf(await again([0]))).not.toBe('ada');
    const [prepared] = await again([0, unitAt('side')]);
    expect([prepared!.command.arrival['tenant_id'], prepared!.account]).toEqual(['ada', undefined]);
  });

  it('name the account that another process has made meanwhile', async () => {
    const again = prepare([moveIn('A-1')]);
    const own = tenantOf(await again([0]));
    stored.set('company/main/T-1', 'ada');
    expect([own === 'ada', tenantOf(await again([0]))]).toEqual([false, 'ada']);
  });

  it('keep the account that they have made, however often they are prepared', async () => {
    const again = prepare([moveIn('A-1')]);
    const own = tenantOf(await again([0]));
    expect(tenantOf(await again([0]))).toBe(own);
  });

  it('contradict an earlier entry also where only the later one is prepared again', async () => {
    const again = prepare([sync('A-1', 'Ada'), sync('A-2', 'Bea')]);
    const contradicts = (prepared: { command: { arrival: Record<string, unknown> } }[]) =>
      prepared.map(({ command }) => command.arrival['contradicts']);
    expect(contradicts(await again([0], [1]))).toEqual([false, true]);
    expect(contradicts(await again([1, unitAt('main')]))).toEqual([true]);
  });

  it('keep the policies of units that are not prepared again', async () => {
    const again = prepare([sync('A-1', 'Ada', { balance_due: 5 }), sync('A-2', 'Ada', { balance_due: 5 })]);
    await again([0, unitAt('main')], [1, unitAt('side')]);
    await again([1, unitAt('side')]);
    expect([...(await again.policies())!.keys()]).toEqual(['main', 'side']);
  });

  it('look nobody up for a unit of another source', async () => {
    const foreign = { ...unitAt('main'), source_type: 'pull' } as UnitState;
    await prepare([moveIn('A-1')])([0, foreign]);
    expect(reads).toEqual([]);
  });
});
