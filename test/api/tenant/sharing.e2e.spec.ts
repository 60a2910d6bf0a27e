import { ManualClock } from '../../support/manual-clock.js';
import { demand, Service } from '../../support/service.js';
import { newNumber, SharingWorld, wrong } from './support/sharing-world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let service: Service;
let world: SharingWorld;

const FULL =
  'You have invited, or let in, 5 people to this unit, the most that one may. End one of them first.';
const list = async () => demand(200, await world.tenant.shares('get'));
const errorsOf = ({ status, body }: { status: number; body: { errors: object } }) => [status, body.errors];

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  world = await SharingWorld.make(service);
});

describe('a tenant who shares a unit', () => {
  it('gets a code to tell, and the person a text that names the site alone', async () => {
    const until = world.inDays(14);
    const phone_number = newNumber();
    const answer = await world.offer({ phone_number, until });
    expect(demand(201, answer)).toEqual({
      share_id: expect.stringMatching(/^[0-9A-Z]{26}$/) as string,
      code: expect.stringMatching(/^\d{6}$/) as string,
      until,
      accept_by: world.inDays(7),
      text_sent: true,
    });
    const [text, ...more] = await world.textsTo(`+1${phone_number}`);
    expect([text, more]).toEqual([
      'Somebody shares a storage unit at Main St with you. Sign in to the app with this number, and enter the code that they tell you.',
      [],
    ]);
  });

  it('sees the invitation with its code, until it is accepted', async () => {
    const { share_id, code, until, accept } = await world.invite();
    const shown = { share_id, unit_id: world.unit_id, unit_name: 'A-1', name: 'Daniel Brooks', until };
    expect(await list()).toEqual({
      shares: [{ ...shown, state: 'offered', accept_by: world.inDays(7), code }],
      invitations: [],
    });
    expect((await world.tenant.access()).units).toMatchObject([{ may_share: true, shares: [] }]);
    demand(200, await accept());
    expect((await list()).shares).toEqual([{ ...shown, state: 'accepted', accept_by: null, code: null }]);
    expect((await world.tenant.access()).units).toMatchObject([
      { shares: [{ share_id, name: 'Daniel Brooks', until }] },
    ]);
  });

  it('is told by a text when it is accepted, once', async () => {
    const { accept } = await world.invite();
    expect(await world.textsTo(world.tenant_phone)).toEqual([]);
    demand(200, await accept());
    demand(200, await accept());
    expect(await world.textsTo(world.tenant_phone)).toEqual([
      'Main St: somebody has accepted your invitation, and can open unit A-1 until Mon, Mar 16, 3:00 PM. You can end that in the app.',
    ]);
  });

  it('invites the same person again: the code before is void', async () => {
    const { share_id, code, phone_number, guest } = await world.invite();
    service.manualClock.advance(DAY);
    const again = demand(201, await world.offer({ phone_number }));
    const tryWith = (id: unknown, given: unknown) =>
      guest.shares('post', `/${id as string}/accept`, { code: given });
    expect((await tryWith(share_id, code)).status).toBe(404);
    expect((await tryWith(again.share_id, again.code)).status).toBe(200);
    expect((await list()).shares).toHaveLength(1);
  });

  it.each([
    ['(312) 555-7001', '+13125557001'],
    ['1-312-555-7002', '+13125557002'],
    ['011 44 20 7946 7003', '+442079467003'],
    ['+44 20 7946 7004', '+442079467004'],
  ])('may type the number as %s', async (phone_number, phone) => {
    demand(201, await world.offer({ phone_number }));
    expect(await world.textsTo(phone)).toHaveLength(1);
  });

  it('is understood with a 1 before a number of North America', async () => {
    const number = newNumber();
    demand(201, await world.offer({ phone_number: `1${number}` }));
    expect(await world.textsTo(`+1${number}`)).toHaveLength(1);
  });

  it('may share with somebody who has an account, whose name the answers do not tell', async () => {
    const number = newNumber();
    const other = demand(201, await world.company.moveIn('B-1', { pms_tenant_id: 't-2' }));
    const neighbour = await world.tenantOf(other.unit_id as string);
    const details = { name: 'Cleo Stone', phone: `+1${number}` };
    demand(200, await service.operator('patch', `/tenants/${neighbour}`, details));
    const known = await world.offer({ phone_number: number, name: 'Neighbour' });
    const unknown = await world.offer();
    expect(Object.keys(demand(201, known))).toEqual(Object.keys(demand(201, unknown)));
    const app = await world.appOf(neighbour);
    demand(
      200,
      await app.shares('post', `/${known.body.data.share_id as string}/accept`, {
        code: known.body.data.code,
      }),
    );
    expect((await world.tenant.access()).units[0].shares).toMatchObject([{ name: 'Neighbour' }]);
    expect(JSON.stringify([await list(), await world.tenant.access()])).not.toContain('Stone');
  });
});

describe('a share is refused', () => {
  it.each([
    ['now', 0, 'The until field must be in the future.'],
    ['in the past', -1, 'The until field must be in the future.'],
    ['more than 90 days ahead', 90.1, 'The until field must be at most 90 days ahead.'],
  ])('if it ends %s', async (_, days, message) => {
    expect(errorsOf(await world.offer({ until: world.inDays(days) }))).toEqual([422, { until: [message] }]);
  });

  it.each([
    ['no end', { until: undefined }, 'until'],
    ['an end that is null', { until: null }, 'until'],
    ['no name', { name: undefined }, 'name'],
    ['a name that shows nothing', { name: ' ' }, 'name'],
    ['no unit', { unit_id: undefined }, 'unit_id'],
    ['an unknown unit', { unit_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }, 'unit_id'],
    ['no number', { phone_number: undefined }, 'phone_number'],
    ['a number with letters', { phone_number: '31255CALLME' }, 'phone_number'],
    ['no country', { country_code: undefined }, 'country_code'],
    ['a country that begins with 0', { country_code: '04' }, 'phone_number'],
    ["a sandbox's test number", { country_code: '999', phone_number: '00011234' }, 'phone_number'],
    ['another field', { code: '123456' }, 'code'],
  ])('with %s, at the field', async (_, more, field) => {
    const { status, body } = await world.offer(more);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(await world.sharingEvents()).toEqual([]);
  });

  it('with the own number', async () => {
    const answer = await world.offer({ phone_number: world.tenant_phone.slice(2) });
    expect(errorsOf(answer)).toEqual([422, { phone_number: ['The phone number field is your own number.'] }]);
  });

  it('of a unit of another tenant, as of one that does not exist', async () => {
    const other = demand(201, await world.company.moveIn('B-1', { pms_tenant_id: 't-2' }));
    const answer = await world.offer({ unit_id: other.unit_id });
    expect(errorsOf(answer)).toEqual([422, { unit_id: ['The selected unit id is invalid.'] }]);
  });

  it('of a unit of another company', async () => {
    const far = await SharingWorld.make(service);
    expect((await world.offer({ unit_id: far.unit_id })).body.errors).toHaveProperty('unit_id');
  });

  it('if the unit is only shared with who asks', async () => {
    const { guest, accept } = await world.invite();
    demand(200, await accept());
    const answer = await guest.shares('post', '', world.body());
    expect(errorsOf(answer)).toEqual([
      422,
      { unit_id: ['The unit is only shared with you. Only its tenant lets others in.'] },
    ]);
  });

  it('where the location does not let tenants share', async () => {
    await world.setSharing(false);
    const { status, body } = await world.offer();
    expect([status, body.code]).toEqual([409, 'sharing_off']);
    expect((await world.tenant.access()).units[0].may_share).toBe(false);
  });

  it('without a session', async () => {
    const answer = await service.call('post', '/api/v2/tenant/shares', { body: world.body() });
    expect(answer.status).toBe(401);
  });

  it('in earlier versions, which do not have it', async () => {
    const answer = await service.call('get', '/api/v1/tenant/shares');
    expect(answer.status).toBe(404);
  });
});

describe('bounds of invitations', () => {
  it('refuse a sixth person of a unit', async () => {
    for (let person = 0; person < 5; person += 1) demand(201, await world.offer());
    const { status, body } = await world.offer();
    expect([status, Object.keys(body.errors)]).toEqual([422, ['unit_id']]);
    expect((await list()).shares).toHaveLength(5);
  });

  it('let five of six in that are asked for at once, and refuse the sixth at its field', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.offer()));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(errorsOf)).toEqual([[422, { unit_id: [FULL] }]]);
    expect((await list()).shares).toHaveLength(5);
  });

  it('leave the budgets alone where a place of the unit is wanted twice at once', async () => {
    for (let person = 0; person < 4; person += 1) demand(201, await world.offer());
    service.manualClock.advance(DAY);
    const wanted = [world.body(), world.body()];
    const answers = await Promise.all(wanted.map((body) => world.tenant.shares('post', '', body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const refused = wanted[answers.findIndex(({ status }) => status === 422)]!;
    const other = demand(201, await world.company.moveIn('A-2'));
    for (let person = 0; person < 3; person += 1) demand(201, await world.offer({ unit_id: other.unit_id }));
    const { phone_number } = refused;
    demand(201, await world.offer({ unit_id: other.unit_id, phone_number }));
    expect((await world.offer({ unit_id: other.unit_id })).status).toBe(429);
  });

  it('let a sixth in after one has ended, on another day', async () => {
    for (let person = 0; person < 5; person += 1) demand(201, await world.offer());
    const [first] = (await list()).shares;
    demand(200, await world.tenant.shares('delete', `/${first.share_id as string}`));
    const soon = await world.offer();
    expect([soon.status, soon.body.code]).toEqual([429, 'rate_limited']);
    service.manualClock.advance(DAY);
    demand(201, await world.offer());
  });

  it('allow five invitations of a tenant in a day, over all units', async () => {
    const other = demand(201, await world.company.moveIn('A-2'));
    for (let person = 0; person < 3; person += 1) demand(201, await world.offer());
    for (let person = 0; person < 2; person += 1) demand(201, await world.offer({ unit_id: other.unit_id }));
    service.manualClock.advance(HOUR);
    const { status, headers } = await world.offer({ unit_id: other.unit_id });
    expect([status, headers['retry-after']]).toEqual([429, String((23 * HOUR) / 1_000)]);
  });

  it('allow one invitation to a phone in a day, of all tenants', async () => {
    const phone_number = newNumber();
    demand(201, await world.offer({ phone_number }));
    const other = await SharingWorld.make(service);
    expect((await other.offer({ phone_number })).status).toBe(429);
    service.manualClock.advance(DAY);
    demand(201, await other.offer({ phone_number }));
    expect(await world.textsTo(`+1${phone_number}`)).toHaveLength(2);
  });

  it('do not count what was refused', async () => {
    const phone_number = newNumber();
    for (let turn = 0; turn < 6; turn += 1)
      expect((await world.offer({ phone_number, until: world.inDays(-1) })).status).toBe(422);
    demand(201, await world.offer({ phone_number }));
  });
});

describe('a person who is invited', () => {
  it('sees the place, and nothing of the unit and of who shares it', async () => {
    const { share_id, guest, until } = await world.invite();
    const answer = await guest.shares('get');
    expect(demand(200, answer)).toEqual({
      shares: [],
      invitations: [
        {
          share_id,
          location: { id: world.location_id, name: 'Main St', timezone: 'UTC' },
          until,
          accept_by: world.inDays(7),
          tries_left: 5,
        },
      ],
    });
    expect(answer.text).not.toMatch(/A-1|Ada|\d{3}-?\d{4}"/);
    expect((await guest.access()).units).toEqual([]);
  });

  it('does not read the name that the tenant typed before the code is entered, nor when they sign in', async () => {
    const { guest, phone_number, phone, accept } = await world.invite({ name: 'Daniel Brooks' });
    const number = { country_code: '1', phone_number };
    const signIn = async () => {
      demand(200, await service.call('post', '/api/v2/auth/phone', { body: number }));
      const otp = /\d{6}/.exec((await world.textsTo(phone)).at(-1)!)![0];
      return demand(200, await service.call('post', '/api/v2/auth/verify-otp', { body: { ...number, otp } }));
    };
    expect((await signIn()).user.name).toBe('');
    expect((await guest.access()).tenant.name).toBe('');
    demand(200, await accept());
    expect((await guest.access()).tenant.name).toBe('Daniel Brooks');
    service.manualClock.advance(HOUR);
    expect((await signIn()).user.name).toBe('Daniel Brooks');
  });

  it('does not read, after the right code, the name that another invitation gave the number', async () => {
    const { guest, phone_number } = await world.invite({ name: 'Daniel Brooks' });
    service.manualClock.advance(DAY);
    const { share_id, code } = demand(201, await world.offer({ phone_number, name: 'Nora Field' }));
    demand(200, await guest.shares('post', `/${share_id as string}/accept`, { code: code as unknown }));
    expect((await guest.access()).tenant.name).toBe('');
  });

  it('does not read the typed name in the choice of their accounts', async () => {
    const elsewhere = await SharingWorld.make(service);
    const { phone_number, phone } = await world.invite({ name: 'Daniel Brooks' });
    const tenant_id = elsewhere.tenant.tenant_id;
    demand(200, await service.operator('patch', `/tenants/${tenant_id}`, { phone }));
    const number = { country_code: '1', phone_number };
    demand(200, await service.call('post', '/api/v2/auth/phone', { body: number }));
    const otp = /\d{6}/.exec((await world.textsTo(phone)).at(-1)!)![0];
    const { accounts } = demand(
      200,
      await service.call('post', '/api/v2/auth/verify-otp', { body: { ...number, otp } }),
    );
    expect(accounts.map(({ name }: { name: string }) => name).sort()).toEqual(['', 'Ada Park']);
  });

  it('reads a name that staff have given meanwhile', async () => {
    const { guest } = await world.invite({ name: 'Daniel Brooks' });
    demand(200, await service.operator('patch', `/tenants/${guest.tenant_id}`, { name: 'Dan Brook' }));
    expect((await guest.access()).tenant.name).toBe('Dan Brook');
  });

  it('is known to staff by the typed name', async () => {
    await world.invite({ name: 'Daniel Brooks' });
    expect((await world.unit()).invitations).toMatchObject([{ name: 'Daniel Brooks' }]);
  });

  it('has the unit after the right code, without money, names and contact of anybody', async () => {
    demand(200, await world.company.patch('A-1', { balance_due: 12.5, paid_through_date: '2026-12-31' }));
    const { share_id, guest, until, accept } = await world.invite();
    expect(demand(200, await accept())).toEqual({ share_id, unit_id: world.unit_id, until });
    const { units } = await guest.access();
    expect(units).toMatchObject([{ unit_id: world.unit_id, relationship: 'shared', share_id, until }]);
    expect(JSON.stringify(units)).not.toMatch(/12\.5|2026-12-31|Ada|USD|may_share/);
  });

  it('has five tries, and then not even the right code', async () => {
    const { code, guest, accept } = await world.invite();
    const messages: unknown[] = [];
    for (let turn = 0; turn < 5; turn += 1) messages.push((await accept(wrong(code))).body.errors);
    expect(messages).toEqual([
      { code: ['The code is wrong. 4 tries are left.'] },
      { code: ['The code is wrong. 3 tries are left.'] },
      { code: ['The code is wrong. 2 tries are left.'] },
      { code: ['The code is wrong. 1 try is left.'] },
      { code: ['A wrong code was entered 5 times. Ask the tenant for a new invitation.'] },
    ]);
    for (const given of [wrong(code), code]) {
      const sixth = await accept(given);
      expect([sixth.status, Object.keys(sixth.body.errors)]).toEqual([422, ['code']]);
    }
    expect((await guest.access()).units).toEqual([]);
    expect(demand(200, await guest.shares('get')).invitations).toEqual([]);
    expect((await list()).shares).toMatchObject([{ state: 'locked', code: null }]);
  });

  it('has five tries also at once', async () => {
    const { code, accept } = await world.invite();
    await Promise.all(Array.from({ length: 12 }, () => accept(wrong(code))));
    const counted = await world.sharingEvents();
    expect(counted.filter((type) => type === 'UnitShareCodeRefused')).toHaveLength(5);
    expect((await accept()).status).toBe(422);
  });

  it('accepts once, also at once', async () => {
    const { accept } = await world.invite();
    const answers = await Promise.all([accept(), accept(), accept()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await world.sharingEvents()).toEqual(['UnitShareOffered', 'UnitShareAccepted']);
  });

  it.each(['12345', '1234567', 'abcdef', 123456, null])(
    'is told at the field of the code %j',
    async (code) => {
      const { share_id, guest } = await world.invite();
      const answer = await guest.shares('post', `/${share_id}/accept`, { code });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['code']]);
      expect(demand(200, await guest.shares('get')).invitations).toMatchObject([{ tries_left: 5 }]);
    },
  );

  it('is too late after seven days', async () => {
    const { guest, accept } = await world.invite();
    service.manualClock.advance(7 * DAY - 1);
    expect(demand(200, await guest.shares('get')).invitations).toHaveLength(1);
    service.manualClock.advance(1);
    expect(demand(200, await guest.shares('get')).invitations).toEqual([]);
    const { status, body } = await accept();
    expect([status, body.code]).toEqual([404, 'share_not_found']);
  });

  it('accepts by any account of the location with the phone', async () => {
    const phone_number = newNumber();
    const first = demand(201, await world.company.moveIn('B-1', { pms_tenant_id: 't-2' })).unit_id as string;
    const second = demand(201, await world.company.moveIn('B-2', { pms_tenant_id: 't-3' })).unit_id as string;
    const accounts = [await world.tenantOf(first), await world.tenantOf(second)];
    for (const id of accounts)
      demand(200, await service.operator('patch', `/tenants/${id}`, { phone: `+1${phone_number}` }));
    const { share_id, code } = demand(201, await world.offer({ phone_number }));
    for (const id of accounts) {
      const app = await world.appOf(id);
      expect(demand(200, await app.shares('get')).invitations).toMatchObject([{ share_id }]);
    }
    const app = await world.appOf(accounts[1]!);
    demand(200, await app.shares('post', `/${share_id as string}/accept`, { code }));
    expect((await app.access()).units).toMatchObject([{ unit_name: 'A-1' }, { unit_name: 'B-2' }]);
  });

  it('needs no invitation if staff share the unit with them', async () => {
    const { guest, accept } = await world.invite();
    demand(200, await service.operator('put', `/units/${world.unit_id}/shares/${guest.tenant_id}`));
    const { status, body } = await accept();
    expect([status, body.code]).toEqual([409, 'already_shared']);
  });

  it('cannot be played by somebody else who knows id and code', async () => {
    const { share_id, code } = await world.invite();
    const other = await world.invite();
    const tries = [
      await other.guest.shares('post', `/${share_id}/accept`, { code }),
      await world.tenant.shares('post', `/${share_id}/accept`, { code }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 422]);
  });

  it('is told at the share, a field that there is, that whoever rents the unit needs none', async () => {
    const { share_id, code } = await world.invite();
    const { body } = await world.tenant.shares('post', `/${share_id}/accept`, { code });
    expect(body.errors).toEqual({ share_id: ['You rent the unit, and need no share of it.'] });
  });
});

describe('an Idempotency-Key', () => {
  it('makes one invitation and one text of a repeated request, and keeps the code out of what is stored', async () => {
    const body = world.body();
    const send = () => world.tenant.shares('post', '', body, 'key-1');
    const [first, again] = [await send(), await send()];
    expect(demand(201, again)).toEqual({ ...demand(201, first), code: null });
    expect(await world.sharingEvents()).toEqual(['UnitShareOffered']);
    expect(await world.textsTo(`+1${body.phone_number}`)).toHaveLength(1);
    expect((await list()).shares).toMatchObject([{ code: first.body.data.code as string }]);
  });

  it('belongs to one tenant', async () => {
    const other = await SharingWorld.make(service);
    const answers = [await world.offer({}, 'same'), await other.offer({}, 'same')];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is refused with another request', async () => {
    demand(201, await world.offer({}, 'key-2'));
    expect((await world.offer({}, 'key-2')).body.code).toBe('idempotency_key_reused');
  });

  it('counts a wrong code once', async () => {
    const { guest, code, accept } = await world.invite();
    for (let turn = 0; turn < 3; turn += 1) expect((await accept(wrong(code), 'key-3')).status).toBe(422);
    expect(demand(200, await guest.shares('get')).invitations).toMatchObject([{ tries_left: 4 }]);
  });
});

describe('texts about shares', () => {
  it('have a budget of their own, and the codes of logins another', async () => {
    const bounded = await Service.start({
      clock: service.manualClock,
      environment: { SMS_LIMIT_COMPANY: '2/2' },
    });
    try {
      const here = await SharingWorld.make(bounded);
      const { phone } = await here.invite();
      demand(201, await here.offer());
      const third = await here.offer();
      expect([third.status, third.body.code]).toEqual([429, 'rate_limited']);
      expect((await here.sharingEvents()).length).toBe(2);
      const asked = { country_code: '1', phone_number: phone.slice(2) };
      demand(200, await bounded.call('post', '/api/v2/auth/phone', { body: asked }));
    } finally {
      await bounded.close();
    }
  });
});
