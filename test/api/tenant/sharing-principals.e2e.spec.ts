import { ManualClock } from '../../support/manual-clock.js';
import { operatorAs } from '../../support/operator-as.js';
import { demand, Service } from '../../support/service.js';
import { type App, newNumber, SharingWorld, wrong } from './support/sharing-world.js';

/** Each cell of the tables in docs/decisions.md §13 that is about shares by tenants. */

const DAY = 24 * 3_600_000;

type Invited = Awaited<ReturnType<SharingWorld['invite']>>;

let service: Service;
let world: SharingWorld;
/** Has the unit. */
let friend: Invited;
/** Is invited. */
let stranger: Invited;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const given = async () => demand(200, await world.tenant.shares('get')).shares;
const invitationsOf = async (app: App) => demand(200, await app.shares('get')).invitations;
const unitsOf = async (app: App) => (await app.access()).units;
const end = (app: App, { share_id }: Invited) => app.shares('delete', `/${share_id}`);

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await SharingWorld.make(service);
  friend = await world.invite({ name: 'Daniel Brooks' });
  demand(200, await friend.accept());
  stranger = await world.invite({ name: 'Eve Moss' });
});

describe('an invitation and a share by the tenant', () => {
  it('are seen and ended by a manager of the site', async () => {
    const manager = await operatorAs(service, 'manager', { companies: [world.company.id] });
    const path = `/units/${world.unit_id}`;
    const { shares, invitations } = demand(200, await manager('get', path));
    expect(shares).toMatchObject([{ share_id: friend.share_id, name: 'Daniel Brooks', phone: friend.phone }]);
    expect(invitations).toMatchObject([
      { share_id: stranger.share_id, name: 'Eve Moss', phone: stranger.phone, locked: false },
    ]);
    for (const { guest } of [friend, stranger])
      demand(200, await manager('delete', `${path}/shares/${guest.tenant_id}`));
    const after = demand(200, await manager('get', path));
    expect([after.shares, after.invitations, await given()]).toEqual([[], [], []]);
  });

  it('are seen by an auditor, who ends nothing', async () => {
    const auditor = await operatorAs(service, 'auditor', { companies: [world.company.id] });
    const path = `/units/${world.unit_id}`;
    expect(demand(200, await auditor('get', path)).invitations).toHaveLength(1);
    const { status } = await auditor('delete', `${path}/shares/${stranger.guest.tenant_id}`);
    expect([status, (await given()).length]).toEqual([403, 2]);
  });

  it('do not exist for an operator of another site', async () => {
    const far = await world.company.addLocation({ pms_location_code: 'FAR' });
    const other = await operatorAs(service, 'manager', { companies: [world.company.id], locations: [far] });
    const { status } = await other('delete', `/units/${world.unit_id}/shares/${stranger.guest.tenant_id}`);
    expect([status, (await given()).length]).toEqual([404, 2]);
  });

  it('are told to the PMS by ids alone', async () => {
    const texts = [
      await world.company.push('get', '/events?limit=100'),
      await world.company.push('get', '/units/A-1/history?limit=100'),
      await world.company.push('get', '/units/A-1'),
    ].map(({ text }) => text);
    expect(
      texts
        .slice(0, 2)
        .every((text) => text.includes(friend.share_id) || text.includes(friend.guest.tenant_id)),
    ).toBe(true);
    expect(texts.join('')).not.toMatch(/Daniel|Eve/);
    expect(texts.join('')).not.toContain(friend.phone);
    expect(texts.join('')).not.toContain(friend.code);
  });

  it('are told to the PMS without the name of the tenant who gives them, and of one who takes them', async () => {
    const { unit_id } = demand(201, await world.company.moveIn('B-1', { pms_tenant_id: 't-2' }));
    const phone_number = newNumber();
    const neighbour = `/tenants/${await world.tenantOf(unit_id as string)}`;
    demand(200, await operator('patch', neighbour, { name: 'Ned Moss', phone: `+1${phone_number}` }));
    const { accept } = await world.invite({ phone_number });
    demand(200, await accept());
    const { text } = await world.company.push('get', '/events?limit=100');
    expect(text).toContain('"type":"UnitShareAccepted"');
    expect(text).not.toMatch(/Ada Park|Ned Moss/);
  });

  it('stand in no event by name, phone or code', async () => {
    const log = JSON.stringify((await service.wholeLog()).map(({ data, metadata }) => [data, metadata]));
    for (const personal of ['Daniel', 'Eve', friend.phone.slice(1), friend.code, stranger.code])
      expect(log).not.toContain(personal);
  });

  it('are ended by the tenant', async () => {
    for (const one of [friend, stranger]) demand(200, await end(world.tenant, one));
    expect([await given(), await unitsOf(friend.guest), await invitationsOf(stranger.guest)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('are ended by the person', async () => {
    for (const one of [friend, stranger]) demand(200, await end(one.guest, one));
    expect([await given(), await unitsOf(friend.guest), await invitationsOf(stranger.guest)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('are ended once, and a repeat is told the same', async () => {
    for (let turn = 0; turn < 2; turn += 1) {
      demand(200, await end(world.tenant, friend));
      demand(200, await end(stranger.guest, stranger));
    }
    expect(await world.sharingEvents()).toEqual([
      'UnitShareOffered',
      'UnitShareAccepted',
      'UnitShareOffered',
      'UnitShareEnded',
      'UnitShareOfferEnded',
    ]);
  });

  it('are not ended by others, for whom they do not exist', async () => {
    const tries = [
      await end(stranger.guest, friend),
      await end(friend.guest, stranger),
      await end((await SharingWorld.make(service)).tenant, friend),
      await world.tenant.shares('delete', '/01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      await world.tenant.shares('delete', '/%20'),
    ];
    expect(tries.map(({ status, body }) => [status, body.code])).toEqual(
      tries.map(() => [404, 'share_not_found']),
    );
    expect(await given()).toHaveLength(2);
  });

  it('are shown to nobody who has entered five wrong codes, who may decline', async () => {
    for (let time = 0; time < 5; time += 1) await stranger.accept(wrong(stranger.code));
    expect(await invitationsOf(stranger.guest)).toEqual([]);
    expect(await given()).toMatchObject([{ share_id: stranger.share_id, state: 'locked', code: null }, {}]);
    expect((await end(stranger.guest, stranger)).status).toBe(200);
    expect(await given()).toMatchObject([{ share_id: friend.share_id }]);
  });

  it('tell whoever has it who shares nothing more', async () => {
    const answers = [await friend.guest.shares('get'), await stranger.guest.shares('get')];
    expect(answers.map(({ body }) => body.data.shares)).toEqual([[], []]);
    expect(answers.map(({ text }) => text).join('')).not.toMatch(/Ada|Daniel|Eve|A-1/);
  });
});

describe('when the end comes, a share by the tenant', () => {
  it('gives nothing from that instant on, and makes room for another person', async () => {
    service.manualClock.advance(14 * DAY - 1);
    expect(await unitsOf(friend.guest)).toHaveLength(1);
    service.manualClock.advance(1);
    expect([await unitsOf(friend.guest), await given()]).toEqual([[], []]);
  });

  it('is not accepted any more, if it was not before', async () => {
    const short = await world.invite({ until: world.inDays(1) });
    service.manualClock.advance(DAY);
    expect((await short.accept()).body.code).toBe('share_not_found');
    expect(await invitationsOf(short.guest)).toEqual([]);
  });

  it('has an earlier one if staff say so, and stays the tenant’s', async () => {
    const until = world.inDays(1);
    const path = `/units/${world.unit_id}/shares/${friend.guest.tenant_id}`;
    demand(200, await operator('put', path, { until }));
    expect(await given()).toMatchObject([
      { share_id: stranger.share_id },
      { share_id: friend.share_id, until },
    ]);
  });
});

describe('when a location switches sharing off', () => {
  beforeEach(() => world.setSharing(false));

  it('shares that were accepted stay, and their people and the tenant can end them', async () => {
    expect(await unitsOf(friend.guest)).toHaveLength(1);
    demand(200, await end(friend.guest, friend));
  });

  it('an invitation is not shown, and not accepted', async () => {
    expect(await invitationsOf(stranger.guest)).toEqual([]);
    const { status, body } = await stranger.accept();
    expect([status, body.code]).toEqual([409, 'sharing_off']);
  });

  it('an invitation is accepted after it was switched on again', async () => {
    await world.setSharing(true);
    expect((await stranger.accept()).status).toBe(200);
  });

  it('nobody else is invited', async () => {
    expect((await world.offer()).body.code).toBe('sharing_off');
  });
});

describe('when the unit', () => {
  it('is denied, whoever shares it is denied, with the reason and no sum', async () => {
    demand(200, await world.company.patch('A-1', { pms_lockout: true, balance_due: 99.5 }));
    const [unit] = await unitsOf(friend.guest);
    expect(unit).toMatchObject({ state: 'tenant_denied', reason: 'pms_lockout' });
    expect(unit).not.toHaveProperty('balance_due');
  });

  it('is denied, an invitation may still be accepted, and opens nothing', async () => {
    demand(200, await world.company.patch('A-1', { pms_lockout: true }));
    demand(200, await stranger.accept());
    expect(await unitsOf(stranger.guest)).toMatchObject([{ state: 'tenant_denied' }]);
  });

  it('is vacated, both end', async () => {
    demand(200, await world.company.moveOut('A-1'));
    expect([await unitsOf(friend.guest), await invitationsOf(stranger.guest), await given()]).toEqual([
      [],
      [],
      [],
    ]);
    expect((await stranger.accept()).body.code).toBe('share_not_found');
  });

  it('is let to another tenant, both end, and the new tenant sees none', async () => {
    demand(200, await world.company.moveIn('A-1', { pms_tenant_id: 't-next' }));
    const next = await world.appOf(await world.tenantOf(world.unit_id));
    expect(demand(200, await next.shares('get')).shares).toEqual([]);
    expect([await unitsOf(friend.guest), await invitationsOf(stranger.guest)]).toEqual([[], []]);
    expect((await end(world.tenant, friend)).status).toBe(200);
  });

  it.each([
    ['has it', true],
    ['is invited', false],
  ])('is let to the person who %s, the person is its tenant and shares nothing', async (_, hasAccepted) => {
    const other = demand(201, await world.company.moveIn('B-1', { pms_tenant_id: 't-neighbour' }));
    const neighbour = await world.appOf(await world.tenantOf(other.unit_id as string));
    const phone_number = newNumber();
    const details = { name: 'Ned', phone: `+1${phone_number}` };
    demand(200, await operator('patch', `/tenants/${neighbour.tenant_id}`, details));
    const { accept } = await world.invite({ phone_number });
    if (hasAccepted) demand(200, await accept());
    demand(200, await world.company.moveIn('A-1', { pms_tenant_id: 't-neighbour' }));
    expect(await unitsOf(neighbour)).toMatchObject([
      { unit_name: 'A-1', relationship: 'primary' },
      { unit_name: 'B-1', relationship: 'primary' },
    ]);
    expect(await invitationsOf(neighbour)).toEqual([]);
  });

  it('is let to a guest by the PMS, who rents it by another account and shares nothing by the guest’s', async () => {
    demand(200, await world.company.moveIn('A-1', { pms_tenant_id: 't-daniel' }));
    const tenant_id = await world.tenantOf(world.unit_id);
    demand(
      200,
      await operator('patch', `/tenants/${tenant_id}`, { name: 'Daniel Brooks', phone: friend.phone }),
    );
    expect(tenant_id).not.toBe(friend.guest.tenant_id);
    expect(await unitsOf(await world.appOf(tenant_id))).toMatchObject([{ relationship: 'primary' }]);
    expect([await unitsOf(friend.guest), await invitationsOf(friend.guest)]).toEqual([[], []]);
  });

  it('is retired, both have ended before', async () => {
    expect((await operator('put', `/units/${world.unit_id}/retired`)).status).toBe(409);
    demand(200, await world.company.moveOut('A-1'));
    demand(200, await operator('put', `/units/${world.unit_id}/retired`));
    const answer = await world.offer();
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['unit_id']]);
  });
});

describe('when the tenant is moved to a new unit', () => {
  it('the share goes along and the invitation ends', async () => {
    const place = `/locations/${world.location_id}/units`;
    const add = async (crm_unit_id: string) =>
      demand(201, await operator('post', place, { crm_unit_id })).unit_id as string;
    const [from, to] = [await add('S-1'), await add('S-2')];
    const body = { pms_tenant_id: 't-mover', move_in_date: '2025-12-01' };
    demand(200, await operator('put', `/units/${from}/tenancy`, body));
    const mover = await world.appOf(await world.tenantOf(from));
    const offer = async () => {
      const wanted = world.body({ unit_id: from });
      const { share_id, code } = demand(201, await mover.shares('post', '', wanted));
      const guest = await world.appOf(await world.accountWith(`+1${wanted.phone_number}`));
      return {
        share_id: share_id as string,
        guest,
        accept: () => guest.shares('post', `/${share_id as string}/accept`, { code }),
      };
    };
    const [first, second] = [await offer(), await offer()];
    demand(200, await first.accept());
    demand(200, await operator('post', `/units/${from}/transfer`, { to_unit_id: to }));
    expect(demand(200, await mover.shares('get')).shares).toMatchObject([
      { share_id: first.share_id, unit_id: to, state: 'accepted', name: 'Daniel Brooks' },
    ]);
    expect(await unitsOf(first.guest)).toMatchObject([{ unit_id: to, share_id: first.share_id }]);
    expect((await second.accept()).status).toBe(404);
    demand(200, await mover.shares('delete', `/${first.share_id}`));
    expect(await unitsOf(first.guest)).toEqual([]);
  });
});

describe('when a person is erased', () => {
  const erase = async (tenant_id: string) =>
    demand(200, await operator('delete', `/tenants/${tenant_id}/personal-data`));

  it('who has the unit, the share ends and the name is gone', async () => {
    await erase(friend.guest.tenant_id);
    expect(await given()).toMatchObject([{ share_id: stranger.share_id }]);
    expect(await records()).not.toContain('Daniel');
  });

  it('who is invited, the invitation ends and the name is gone', async () => {
    await erase(stranger.guest.tenant_id);
    expect(await given()).toMatchObject([{ share_id: friend.share_id }]);
    expect(await records()).not.toContain('Eve');
  });

  it('who rents the unit, shares stay, invitations end, and the names that were typed are gone', async () => {
    await erase(world.tenant.tenant_id);
    expect(await unitsOf(friend.guest)).toHaveLength(1);
    expect(await invitationsOf(stranger.guest)).toEqual([]);
    expect(await names()).toEqual([]);
  });

  it('comes back with new details, nothing opens again', async () => {
    await erase(friend.guest.tenant_id);
    const details = { name: 'Somebody', phone: `+1${newNumber()}` };
    demand(200, await operator('patch', `/tenants/${friend.guest.tenant_id}`, details));
    expect(await unitsOf(await world.appOf(friend.guest.tenant_id))).toEqual([]);
  });

  /** The names that tenants have typed. */
  async function names(): Promise<string[]> {
    const shares = await service.stores.records.collection({ name: 'tenant_shares', indexes: {} });
    const kept = (await shares.page(undefined, 500)) as unknown as {
      tenant_id: string;
      name: string | null;
    }[];
    const own = kept.filter(({ tenant_id }) => tenant_id === world.tenant.tenant_id);
    return own.flatMap(({ name }) => name ?? []);
  }

  async function records(): Promise<string> {
    const accounts = await service.stores.records.collection({ name: 'tenant_accounts', indexes: {} });
    const kept = (await accounts.page(undefined, 5_000)) as unknown as { company_id: string }[];
    const own = kept.filter(({ company_id }) => company_id === world.company.id);
    return JSON.stringify([await names(), own]);
  }
});

describe('when a phone number', () => {
  const setPhone = async (tenant_id: string, phone: string) =>
    demand(200, await operator('patch', `/tenants/${tenant_id}`, { phone }));

  it('of whoever has the unit is changed, sessions end, and the new number has the share', async () => {
    const phone = `+1${newNumber()}`;
    await setPhone(friend.guest.tenant_id, phone);
    expect((await friend.guest.shares('get')).status).toBe(401);
    expect(await unitsOf(await world.appOf(await world.accountWith(phone)))).toHaveLength(1);
  });

  it('of whoever is invited is changed, the new number needs the code, which the tenant has told the person', async () => {
    const phone = `+1${newNumber()}`;
    await setPhone(stranger.guest.tenant_id, phone);
    const app = await world.appOf(await world.accountWith(phone));
    expect(await invitationsOf(app)).toHaveLength(1);
    expect(await unitsOf(app)).toEqual([]);
  });

  it('has a new owner, whom nobody sees, the end bounds the share', async () => {
    // Whoever gets a code by the number signs in to the same account.
    const heir = await world.appOf(await world.accountWith(friend.phone));
    expect(await unitsOf(heir)).toMatchObject([{ until: friend.until }]);
    service.manualClock.advance(14 * DAY);
    expect(await unitsOf(heir)).toEqual([]);
  });
});

describe('in a sandbox', () => {
  it('test numbers of its own are invited, by a text on its page, and others are refused at the field', async () => {
    const company = await service.sandbox({ pms_location_code: 'MAIN', name: 'Play St' });
    const location_id = company.locations.get('MAIN')!;
    demand(200, await operator('patch', `/locations/${location_id}`, { tenant_sharing: true }));
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    const tenant = await world.appOf(await world.tenantOf(unit_id as string));
    const { test_numbers } = demand(200, await operator('get', `/companies/${company.id}/messages`));
    const own = `${(test_numbers as string).slice(4)}77`.padEnd(7, '0');
    const offer = (country_code: string, phone_number: string) =>
      tenant.shares('post', '', { ...world.body({ unit_id }), country_code, phone_number });
    const real = await offer('1', newNumber());
    const foreign = await offer('999', '00000001');
    expect([real, foreign].map(({ status, body }) => [status, Object.keys(body.errors)])).toEqual([
      [422, ['phone_number']],
      [422, ['phone_number']],
    ]);
    demand(201, await offer('999', own));
    const { messages } = demand(200, await operator('get', `/companies/${company.id}/messages`));
    expect(messages).toMatchObject([{ to: `+999${own}` }]);
  });
});
