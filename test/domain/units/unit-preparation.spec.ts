import type { LocationDocument } from '#domain/locations/index.js';
import { accountId, type TenantKey } from '#domain/tenants/index.js';
import { newAccount } from '#domain/tenants/tenant-account.js';
import type { StatedUnit } from '#domain/units/core/unit.commands.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import {
  type CommandOnUnit,
  type PreparationPorts,
  UnitPreparation,
} from '#domain/units/unit-preparation.js';
import { unitStream } from '#domain/units/unit-stream.js';

const person = (first_name: string) => ({ first_name, last_name: 'Park' });
const moveIn = (crm_unit_id: string, registration: StatedUnit = {}): CommandOnUnit => ({
  crm_unit_id,
  command: {
    type: 'MoveTenantIn',
    source: 'push',
    registration,
    arrival: { pms_tenant_id: 'T-1', move_in_date: '2026-01-05' },
  },
});
const sync = (crm_unit_id: string, first_name: string): CommandOnUnit => ({
  crm_unit_id,
  command: {
    type: 'SyncUnit',
    source: 'push',
    registration: {},
    arrival: { pms_tenant_id: 'T-1', move_in_date: '2026-01-05', person: person(first_name) },
    facts: {},
  },
});
/** A vacant unit of the writer's. */
const unitAt = (location_id: string) =>
  ({ location_id, source_type: 'push', facts: {}, tenancy: null }) as unknown as UnitState;

/** Accounts by location and name, as another process may change them. */
let stored: Map<string, string>;
let reads: string[][];
/** States of units by their streams. */
let known: Map<string, { readonly state: { readonly retired: boolean } }>;
/** Streams of the units that each tenant rents. */
let rented: Map<string, readonly string[]>;
let ids: number;

beforeEach(() => {
  stored = new Map();
  reads = [];
  rented = new Map();
  known = new Map();
  ids = 0;
});

function prepare(writes: readonly CommandOnUnit[], locations: readonly string[] = ['main']) {
  const ulid = () => `id-${(ids += 1)}`;
  const documents = locations.map((_id) => ({ _id, pms_location_code: _id }) as LocationDocument);
  const ports = {
    locations: {
      locationsOfCompany: () => Promise.resolve(documents),
    },
    accounts: {
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
    details: { refuses: () => Promise.resolve(false) },
    rented: {
      rentedBy: (tenant_ids: readonly string[]) =>
        Promise.resolve(new Map(tenant_ids.map((id) => [id, new Set(rented.get(id))]))),
    },
    states: {
      load: (streams: readonly string[]) => Promise.resolve(streams.map((stream) => known.get(stream))),
    },
    clocks: { findClock: () => Promise.resolve({ now: () => 7, ahead: 0 }) },
    ids: { ulid },
  } as unknown as PreparationPorts;
  const preparation = new UnitPreparation(ports, 'company', writes);
  return async (...open: (readonly [index: number, state?: UnitState])[]) => {
    const { commands } = await preparation.prepare(open.map(([index, state]) => ({ index, state })));
    return commands as unknown as {
      command: Record<'arrival' | 'registration', Record<string, unknown>>;
      account?: object;
    }[];
  };
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

  it('name the account at the location where the unit turns out to be', async () => {
    stored.set('company/side/T-1', 'ada');
    const again = prepare([moveIn('A-1', { pms_location_code: 'main' })], ['main', 'side']);
    expect(tenantOf(await again([0]))).not.toBe('ada');
    const [prepared] = await again([0, unitAt('side')]);
    expect([prepared!.command.arrival['tenant_id'], prepared!.account]).toEqual(['ada', undefined]);
  });

  it('say of each unit whether its tenant has no place left, and of the present one not', async () => {
    stored.set('company/main/T-1', 'ada');
    rented.set(
      'ada',
      Array.from({ length: 1_999 }, (_, n) => `unit-company.${n}`),
    );
    const present = {
      ...unitAt('main'),
      facts: { pms_tenant_id: 'T-1' },
      tenancy: { tenant_id: 'ada' },
    } as unknown as UnitState;
    const writes = [moveIn('A-1'), moveIn('A-2'), moveIn('A-3')];
    const commands = await prepare(writes)([0], [1], [2, present]);
    expect(commands.map(({ command }) => command.arrival['tenant_is_full'])).toEqual([false, true, false]);
  });

  it('say of each unit whether the identifier of its tenant is one of the service, and of the present one not', async () => {
    const PASS = 'pass-01JB0NANE00000000000000001';
    const present = {
      ...unitAt('main'),
      facts: { pms_tenant_id: PASS },
      tenancy: { tenant_id: 'ada' },
    } as unknown as UnitState;
    const writes = [PASS, PASS, 'guest-01JB0NANE00000000000000001', 'pass-1'].map((pms_tenant_id, index) => ({
      ...moveIn(`A-${index}`),
      command: { ...moveIn('A').command, arrival: { pms_tenant_id, move_in_date: '2026-01-01' } },
    }));
    const commands = await prepare(writes)([0, present], [1], [2], [3]);
    expect(commands.map(({ command }) => command.arrival['tenant_is_reserved'])).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('say how the identifiers of new units look like others, and of present ones nothing', async () => {
    known.set(unitStream('company', 'e\u0301'), { state: { retired: false } });
    known.set(unitStream('company', 'o\u0301'), { state: { retired: true } });
    const writes = ['A-1 ', '\u00e9', '\u00f3', 'A-2 '].map((crm_unit_id) => moveIn(crm_unit_id));
    const commands = await prepare(writes)([0], [1], [2], [3, unitAt('main')]);
    expect(commands.map(({ command }) => command.registration['confusable'])).toEqual([
      { kind: 'white_space' },
      { kind: 'normalisation', known: 'e\u0301' },
      undefined,
      undefined,
    ]);
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

  it('look nobody up for a unit of another source', async () => {
    const foreign = { ...unitAt('main'), source_type: 'pull' } as UnitState;
    await prepare([moveIn('A-1')])([0, foreign]);
    expect(reads).toEqual([]);
  });
});
