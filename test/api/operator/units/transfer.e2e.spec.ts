import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { KeyIssues } from '#domain/locks/index.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Answer, Parsed } from '../../../support/http-client.js';
import { type Company, demand, Service } from '../../../support/service.js';
import { waitUntil } from '../../../support/wait-until.js';
import { withMembers } from '../../../support/with-members.js';

/** What happens to the next append to the stream of a unit; then nothing. */
type Fault = { readonly unit: string; readonly kind: 'refused' | 'answer_lost' };
let fault: Fault | undefined;
/** The collection that refuses writes. */
let broken: string | undefined;

function withBrokenCollection(views: DocumentStore): DocumentStore {
  const write: DocumentStore['write'] = async (writes, options) => {
    if (writes.some(({ collection }) => collection === broken))
      throw new StoreUnavailableError('Refused, as the test wants it.', false);
    return views.write(writes, options);
  };
  return withMembers(views, { write });
}

function withFault(store: EventStore): EventStore {
  const append: EventStore['append'] = async (appends) => {
    const now = appends.some(({ stream }) => stream.endsWith(`.${fault?.unit}`)) ? fault : undefined;
    if (now !== undefined) fault = undefined;
    if (now?.kind === 'refused') throw new StoreUnavailableError('Refused, as the test wants it.', false);
    const outcomes = await store.append(appends);
    if (now?.kind === 'answer_lost') throw new StoreUnavailableError('Lost, as the test wants it.', true);
    return outcomes;
  };
  return withMembers(store, { append });
}

let service: Service;
let company: Company;
/** Unit ids by `crm_unit_id`. */
let ids: Record<string, string>;

const path = (unit: string) => `/units/${ids[unit]}`;
const operator = async (...call: Parameters<Service['operator']>) =>
  demand(200, await service.operator(...call));

async function addUnit(crm_unit_id: string, location = 'MAIN') {
  const added = await service.operator('post', `/locations/${company.locations.get(location)}/units`, {
    crm_unit_id,
  });
  ids[crm_unit_id] = demand(201, added).unit_id;
}

async function addTenant(pms_tenant_id: string): Promise<string> {
  const to = `/locations/${company.locations.get('MAIN')}/tenants`;
  return demand(201, await service.operator('post', to, { pms_tenant_id, name: pms_tenant_id })).tenant_id;
}

const transfer = async (from: string, to: string, key?: string): Promise<Answer> =>
  service.call('post', `/api/operator${path(from)}/transfer`, {
    body: { to_unit_id: ids[to] },
    token: await service.operatorToken(),
    mayFail: true,
    ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
  });
const stateOf = async (unit: string): Promise<Parsed> => operator('get', path(unit));
const typesOf = async (unit: string) =>
  (await service.events(`unit-${company.id}.${unit}`)).map(({ type }) => type);
const occupied = async () =>
  Promise.all(['S-1', 'S-2'].map(async (unit) => (await stateOf(unit)).facts.occupied));

beforeEach(async () => {
  fault = broken = undefined;
  ids = {};
  service = await Service.start({
    wrap: (stores) => ({
      ...stores,
      eventStore: withFault(stores.eventStore),
      views: withBrokenCollection(stores.views),
    }),
  });
  company = await service.company({ pms_location_code: 'MAIN' }, { pms_location_code: 'OTHER' });
  for (const unit of ['S-1', 'S-2', 'S-3']) await addUnit(unit);
  await operator('put', `${path('S-1')}/tenancy`, {
    pms_tenant_id: 'T-1',
    move_in_date: '2025-12-01',
    ledger_id: 'L-1',
  });
});
afterEach(() => service.close());

const TAKEN = ['UnitRegistered', 'TenantMovedIn', 'TenantTransferredIn'];
const HANDED_OVER = ['UnitRegistered', 'TenantMovedIn', 'TenantMovedOut', 'TenantTransferredOut'];

describe('a transfer', () => {
  it('moves the tenant with all that belongs to the tenancy', async () => {
    const cleo = await addTenant('T-9');
    await operator('put', `${path('S-1')}/shares/${cleo}`);
    await operator('put', `${path('S-1')}/round-the-clock`);
    await operator('patch', path('S-1'), { balance_due: 12.5, paid_through_date: '2026-03-31' });
    const { access, ...moved } = demand(200, await transfer('S-1', 'S-2'));
    expect(moved).toMatchObject({ unit_id: ids['S-1'], to_unit_id: ids['S-2'] });
    expect(access).toMatchObject({ state: 'tenant_permitted', reason: 'active' });
    expect(await stateOf('S-2')).toMatchObject({
      facts: { pms_tenant_id: 'T-1', ledger_id: 'L-1', move_in_date: '2025-12-01', balance_due: 12.5 },
      shares: [{ tenant_id: cleo }],
      round_the_clock: true,
    });
    expect(await stateOf('S-1')).toMatchObject({
      facts: { occupied: false, balance_due: 0 },
      access: { state: 'vacant' },
      shares: [],
      round_the_clock: false,
    });
  });

  it('is told by the history of both units', async () => {
    demand(200, await transfer('S-1', 'S-2'));
    const changesOf = async (unit: string, type: string) => {
      const { entries } = await operator('get', `${path(unit)}/history`);
      return entries.find((entry: Parsed) => entry.type === type)?.changes;
    };
    expect(await changesOf('S-2', 'TenantTransferredIn')).toEqual({
      transferred_from: { from: null, to: ids['S-1'] },
    });
    expect(await changesOf('S-1', 'TenantTransferredOut')).toEqual({
      transferred_to: { from: null, to: ids['S-2'] },
    });
  });

  it('is announced for both units, each with the write as the cause', async () => {
    const announced = async (): Promise<Parsed[]> =>
      demand(200, await company.push('get', '/events?types=AccessChanged')).events;
    const untilAnnounced = (count: number) =>
      waitUntil(
        async () => {
          service.manualClock.advance(250);
          return announced();
        },
        ({ length }) => length >= count,
      );
    await untilAnnounced(1);
    demand(200, await transfer('S-1', 'S-2'));
    const entries = (await untilAnnounced(3)).slice(1);
    const told = entries.map(({ subject, data: { to, cause } }) => [
      subject.crm_unit_id,
      to.state,
      cause.kind,
    ]);
    expect(told.sort()).toEqual([
      ['S-1', 'vacant', 'write'],
      ['S-2', 'tenant_permitted', 'write'],
    ]);
  });

  it('warns of keys that still open a lock of the old unit', async () => {
    const locks = `/locations/${company.locations.get('MAIN')}/locks`;
    const { lock_id } = demand(201, await service.operator('post', locks, { name: 'Padlock' }));
    await operator('put', `${path('S-1')}/locks/${lock_id}`);
    const now = service.clock.now();
    const { tenant_id } = (await stateOf('S-1')).tenant;
    const key = { lock_id, tenant_id, expires_at: now + 3_600_000, unit_ids: [ids['S-1']!] };
    await service.part(KeyIssues).record([key], now);
    const { warnings } = demand(200, await transfer('S-1', 'S-2'));
    expect(warnings).toEqual([
      { code: 'keys_still_valid', message: expect.stringContaining(toTimestamp(key.expires_at)) as string },
    ]);
  });

  it('can go back', async () => {
    demand(200, await transfer('S-1', 'S-2'));
    demand(200, await transfer('S-2', 'S-1'));
    demand(200, await transfer('S-1', 'S-2'));
    expect(await occupied()).toEqual([false, true]);
  });

  it('does nothing when it is asked for again', async () => {
    demand(200, await transfer('S-1', 'S-2'));
    demand(200, await transfer('S-1', 'S-2'));
    expect(await typesOf('S-2')).toEqual(TAKEN);
    expect(await typesOf('S-1')).toEqual(HANDED_OVER);
  });
});

describe('a transfer that was interrupted', () => {
  const FAULTS: readonly Fault[] = [
    { unit: 'S-2', kind: 'refused' },
    { unit: 'S-2', kind: 'answer_lost' },
    { unit: 'S-1', kind: 'refused' },
    { unit: 'S-1', kind: 'answer_lost' },
  ];
  const repeats = FAULTS.flatMap((one) => ['k-1', undefined].map((key) => [one, key] as const));

  it.each(repeats)('at %j goes on when it is repeated with the key %s', async (one, key) => {
    fault = one;
    expect((await transfer('S-1', 'S-2', key)).status).toBe(503);
    await service.restart();
    expect(await occupied()).toContain(true);
    demand(200, await transfer('S-1', 'S-2', key));
    expect(await occupied()).toEqual([false, true]);
    expect(await typesOf('S-2')).toEqual(TAKEN);
    expect(await typesOf('S-1')).toEqual(HANDED_OVER);
  });

  it('does not begin anew to a third unit', async () => {
    fault = { unit: 'S-1', kind: 'refused' };
    expect((await transfer('S-1', 'S-2')).status).toBe(503);
    expect((await transfer('S-1', 'S-3')).body).toEqual({
      message: 'A transfer of this tenancy to the unit S-2 was interrupted.',
      code: 'transfer_unfinished',
      hint: 'Repeat that transfer: it goes on where it stopped.',
    });
  });

  it('does not begin anew to a third unit while the views lack the second', async () => {
    broken = 'units';
    expect((await transfer('S-1', 'S-2')).status).toBe(503);
    expect((await transfer('S-1', 'S-3')).body.code).toBe('transfer_unfinished');
    broken = undefined;
    demand(200, await transfer('S-1', 'S-2'));
    expect(await typesOf('S-3')).toEqual(['UnitRegistered']);
  });

  it('warns of what was written to the old unit before the repeat', async () => {
    fault = { unit: 'S-1', kind: 'refused' };
    expect((await transfer('S-1', 'S-2', 'k-1')).status).toBe(503);
    await operator('patch', path('S-1'), { balance_due: 70 });
    const { warnings } = demand(200, await transfer('S-1', 'S-2', 'k-1'));
    expect(warnings).toMatchObject([{ code: 'written_during_transfer' }]);
  });
});

describe('a transfer is refused', () => {
  const refusal = async (from: string, to: string) => {
    const { status, body } = await transfer(from, to);
    expect(body.code === 'validation_failed' || typeof body.hint === 'string').toBe(true);
    return [status, body.code, body.details?.[0].field];
  };

  it('for a unit of a PMS, with the writes that the PMS sends', async () => {
    await company.moveIn('P-1', { pms_location_code: 'MAIN' });
    ids['P-1'] = (await company.unit('P-1')).unit_id;
    for (const [from, to] of [['P-1', 'S-2'] as const, ['S-1', 'P-1'] as const]) {
      const { status, body } = await transfer(from, to);
      expect([status, body.code]).toEqual([409, 'unit_managed_elsewhere']);
      expect(body.hint).toContain('two writes');
    }
  });

  it('to the unit itself, to another location and to no unit', async () => {
    await addUnit('O-1', 'OTHER');
    ids['none'] = 'none';
    for (const to of ['S-1', 'O-1', 'none'])
      expect(await refusal('S-1', to)).toEqual([422, 'validation_failed', 'to_unit_id']);
  });

  it('from a vacant unit, and to an occupied one', async () => {
    expect(await refusal('S-2', 'S-3')).toEqual([409, 'unit_vacant', undefined]);
    await operator('put', `${path('S-2')}/tenancy`, { pms_tenant_id: 'T-2', move_in_date: '2025-12-01' });
    expect(await refusal('S-1', 'S-2')).toEqual([409, 'unit_occupied', undefined]);
  });

  it('to a unit that is retired, in auction, not for rent, or overridden by staff', async () => {
    await operator('put', `${path('S-3')}/retired`);
    expect(await refusal('S-1', 'S-3')).toEqual([409, 'unit_retired', undefined]);
    await operator('patch', path('S-2'), { pms_auction: true });
    expect(await refusal('S-1', 'S-2')).toEqual([409, 'unit_in_auction', undefined]);
    await operator('patch', path('S-2'), { pms_auction: false, pms_unrentable: true });
    expect(await refusal('S-1', 'S-2')).toEqual([409, 'unit_unrentable', undefined]);
    await operator('patch', path('S-2'), { pms_unrentable: false });
    await operator('put', `${path('S-2')}/override`, { override: 'lockout', reason: 'Broken door' });
    expect(await refusal('S-1', 'S-2')).toEqual([409, 'unit_overridden', undefined]);
    expect(await typesOf('S-1')).toEqual(['UnitRegistered', 'TenantMovedIn']);
  });
});
