import { systemIds } from '../../src/config/ids.js';
import { BulkSync } from '../../src/push/index.js';
import { UnitDirectory } from '../../src/units/index.js';
import { type Company, demand, Service } from '../support/service.js';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
});

const rented = (crm_unit_id: string, facts: object = {}) => ({
  crm_unit_id,
  occupied: true,
  pms_tenant_id: 't-1',
  move_in_date: '2025-12-01',
  ...facts,
});
const compare = (units: readonly unknown[]) => company.push('post', '/units/compare', { units });

describe('a comparison', () => {
  it('tells of a name and a location that differ, which a bulk leaves as they are', async () => {
    await company.addLocation({ pms_location_code: 'EAST' });
    const here = { unit_name: 'Box 1', pms_location_code: 'MAIN' };
    await company.sync([rented('A-1', here), rented('A-2', here)]);
    const { unit_id } = await company.unit('A-1');
    const other = { unit_name: 'Box one', pms_location_code: 'EAST', balance_due: 5 };
    expect(demand(200, await compare([rented('A-1', other), rented('A-2', here)]))).toMatchObject({
      same: 1,
      different: [
        {
          crm_unit_id: 'A-1',
          unit_id,
          fields: [
            { field: 'balance_due', here: 0, given: 5 },
            { field: 'unit_name', here: 'Box 1', given: 'Box one' },
            { field: 'pms_location_code', here: 'MAIN', given: 'EAST' },
          ],
        },
      ],
    });
    const unknown = await compare([rented('A-2', { pms_location_code: 'NOWHERE' })]);
    expect(demand(200, unknown).different[0].fields).toEqual([
      { field: 'pms_location_code', here: 'MAIN', given: 'NOWHERE' },
    ]);
  });

  it('tells what differs, what is missing on either side and what could not be applied, and writes nothing', async () => {
    await company.sync([
      rented('same'),
      rented('other', { balance_due: 5 }),
      rented('unnamed'),
      rented('left'),
    ]);
    const { unit_id } = await company.unit('other');
    const left = await company.unit('left');
    const before = (await service.events()).length;
    const compared = demand(
      200,
      await compare([
        rented('same'),
        rented('other', { balance_due: 7.5, pms_lockout: true }),
        { crm_unit_id: 'left', occupied: false },
        rented('new'),
        { crm_unit_id: 'faulty', occupied: true },
      ]),
    );
    expect(compared).toEqual({
      compared_at: new Date(service.clock.now()).toISOString(),
      total: 5,
      same: 1,
      different: [
        {
          crm_unit_id: 'other',
          unit_id,
          fields: [
            { field: 'balance_due', here: 5, given: 7.5 },
            { field: 'pms_lockout', here: false, given: true },
          ],
        },
        {
          crm_unit_id: 'left',
          unit_id: left.unit_id,
          fields: [
            { field: 'occupied', here: true, given: false },
            { field: 'pms_tenant_id', here: 't-1', given: null },
            { field: 'move_in_date', here: '2025-12-01', given: null },
          ],
        },
      ],
      missing_here: ['new'],
      missing_given: ['unnamed'],
      more_missing_given: false,
      errors: [expect.objectContaining({ crm_unit_id: 'faulty', code: 'validation_failed' })],
    });
    expect((await service.events()).length).toBe(before);
    expect((await company.push('get', '/units/new')).status).toBe(404);
  });

  it('finds nothing after the same was written, by whatever the facts are', async () => {
    const units = [
      rented('A-1', { balance_due: -3 }),
      { crm_unit_id: 'A-2', occupied: false, pms_unrentable: true },
    ];
    await company.sync(units);
    expect(demand(200, await compare(units))).toMatchObject({
      same: 2,
      different: [],
      missing_here: [],
      missing_given: [],
      errors: [],
    });
  });

  it('tells of another person without telling of whom', async () => {
    const tenant = { pms_tenant_id: 't-1', first_name: 'Zelda', last_name: 'Quill' };
    const unit = (person: object) => ({
      crm_unit_id: 'A-1',
      occupied: true,
      move_in_date: '2025-12-01',
      tenant: person,
    });
    await company.sync([unit(tenant)]);
    const answer = await compare([unit({ ...tenant, last_name: 'Brand' })]);
    expect(demand(200, answer).different).toMatchObject([
      { crm_unit_id: 'A-1', fields: [{ field: 'tenant', here: null, given: null }] },
    ]);
    expect(answer.text).not.toMatch(/Zelda|Quill|Brand/);
  });

  it('tells of another person beside the facts that differ, to who may write', async () => {
    const tenant = { pms_tenant_id: 't-1', first_name: 'Zelda', last_name: 'Quill' };
    const unit = (person: object, balance_due: number) => ({
      crm_unit_id: 'A-1',
      occupied: true,
      move_in_date: '2025-12-01',
      tenant: person,
      balance_due,
    });
    await company.sync([unit(tenant, 0)]);
    const other = [unit({ ...tenant, first_name: 'Ida' }, 5)];
    const owed = { field: 'balance_due', here: 0, given: 5 };
    expect(demand(200, await compare(other)).different[0].fields).toEqual([
      owed,
      { field: 'tenant', here: null, given: null },
    ]);
    const path = `/companies/${company.id}/api-tokens`;
    const { token } = demand(201, await service.operator('post', path, { name: 'Auditor', scope: 'read' }));
    const read = await service.call('post', '/api/v2/units/compare', { token, body: { units: other } });
    expect(demand(200, read).different[0].fields).toEqual([owed]);
  });

  it('lists neither other sources’ nor retired units nor other companies’ as missing, and 500 at most', async () => {
    const units = Array.from({ length: 500 }, (_, number) => rented(`U-${number}`));
    await company.sync(units);
    await company.sync([rented('one'), rented('two')]);
    const path = `/locations/${company.locations.get('MAIN')}/units`;
    demand(201, await service.operator('post', path, { crm_unit_id: 'standalone' }));
    const { unit_id } = demand(200, await company.moveOut('two'));
    demand(200, await service.operator('put', `/units/${unit_id}/retired`));
    const other = await service.company();
    await other.sync([rented('theirs')]);
    expect(demand(200, await compare(units))).toMatchObject({
      same: 500,
      missing_given: ['one'],
      more_missing_given: false,
    });
    const few = demand(200, await compare([rented('one')]));
    expect([few.missing_given.length, few.more_missing_given]).toEqual([500, false]);
    const none = demand(200, await compare([rented('new')]));
    expect([none.missing_given.length, none.more_missing_given]).toEqual([500, true]);
  });

  it('finds who is missing behind any number of units that are not asked about, at every location', async () => {
    await company.addLocation({ pms_location_code: 'SIDE' });
    const at = (pms_location_code: string, crm_unit_id: string) => rented(crm_unit_id, { pms_location_code });
    const pulled = Array.from({ length: 510 }, (_, number) => at('MAIN', `pulled ${number}`));
    const context = { request_id: 'R', actor: { kind: 'pull', id: 'P' }, recovering: false } as const;
    const nextContext = () => Promise.resolve({ ...context, command_id: systemIds.ulid() });
    const writer = { company_id: company.id, source: 'pull' } as const;
    const applied = await service.part(BulkSync).syncAll(writer, { units: pulled }, nextContext);
    expect(applied).toMatchObject({ created: 510, errors: [] });
    await company.sync([
      at('MAIN', 'named'),
      at('MAIN', 'behind'),
      at('SIDE', 'also named'),
      at('SIDE', 'aside'),
    ]);
    const told = demand(200, await compare([at('MAIN', 'named'), at('SIDE', 'also named')]));
    expect([[...told.missing_given].sort(), told.more_missing_given]).toEqual([['aside', 'behind'], false]);
  });

  it('tells what the dry run met, and not what is read at another time', async () => {
    await company.sync([rented('A-1', { balance_due: 5 })]);
    const stale = jest
      .spyOn(service.part(UnitDirectory), 'byStreams')
      .mockImplementation((streams) => Promise.resolve(streams.map(() => undefined)));
    const told = demand(200, await compare([rented('A-1', { balance_due: 7 })]));
    stale.mockRestore();
    expect([told.missing_here, told.different.length]).toEqual([[], 1]);
  });

  it('tells a token that only reads nothing of persons, whatever it guesses', async () => {
    const unit = (phone: string) => ({
      crm_unit_id: 'A-1',
      occupied: true,
      move_in_date: '2025-12-01',
      tenant: { pms_tenant_id: 't-1', first_name: 'Zelda', last_name: 'Quill', phone },
    });
    await company.sync([unit('+13125550100')]);
    const body = { name: 'Auditor', scope: 'read' };
    const path = `/companies/${company.id}/api-tokens`;
    const { token } = demand(201, await service.operator('post', path, body));
    const guess = async (phone: string) => {
      const asked = { token, body: { units: [unit(phone)] } };
      return demand(200, await service.call('post', '/api/v2/units/compare', asked));
    };
    expect(await guess('+13125550199')).toEqual(await guess('+13125550100'));
    expect(demand(200, await compare([unit('+13125550199')])).different).toHaveLength(1);
  });

  it('is asked for by tokens that only read, too, and refused as a bulk is', async () => {
    const body = { name: 'Auditor', scope: 'read' };
    const { token } = demand(
      201,
      await service.operator('post', `/companies/${company.id}/api-tokens`, body),
    );
    const asked = { token, body: { units: [rented('A-1')] } };
    expect((await service.call('post', '/api/v2/units/compare', asked)).status).toBe(200);
    expect((await compare([])).status).toBe(422);
    expect((await compare([rented('A-1'), rented('A-1')])).status).toBe(422);
  });
});
