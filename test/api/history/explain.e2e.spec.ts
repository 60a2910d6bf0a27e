import { LocationDirectory } from '#domain/locations/index.js';
import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

const now = () => new Date(service.clock.now()).toISOString();

interface Seen {
  readonly name: string;
  readonly value: unknown;
  readonly unit_id?: string;
  readonly set_by: { readonly type: string; readonly actor: object; readonly occurred_at: string } | null;
}

async function explained(crm_unit_id: string) {
  const told = demand(200, await company.push('get', `/units/${crm_unit_id}/explain`));
  const seen = (check: string): Seen[] =>
    told.checks.find(({ name }: { name: string }) => name === check).looked_at;
  return { told, seen, one: (check: string, name: string) => seen(check).find((one) => one.name === name)! };
}

describe('an explanation', () => {
  it('says who wrote each fact that was looked at, and when', async () => {
    await company.moveIn('A-1');
    service.manualClock.advance(60_000);
    const answer = await company.patch('A-1', { balance_due: 50, paid_through_date: '2025-01-01' });
    const at = now();
    const policy = { grace_period_days: 3 };
    service.manualClock.advance(60_000);
    demand(200, await service.operator('patch', `/locations/${company.locations.get('MAIN')}`, policy));
    const { told, one } = await explained('A-1');
    expect(told).toMatchObject({ crm_unit_id: 'A-1', state: 'tenant_denied', decided_by: 'delinquent' });
    expect(one('delinquent', 'balance_due')).toEqual({
      name: 'balance_due',
      value: 50,
      revision: 2,
      set_by: {
        type: 'UnitFactsChanged',
        revision: 2,
        occurred_at: at,
        actor: { kind: 'api_token', id: expect.any(String), name: 'PMS' },
        command_id: expect.any(String),
        request_id: answer.headers['x-request-id'],
      },
    });
    const grace = one('delinquent', 'grace_period_days').set_by;
    expect(grace).toMatchObject({
      type: 'LocationPolicyChanged',
      occurred_at: now(),
      actor: { kind: 'operator', name: null },
    });
    expect(one('delinquent', 'balance_threshold').set_by).toMatchObject({ type: 'LocationOpened' });
    expect([one('delinquent', 'today').set_by, one('auction', 'pms_auction').set_by]).toEqual([null, null]);
    expect(one('vacant', 'occupied').set_by).toMatchObject({ type: 'TenantMovedIn' });
  });

  it('names who wrote the debt of another unit', async () => {
    await company.moveIn('owes');
    await company.moveIn('paid');
    await company.patch('owes', { balance_due: 50, paid_through_date: '2025-01-01' });
    const { unit_id } = await company.unit('owes');
    const { told, one } = await explained('paid');
    expect([told.reason, told.decided_by]).toEqual(['blanket_delinquency', 'blanket_delinquency']);
    expect(one('blanket_delinquency', 'balance_due')).toMatchObject({
      unit_id,
      value: 50,
      set_by: { type: 'UnitFactsChanged', actor: { name: 'PMS' } },
    });
  });

  it('names who set the policy that was decided by, although another follows', async () => {
    await company.moveIn('A-1');
    const directory = service.part(LocationDirectory);
    const location_id = company.locations.get('MAIN')!;
    const before = await directory.locations([location_id]);
    await company.patch('A-1', { balance_due: 50, paid_through_date: '2025-01-01' });
    demand(200, await service.operator('patch', `/locations/${location_id}`, { grace_period_days: 3 }));
    const earlier = jest.spyOn(directory, 'locations').mockResolvedValueOnce(before);
    const { one } = await explained('A-1');
    earlier.mockRestore();
    expect(one('delinquent', 'grace_period_days')).toMatchObject({
      value: before[0]!.policy.grace_period_days,
      set_by: { type: 'LocationOpened' },
    });
  });

  it('of a tenant of many units that owe tells of 200, and reads each event once', async () => {
    const owing = { occupied: true, pms_tenant_id: 't-1', move_in_date: '2024-12-01', balance_due: 50 };
    const units = Array.from({ length: 230 }, (_, number) => ({
      crm_unit_id: `U-${number}`,
      ...owing,
      paid_through_date: '2025-01-01',
    }));
    demand(200, await company.sync(units));
    const reads = jest.spyOn(service.stores.eventStore, 'readStream');
    const { seen } = await explained('U-7');
    const read = reads.mock.calls.map(([stream, range]) => `${stream} ${JSON.stringify(range)}`);
    reads.mockRestore();
    const ofUnits = read.filter((one) => one.startsWith('unit-'));
    expect(new Set(ofUnits).size).toBe(ofUnits.length);
    const others = seen('blanket_delinquency').flatMap(({ unit_id }) => unit_id ?? []);
    expect(new Set(others).size).toBe(200);
  });

  it('names operators to operators alone', async () => {
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    const body = { override: 'lockout', reason: 'Evidence' };
    demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
    const { told, one } = await explained('A-1');
    expect(one('system_lockout', 'override').set_by).toMatchObject({
      actor: { kind: 'operator', name: null },
    });
    expect(JSON.stringify(told)).not.toContain('@');
    const whole = demand(200, await service.operator('get', `/units/${unit_id}/explain`));
    expect(JSON.stringify(whole.checks)).toContain('"name":"ada@example.com"');
  });

  it('is of the company’s own units', async () => {
    await company.moveIn('A-1');
    const other = await service.company();
    const answer = await other.push('get', '/units/A-1/explain');
    expect([answer.status, answer.body.code]).toEqual([404, 'unit_not_found']);
  });
});
