import { systemIds } from '#kernel/ids.js';
import { BulkSync } from '#api/push/index.js';
import { UnitDirectory } from '#domain/units/index.js';
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

const rented = (crm_unit_id: string, facts: object = {}) => ({
  crm_unit_id,
  occupied: true,
  pms_tenant_id: 't-1',
  move_in_date: '2025-12-01',
  ...facts,
});
const compare = (units: readonly unknown[], beside: object = {}, query = '') =>
  company.push('post', `/units/compare${query}`, { units, ...beside });
const whole = { complete_locations: ['MAIN'] };

describe('a comparison', () => {
  it('tells of a name and a location that differ as ignored: a bulk does not change them', async () => {
    await company.addLocation({ pms_location_code: 'EAST' });
    const here = { unit_name: 'Box 1', pms_location_code: 'MAIN' };
    await company.sync([rented('A-1', here), rented('A-2', here)]);
    const { unit_id } = await company.unit('A-1');
    const other = { unit_name: 'Box one', pms_location_code: 'EAST', balance_due: 5 };
    const elsewhere = (given: string) => ({ field: 'pms_location_code', here: 'MAIN', given });
    expect(demand(200, await compare([rented('A-1', other), rented('A-2', here)]))).toMatchObject({
      same: 1,
      different: [{ crm_unit_id: 'A-1', unit_id, fields: [{ field: 'balance_due', here: 0, given: 5 }] }],
      ignored: [
        {
          crm_unit_id: 'A-1',
          unit_id,
          fields: [{ field: 'unit_name', here: 'Box 1', given: 'Box one' }, elsewhere('EAST')],
        },
      ],
    });
    const unknown = demand(200, await compare([rented('A-2', { pms_location_code: 'NOWHERE' })]));
    expect(unknown).toMatchObject({
      same: 1,
      different: [],
      ignored: [{ crm_unit_id: 'A-2', fields: [elsewhere('NOWHERE')] }],
    });
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
      await compare(
        [
          rented('same'),
          rented('other', { balance_due: 7.5, pms_lockout: true }),
          { crm_unit_id: 'left', occupied: false },
          rented('new'),
          { crm_unit_id: 'faulty', occupied: true },
        ],
        whole,
      ),
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
      ignored: [],
      missing_here: ['new'],
      skipped: [],
      errors: [expect.objectContaining({ crm_unit_id: 'faulty', code: 'validation_failed' })],
      missing_given: ['unnamed'],
      next_cursor: null,
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
    expect(demand(200, await compare(units, whole))).toMatchObject({
      same: 2,
      different: [],
      missing_here: [],
      missing_given: [],
      errors: [],
    });
  });

  it('tells which fields of a person differ beside the facts, and never what they are', async () => {
    const tenant = { pms_tenant_id: 't-1', first_name: 'Zelda', last_name: 'Quill', email: 'z@example.com' };
    const unit = (person: object, balance_due: number) => ({
      crm_unit_id: 'A-1',
      occupied: true,
      move_in_date: '2025-12-01',
      tenant: person,
      balance_due,
    });
    await company.sync([unit(tenant, 0)]);
    const answer = await compare([unit({ ...tenant, first_name: 'Ida', phone: '+13125550100' }, 5)]);
    expect(demand(200, answer)).toMatchObject({ total: 1, same: 0 });
    expect(demand(200, answer).different[0].fields).toEqual([
      { field: 'balance_due', here: 0, given: 5 },
      { field: 'tenant.name', here: null, given: null },
      { field: 'tenant.phone', here: null, given: null },
    ]);
    expect(answer.text).not.toMatch(/Zelda|Quill|Ida|5550100/);
  });

  it('tells of units that a newer write changed as skipped, as the bulk would, and adds up', async () => {
    await company.sync([rented('A-1'), rented('A-2')]);
    const snapshot_at = new Date(service.clock.now()).toISOString();
    service.manualClock.advance(60_000);
    await company.patch('A-1', { balance_due: 5 });
    const written_at = new Date(service.clock.now()).toISOString();
    const units = [rented('A-1', { balance_due: 0 }), rented('A-2')];
    const told = demand(200, await compare(units, { snapshot_at }));
    const skipped = [{ crm_unit_id: 'A-1', written_at }];
    expect(told).toMatchObject({ total: 2, same: 1, different: [], skipped });
    expect((await company.push('patch', '/units', { units, snapshot_at })).body.data.skipped).toEqual(
      skipped,
    );
  });

  it('lists as missing what neither units nor known name, of this source, in pages of the same body', async () => {
    await company.addLocation({ pms_location_code: 'SIDE' });
    const at = (pms_location_code: string, crm_unit_id: string) => rented(crm_unit_id, { pms_location_code });
    const named = Array.from({ length: 3 }, (_, number) => at('MAIN', `U-${number}`));
    await company.sync([
      ...named,
      at('MAIN', 'one'),
      at('MAIN', 'two'),
      at('SIDE', 'three'),
      at('SIDE', 'four'),
    ]);
    const path = `/locations/${company.locations.get('MAIN')}/units`;
    demand(201, await service.operator('post', path, { crm_unit_id: 'standalone' }));
    await company.sync([at('MAIN', 'gone')]);
    const { unit_id } = demand(200, await company.moveOut('gone'));
    demand(200, await service.operator('put', `/units/${unit_id}/retired`));
    const other = await service.company();
    await other.sync([rented('theirs')]);
    const both = { complete_locations: ['SIDE', 'MAIN', 'SIDE'], known: ['one', 'not there'] };
    const first = demand(200, await compare(named, both, '?limit=2'));
    expect(first).toMatchObject({ total: 3, same: 3, missing_given: ['two', 'three'] });
    const rest = `?limit=2&cursor=${first.next_cursor}`;
    const second = demand(200, await compare(named, both, rest));
    expect(second).toMatchObject({ total: 3, same: 3, missing_given: ['four'], next_cursor: null });
    expect(
      demand(200, await compare(named, { ...both, complete_locations: ['MAIN'] })).missing_given,
    ).toEqual(['two']);
    expect(demand(200, await compare(named))).toMatchObject({ missing_given: [], next_cursor: null });
    const refused = async (beside: object, query?: string) =>
      (await compare(named, beside, query)).body.errors;
    expect(await refused(whole, rest)).toEqual({ cursor: ['The cursor field is invalid.'] });
    expect(await refused({ complete_locations: ['MAIN', 'NOWHERE'] })).toEqual({
      'complete_locations.1': ['The selected complete locations.1 is invalid.'],
    });
    const unknown = await compare(named, { complete_locations: ['NOWHERE'] });
    expect(unknown.body.details[0].hint).toContain('GET /api/v2/company');
    expect(await refused({ known: Array(20_001).fill('x') })).toHaveProperty('known');
  });

  it('finds who is missing behind any number of units that are not asked about', async () => {
    const pulled = Array.from({ length: 510 }, (_, number) => rented(`pulled ${number}`));
    const actor = { kind: 'pull', id: 'P' } as const;
    const context = { request_id: 'R', actor, recovering: false, command_id: systemIds.ulid() };
    const writer = { company_id: company.id, source: 'pull' } as const;
    const part = { entries: pulled, first: 0, seen: new Set<string>() };
    const applied = await service.part(BulkSync).syncPart(writer, part, context);
    expect(applied).toMatchObject({ created: 510, errors: [] });
    await company.sync([rented('named'), rented('behind')]);
    const told = demand(200, await compare([rented('named')], whole));
    expect([told.missing_given, told.next_cursor]).toEqual([['behind'], null]);
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
