import { GuestRounds } from '#domain/sharing/index.js';
import { TenantAccounts, TenantErasure } from '#domain/tenants/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { type Company, demand, Service } from '../../support/service.js';

const DAY = 24 * 3_600_000;

let service: Service;
let company: Company;
let gate: string;

const inDays = (days: number) => new Date(service.manualClock.now() + days * DAY).toISOString();
const nameOf = async (tenant_id: string) =>
  (await service.part(TenantAccounts).byTenantId([tenant_id]))[0]!.name;

async function issue(until: string, rest: object = {}) {
  const usual = { name: 'Vic Vendor', phone: newPhone(), entry_point_ids: [gate], reason: 'vendor' };
  const path = `/locations/${company.locations.get('MAIN')!}/passes`;
  const pass = demand(201, await service.operator('post', path, { ...usual, until, ...rest }));
  return pass as { pass_id: string; tenant_id: string; phone: string };
}

/** Days go by, and each has its round. */
async function live(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    service.manualClock.advance(DAY);
    await service.part(GuestRounds).lookAtDue();
  }
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  const north = { name: 'North gate', kind: 'gate', zone_ids: [] };
  const path = `/locations/${company.locations.get('MAIN')!}/entry-points`;
  gate = demand(201, await service.operator('post', path, north)).entry_point_id as string;
});

describe('the holder of a pass', () => {
  it('stays while it lasts and for 30 days, then is erased, and who opened what stays by id', async () => {
    const { pass_id, tenant_id } = await issue(inDays(40));
    await live(69);
    expect(await nameOf(tenant_id)).toBe('Vic Vendor');
    await live(1);
    expect(await nameOf(tenant_id)).toBeNull();
    expect((await service.events(`tenant-${tenant_id}`)).at(-1)).toMatchObject({
      type: 'TenantErased',
      metadata: { actor: { kind: 'system', id: 'guests' } },
    });
    expect((await service.events(`pass-${pass_id}`)).map(({ type }) => type)).toEqual(['PassIssued']);
    const read = demand(200, await service.operator('get', `/passes/${pass_id}`));
    expect(read).toMatchObject({ tenant_id, name: null, phone: null });
  });

  it('stays while a pass is to come', async () => {
    const { tenant_id } = await issue(inDays(80), { from: inDays(70) });
    await live(70);
    expect(await nameOf(tenant_id)).toBe('Vic Vendor');
  });

  it('stays for another pass of the same phone', async () => {
    const { tenant_id, phone } = await issue(inDays(1));
    await live(25);
    await issue(inDays(1), { phone });
    await live(30);
    expect(await nameOf(tenant_id)).toBe('Vic Vendor');
    await live(1);
    expect(await nameOf(tenant_id)).toBeNull();
  });

  it('is erased 30 days after the end by staff', async () => {
    const { pass_id, tenant_id } = await issue(inDays(300));
    await live(40);
    demand(200, await service.operator('delete', `/passes/${pass_id}`));
    await live(29);
    expect(await nameOf(tenant_id)).toBe('Vic Vendor');
    await live(1);
    expect(await nameOf(tenant_id)).toBeNull();
  });

  it('is erased 30 days after another phone got the pass, whose holder stays', async () => {
    const { pass_id, tenant_id } = await issue(inDays(300));
    await live(40);
    const after = demand(
      200,
      await service.operator('patch', `/passes/${pass_id}`, { phone: newPhone(), name: 'Zoe' }),
    );
    await live(29);
    expect(await nameOf(tenant_id)).toBe('Vic Vendor');
    await live(1);
    expect([await nameOf(tenant_id), await nameOf(after.tenant_id as string)]).toEqual([null, 'Zoe']);
  });

  it('keeps no pass that was issued in the instant of the erasure', async () => {
    const { phone } = await issue(inDays(1));
    const erasure = service.part(TenantErasure);
    const go = erasure.erase.bind(erasure);
    const late: { pass_id: string }[] = [];
    const spy = jest.spyOn(erasure, 'erase').mockImplementationOnce(async (...parameters) => {
      late.push(await issue(inDays(1), { phone }));
      return go(...parameters);
    });
    await live(32);
    spy.mockRestore();
    const read = demand(200, await service.operator('get', `/passes/${late[0]!.pass_id}`));
    expect(read).toMatchObject({ standing: 'ended', name: null, phone: null });
    const events = await service.events(`pass-${late[0]!.pass_id}`);
    expect(events.at(-1)).toMatchObject({ type: 'PassEnded', data: { cause: 'holder_erased' } });
  });
});
