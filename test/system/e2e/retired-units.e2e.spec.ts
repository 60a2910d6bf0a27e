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

/** A vacant unit that nobody meant. */
async function mistake(crm_unit_id = 'A-1O1'): Promise<string> {
  const { unit_id } = demand(201, await company.moveIn(crm_unit_id));
  demand(200, await company.moveOut(crm_unit_id));
  return unit_id;
}

const retire = (unit_id: string) => service.operator('put', `/units/${unit_id}/retired`);
const revive = (unit_id: string) => service.operator('delete', `/units/${unit_id}/retired`);

async function operatorsList(query: string): Promise<string[]> {
  const data = demand(200, await service.operator('get', `/units?company_id=${company.id}&${query}`));
  return data.units.map(({ crm_unit_id }: { crm_unit_id: string }) => crm_unit_id);
}

describe('a unit that was retired', () => {
  it('is there for no integrator, by no name and on no path', async () => {
    const unit_id = await mistake();
    await company.moveIn('A-101');
    expect(demand(200, await retire(unit_id))).toMatchObject({ unit_id, access: { state: 'vacant' } });
    for (const key of ['A-1O1', `ulid:${unit_id}`]) {
      for (const read of ['', '/history', '/as-of?at=2030-01-01T00:00:00Z', '/activity']) {
        const answer = await company.push('get', `/units/${key}${read}`);
        expect([key, read, answer.status, answer.body.code]).toEqual([key, read, 404, 'unit_not_found']);
      }
      expect((await company.push('patch', `/units/${key}`, { balance_due: 1 })).status).toBe(404);
      expect((await company.push('delete', `/units/${key}/tenancy`)).status).toBe(404);
    }
    for (const query of ['', 'state=vacant']) {
      const listed = (await company.list(query)).map(({ crm_unit_id }) => crm_unit_id);
      expect(listed).not.toContain('A-1O1');
    }
  });

  it('leaves the lists of operators, who find it among the retired and read what it was', async () => {
    const unit_id = await mistake();
    await retire(unit_id);
    expect([await operatorsList(''), await operatorsList('state=vacant')]).toEqual([[], []]);
    expect(await operatorsList('retired=true')).toEqual(['A-1O1']);
    expect(demand(200, await service.operator('get', `/units/${unit_id}`))).toMatchObject({ retired: true });
    const { entries } = demand(200, await service.operator('get', `/units/${unit_id}/history`));
    expect(entries.at(-1)).toMatchObject({
      type: 'UnitRetired',
      actor: { kind: 'operator' },
      changes: { retired: { from: false, to: true } },
    });
    const body = { override: 'lockout', reason: 'Evidence' };
    const answer = await service.operator('put', `/units/${unit_id}/override`, body);
    expect([answer.status, answer.body.code]).toEqual([409, 'unit_retired']);
  });

  it('comes back when its key is pushed, with all that it was', async () => {
    const unit_id = await mistake();
    await retire(unit_id);
    const answer = await company.moveIn('A-1O1', { pms_tenant_id: 't-2' });
    expect([answer.status, answer.body.data.unit_id]).toEqual([200, unit_id]);
    expect(answer.body.data.warnings).toMatchObject([{ code: 'unit_revived' }]);
    expect(await company.access('A-1O1')).toBe('tenant_permitted active');
    expect((await company.list()).map(({ crm_unit_id }) => crm_unit_id)).toEqual(['A-1O1']);
  });

  it('is, once it is back, as of an instant of its retirement what reads answered then', async () => {
    const unit_id = await mistake();
    service.manualClock.advance(1_000);
    const then = new Date(service.clock.now() + 500).toISOString();
    await retire(unit_id);
    service.manualClock.advance(1_000);
    demand(200, await company.moveIn('A-1O1', { pms_tenant_id: 't-2' }));
    expect((await company.push('get', `/units/A-1O1/as-of?at=${then}`)).status).toBe(404);
    expect((await service.operator('get', `/units/${unit_id}/as-of?at=${then}`)).status).toBe(200);
    const now = new Date(service.clock.now()).toISOString();
    expect((await company.push('get', `/units/A-1O1/as-of?at=${now}`)).status).toBe(200);
  });

  it('comes back with a bulk, but for a dry run', async () => {
    const unit_id = await mistake();
    await retire(unit_id);
    const entry = { crm_unit_id: 'A-1O1', occupied: false };
    const told = { updated: 1, warnings: [{ crm_unit_id: 'A-1O1', code: 'unit_revived' }] };
    const dry = await company.push('patch', '/units?dry_run=true', { units: [entry] });
    expect(dry.body.data).toMatchObject(told);
    expect((await company.push('get', '/units/A-1O1')).status).toBe(404);
    expect((await company.sync([entry])).body.data).toMatchObject(told);
    expect(await company.access('A-1O1')).toBe('vacant');
    expect((await company.list('state=vacant')).map((unit) => unit.unit_id)).toEqual([unit_id]);
  });

  it('comes back by an operator’s word, and after the views were made anew it is what it was', async () => {
    const [one, other] = [await mistake('B-1'), await mistake('B-2')];
    await retire(one);
    await retire(other);
    expect((await revive(one)).status).toBe(200);
    await service.restart({ keepViews: false });
    expect((await company.list()).map(({ crm_unit_id }) => crm_unit_id)).toEqual(['B-1']);
    expect(await operatorsList('retired=true')).toEqual(['B-2']);
  });

  it('must be vacant', async () => {
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    const answer = await retire(unit_id);
    expect([answer.status, answer.body]).toEqual([
      409,
      { message: 'The unit is occupied.', code: 'unit_occupied' },
    ]);
  });
});
