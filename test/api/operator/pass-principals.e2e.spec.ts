import { GuestRounds } from '#domain/sharing/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Answer } from '../../support/http-client.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { operatorAs } from '../../support/operator-as.js';
import { addPassSite, inHours } from '../../support/pass-site.js';
import { type Company, demand, Service } from '../../support/service.js';
import { appOf } from '../tenant/app-of.js';

/** Each cell of the tables of passes in docs/decisions.md §13. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let service: Service;
let company: Company;
let location_id: string;
let gate: string;
let unit_id: string;
let lock_id: string;
let phone: string;
let pass_id: string;
/** Holds the pass. */
let vic: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const access = async (tenant_id: string) => demand(200, await (await appOf(service, tenant_id))());
const passesOf = async (tenant_id: string) => (await access(tenant_id)).passes;
const read = async () => demand(200, await operator('get', `/passes/${pass_id}`));
const change = async (given: object) => demand(200, await operator('patch', `/passes/${pass_id}`, given));
const place = () => `/locations/${location_id}/units`;
const warnsUntil = (key_expires_at: string) => [
  { code: 'keys_still_valid', message: expect.stringContaining(key_expires_at) as string },
];
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

const terms = () => ({
  name: 'Vic Vendor',
  phone,
  entry_point_ids: [gate],
  unit_ids: [unit_id],
  until: inHours(service, 48),
  reason: 'vendor',
  note: 'Badge 7',
});

/** A gate of a new location of the company. */
async function farGate() {
  const far = await company.addLocation({ pms_location_code: 'FAR' });
  const body = { name: 'Far gate', kind: 'gate', zone_ids: [] };
  const { entry_point_id } = demand(201, await operator('post', `/locations/${far}/entry-points`, body));
  return { far, far_gate: entry_point_id as string };
}

/** A pass of the same phone at another location. */
async function farPass() {
  const { far, far_gate } = await farGate();
  const body = { ...terms(), unit_ids: [], entry_point_ids: [far_gate] };
  const pass = demand(201, await operator('post', `/locations/${far}/passes`, body));
  return { far, far_gate, pass_id: pass.pass_id as string };
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:10:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ company, location_id, gate, unit_id, lock_id } = await addPassSite(service));
  phone = newPhone();
  const pass = demand(201, await operator('post', `/locations/${location_id}/passes`, terms()));
  pass_id = pass.pass_id as string;
  vic = pass.tenant_id as string;
});

describe('a pass', () => {
  it.each(['admin', 'manager'] as const)('is issued, seen, changed and ended by %s', async (role) => {
    const staff = await operatorAs(service, role, { companies: [company.id] });
    const path = `/locations/${location_id}/passes`;
    const issued = demand(201, await staff('post', path, { ...terms(), phone: newPhone(), name: 'Zoe' }));
    const own = `/passes/${issued.pass_id as string}`;
    expect(demand(200, await staff('get', path)).passes).toHaveLength(2);
    expect(demand(200, await staff('patch', own, { name: 'Zoe Z.' }))).toMatchObject({ name: 'Zoe Z.' });
    demand(200, await staff('delete', own));
    expect(demand(200, await staff('get', own))).toMatchObject({ standing: 'ended', note: 'Badge 7' });
  });

  it('is seen by an auditor, with name, phone and note, who changes nothing', async () => {
    const auditor = await operatorAs(service, 'auditor', { companies: [company.id] });
    const own = `/passes/${pass_id}`;
    const seen = demand(200, await auditor('get', own));
    expect(seen).toMatchObject({ name: 'Vic Vendor', phone, note: 'Badge 7', keys_outstanding: [] });
    const people = await Promise.all([
      auditor('get', `/units/${unit_id}/people`),
      auditor('get', `/entry-points/${gate}/people`),
    ]);
    for (const answer of people)
      expect(demand(200, answer).people).toMatchObject([{ kind: 'pass', pass_id, name: 'Vic Vendor' }]);
    const tries = [
      await auditor('post', `/locations/${location_id}/passes`, { ...terms(), phone: newPhone() }),
      await auditor('patch', own, { note: null }),
      await auditor('delete', own),
    ];
    expect(statuses(tries)).toEqual([403, 403, 403]);
    expect(await read()).toMatchObject({ standing: 'in_force', note: 'Badge 7' });
  });

  it.each([
    ['company', async () => ({ companies: [(await service.company()).id] })],
    ['site', async () => ({ companies: [company.id], locations: [(await farGate()).far] })],
  ])('does not exist for an operator of another %s', async (_, scopeOf) => {
    const stranger = await operatorAs(service, 'manager', await scopeOf());
    const own = `/passes/${pass_id}`;
    const tries = [
      await stranger('get', `/locations/${location_id}/passes`),
      await stranger('post', `/locations/${location_id}/passes`, { ...terms(), phone: newPhone() }),
      await stranger('get', own),
      await stranger('patch', own, { note: null }),
      await stranger('delete', own),
      await stranger('get', `/units/${unit_id}/people`),
      await stranger('get', `/entry-points/${gate}/people`),
      await stranger('get', `/tenants/${vic}`),
      await stranger('patch', `/tenants/${vic}`, { phone: newPhone() }),
      await stranger('delete', `/tenants/${vic}/personal-data`),
    ];
    expect(statuses(tries)).toEqual(tries.map(() => 404));
    expect(await read()).toMatchObject({ standing: 'in_force', phone, note: 'Badge 7' });
  });

  it('is told to the PMS by ids alone', async () => {
    await change({ name: 'Zoe', note: 'Badge 8' });
    const { text } = await company.push('get', '/events?limit=100');
    expect(text).toContain(pass_id);
    expect(text).not.toMatch(new RegExp(`Vic|Zoe|Badge|${phone.slice(1)}`));
  });

  it('is not told to the tenant who rents the unit in auction', async () => {
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.patch('A-1', { pms_auction: true }));
    await change({ unit_ids: [unit_id] });
    const tenant = demand(200, await operator('get', `/units/${unit_id}`)).tenant.tenant_id as string;
    const shown = await access(tenant);
    expect(shown).toMatchObject({ units: [{ state: 'auction' }], passes: [] });
    expect(JSON.stringify(shown)).not.toMatch(/Vic|Badge/);
  });

  it('shows its holder what it opens and the own name, and not what it is for', async () => {
    const [shown] = await passesOf(vic);
    expect(Object.keys(shown).sort()).toEqual([
      'entry_points',
      'from',
      'location',
      'pass_id',
      'units',
      'until',
    ]);
    expect(Object.keys(shown.location.contact).sort()).toEqual(['address', 'email', 'phone']);
    expect(JSON.stringify(shown)).not.toMatch(/Vic|Badge|vendor/);
    expect((await access(vic)).tenant.name).toBe('Vic Vendor');
  });

  it('gives nothing to a tenant who has the same number', async () => {
    const body = { pms_tenant_id: 't-same', name: 'Ada', phone };
    const { tenant_id } = demand(201, await operator('post', `/locations/${location_id}/tenants`, body));
    expect(await passesOf(tenant_id as string)).toEqual([]);
    expect(await passesOf(vic)).toMatchObject([{ pass_id }]);
  });

  it('is shared by nobody: its holder invites nobody to a unit', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { tenant_sharing: true }));
    const [account] = await service.part(TenantAccounts).byTenantId([vic]);
    const { token } = await service.part(TenantSessions).begin(account!);
    const phone_number = newPhone().slice(2);
    const body = { unit_id, name: 'Ann', country_code: '1', phone_number, until: inHours(service, 24) };
    const answer = await service.call('post', '/api/v2/tenant/shares', { token, body });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['unit_id']]);
  });
});

describe('an account with passes at several sites', () => {
  it('is the company’s: whoever manages one of the sites neither reads, changes nor erases it', async () => {
    const { pass_id: far_pass } = await farPass();
    const manager = await operatorAs(service, 'manager', {
      companies: [company.id],
      locations: [location_id],
    });
    const tries = [
      await manager('get', `/tenants/${vic}`),
      await manager('patch', `/tenants/${vic}`, { phone: newPhone() }),
      await manager('delete', `/tenants/${vic}/sessions`),
      await manager('delete', `/tenants/${vic}/personal-data`),
      await manager('get', `/passes/${far_pass}`),
    ];
    expect(statuses(tries)).toEqual([404, 404, 404, 404, 404]);
    demand(200, await manager('patch', `/passes/${pass_id}`, { note: null }));
    const admin = await operatorAs(service, 'manager', { companies: [company.id] });
    demand(200, await admin('get', `/tenants/${vic}`));
  });

  it('is the site’s again an hour after the end of the others, when no key opens them', async () => {
    const { pass_id: far_pass } = await farPass();
    await access(vic);
    demand(200, await operator('delete', `/passes/${far_pass}`));
    const manager = await operatorAs(service, 'manager', {
      companies: [company.id],
      locations: [location_id],
    });
    expect((await manager('get', `/tenants/${vic}`)).status).toBe(404);
    service.manualClock.advance(HOUR);
    const again = await operatorAs(service, 'manager', { companies: [company.id], locations: [location_id] });
    expect(demand(200, await again('get', `/tenants/${vic}`)).keys_outstanding).toEqual([]);
  });
});

describe('a pass gives', () => {
  it('nothing before it begins', async () => {
    await change({ from: inHours(service, 1), until: inHours(service, 2) });
    expect(await passesOf(vic)).toMatchObject([{ pass_id, from: inHours(service, 1) }]);
    expect(JSON.stringify(await passesOf(vic))).not.toContain('"key"');
  });

  it('nothing from its end on', async () => {
    service.manualClock.advance(48 * HOUR);
    expect(await passesOf(vic)).toEqual([]);
  });

  it('keys of an hour at most', async () => {
    const [{ entry_points, units }] = await passesOf(vic);
    for (const { key_expires_at } of [...entry_points, ...units[0].locks])
      expect(Date.parse(key_expires_at as string)).toBeLessThanOrEqual(service.manualClock.now() + HOUR);
  });

  it('no gate that is out of service', async () => {
    demand(200, await operator('patch', `/entry-points/${gate}`, { in_service: false }));
    const [{ entry_points, units }] = await passesOf(vic);
    expect(entry_points).toMatchObject([{ entry_point_id: gate, state: 'denied' }]);
    expect(entry_points[0]).not.toHaveProperty('key');
    expect(units).toMatchObject([{ unit_id }]);
  });

  it('no gate that was removed', async () => {
    demand(200, await operator('patch', `/entry-points/${gate}`, { in_service: false }));
    demand(200, await operator('delete', `/entry-points/${gate}`));
    expect(await passesOf(vic)).toMatchObject([{ entry_points: [], units: [{ unit_id }] }]);
  });

  it('no unit that is let, and the move-in warns until when a key given out opens it', async () => {
    const rents = { pms_tenant_id: 't-1', move_in_date: '2026-03-01' };
    const path = '/units/A-1/tenancy';
    expect(demand(200, await company.push('put', `${path}?dry_run=true`, rents))).not.toHaveProperty(
      'warnings',
    );
    const [{ units, entry_points }] = await passesOf(vic);
    const { key_expires_at } = units[0].locks[0];
    const warned = warnsUntil(key_expires_at as string);
    expect(demand(200, await company.push('put', `${path}?dry_run=true`, rents)).warnings).toEqual(warned);
    expect(demand(200, await company.push('put', path, rents)).warnings).toEqual(warned);
    expect(demand(200, await company.push('put', path, rents))).not.toHaveProperty('warnings');
    expect(entry_points).toMatchObject([{ key_expires_at }]);
  });

  it('no unit that a bulk lets, which warns likewise', async () => {
    const [{ units }] = await passesOf(vic);
    const tenant = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park' };
    const entry = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2026-03-01', tenant };
    const [warning] = warnsUntil(units[0].locks[0].key_expires_at as string);
    const vacant = { crm_unit_id: 'A-2', occupied: false };
    expect(demand(200, await company.sync([vacant, entry])).warnings).toEqual([
      { crm_unit_id: 'A-1', ...warning },
    ]);
  });

  it('no unit to which a tenant is moved, and the transfer warns likewise', async () => {
    const { unit_id: from } = demand(201, await operator('post', place(), { crm_unit_id: 'S-1' }));
    const { unit_id: to } = demand(201, await operator('post', place(), { crm_unit_id: 'S-2' }));
    demand(200, await operator('delete', `/units/${unit_id}/locks/${lock_id}`));
    demand(200, await operator('put', `/units/${to as string}/locks/${lock_id}`));
    const rents = { pms_tenant_id: 't-mover', move_in_date: '2025-12-01' };
    demand(200, await operator('put', `/units/${from as string}/tenancy`, rents));
    await change({ unit_ids: [to] });
    const [{ units }] = await passesOf(vic);
    const moved = await operator('post', `/units/${from as string}/transfer`, { to_unit_id: to });
    expect(demand(200, moved).warnings).toEqual(warnsUntil(units[0].locks[0].key_expires_at as string));
    expect(await passesOf(vic)).toMatchObject([{ units: [] }]);
  });

  it('no unit that is retired', async () => {
    demand(200, await operator('put', `/units/${unit_id}/retired`));
    expect(await passesOf(vic)).toMatchObject([{ units: [] }]);
  });

  it('a unit again that was retired by mistake and is brought back', async () => {
    demand(200, await operator('put', `/units/${unit_id}/retired`));
    demand(200, await operator('delete', `/units/${unit_id}/retired`));
    const [{ units }] = await passesOf(vic);
    expect(units).toMatchObject([
      { unit_id, state: 'vacant', locks: [{ key: expect.any(String) as string }] },
    ]);
  });

  it('no unit that was retired and comes back by a move-in', async () => {
    demand(200, await operator('put', `/units/${unit_id}/retired`));
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.moveOut('A-1'));
    expect(await passesOf(vic)).toMatchObject([{ units: [] }]);
  });

  it('a unit that is not for rent', async () => {
    demand(200, await company.patch('A-1', { pms_unrentable: true }));
    expect(await passesOf(vic)).toMatchObject([{ units: [{ unit_id, state: 'unrentable' }] }]);
  });

  it('a unit that an override locks while nobody rents it', async () => {
    const lockout = { override: 'lockout', reason: 'check' };
    demand(200, await operator('put', `/units/${unit_id}/override`, lockout));
    expect(await passesOf(vic)).toMatchObject([{ units: [{ unit_id, state: 'vacant' }] }]);
  });

  it('a unit in auction that was named in it, also after the move-out', async () => {
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.patch('A-1', { pms_auction: true }));
    await change({ unit_ids: [unit_id] });
    expect(await passesOf(vic)).toMatchObject([{ units: [{ unit_id, state: 'auction' }] }]);
    demand(200, await company.moveOut('A-1'));
    expect(await passesOf(vic)).toMatchObject([{ units: [{ unit_id, state: 'vacant' }] }]);
  });

  it('the same where a location switches sharing by tenants off', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { tenant_sharing: false }));
    expect(await passesOf(vic)).toMatchObject([{ entry_points: [{}], units: [{}] }]);
  });
});

describe('a pass ends', () => {
  it('with the erasure of its holder, and does not come back with new details', async () => {
    demand(200, await operator('delete', `/tenants/${vic}/personal-data`));
    expect(await read()).toMatchObject({ standing: 'ended', name: null, phone: null, note: null });
    demand(200, await operator('patch', `/tenants/${vic}`, { name: 'Vic', phone: newPhone() }));
    expect(await passesOf(vic)).toEqual([]);
    const last = (await service.events(`pass-${pass_id}`)).at(-1);
    expect(last).toMatchObject({ type: 'PassEnded', data: { cause: 'holder_erased' } });
  });

  it('once where its holder is erased twice', async () => {
    for (let turn = 0; turn < 2; turn += 1)
      demand(200, await operator('delete', `/tenants/${vic}/personal-data`));
    const events = await service.events(`pass-${pass_id}`);
    expect(events.filter(({ type }) => type === 'PassEnded')).toHaveLength(1);
  });

  it('and its holder is erased 30 days later, but not who opened what', async () => {
    for (let day = 0; day < 32; day += 1) {
      service.manualClock.advance(DAY);
      await service.part(GuestRounds).lookAtDue();
    }
    expect(await read()).toMatchObject({ tenant_id: vic, standing: 'ended', name: null, phone: null });
  });
});

describe('when a phone number', () => {
  it('of the account is changed, sessions end, and the new number has the pass', async () => {
    const app = await appOf(service, vic);
    demand(200, await operator('patch', `/tenants/${vic}`, { phone: newPhone() }));
    expect((await app()).status).toBe(401);
    expect(await passesOf(vic)).toMatchObject([{ pass_id }]);
  });

  it('of the pass is changed, another account has it, and the former has nothing', async () => {
    const app = await appOf(service, vic);
    const { tenant_id } = await change({ phone: newPhone() });
    expect(demand(200, await app()).passes).toEqual([]);
    expect(await passesOf(tenant_id as string)).toMatchObject([{ pass_id }]);
  });

  it('has a new owner, whom nobody sees, the end bounds the pass', async () => {
    expect(await passesOf(vic)).toMatchObject([{ until: inHours(service, 48) }]);
    service.manualClock.advance(48 * HOUR);
    expect(await passesOf(vic)).toEqual([]);
  });
});
