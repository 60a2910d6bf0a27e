import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { type Fields, Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;
let location: string;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
  company = await service.company({
    pms_location_code: 'MAIN',
    name: 'Lake Street',
    timezone: 'America/Chicago',
  });
  location = `/dashboard/locations/${company.locations.get('MAIN')}`;
});
afterAll(() => service.close());

const moveIn = async (crm_unit_id: string, body: object = {}) =>
  `/dashboard/units/${demand(201, await company.moveIn(crm_unit_id, body)).unit_id}`;

describe('a unit that is past due', () => {
  it('says why it is locked out and what opens it, with who wrote each fact', async () => {
    const path = await moveIn('A-1');
    await company.patch('A-1', { balance_due: 189, paid_through_date: '2025-12-01' });
    await admin.visit(path);
    expect(admin.form('let-in').values).toMatchObject({
      override: 'exempt',
      until: 'tomorrow',
      expires_at: '2026-01-01T18:00',
    });
    expect(admin.text).toContain(
      'Locked out: $189.00 due since Dec 2, 2025, grace ended on Dec 6, 2025. Opens when $189.00 is paid.',
    );
    expect(admin.text).toMatch(/Balance \$189\.00 by API token PMS, Dec 31, 2025, 6:00 PM CST/);
    expect(admin.text).toMatch(/9 Past due balance: \$189\.00, .{0,200} Yes, decides/);
    expect(admin.text).toContain('In auction no never written');
  });

  it('is opened by an override, which ends by the clock of the place or when it is cleared', async () => {
    const path = await moveIn('A-2', { pms_tenant_id: 't-2' });
    await admin.visit(path);
    for (const reason of [' ', '\u2800']) {
      await admin.submit('lock-out', { reason });
      expect(admin.shown.status).toBe(422);
    }
    await admin.visit(path);
    const first = () => admin.form('lock-out').values;
    expect(first()).toMatchObject({ override: 'lockout', reason: '', expires_at: '' });
    await admin.submit('lock-out', {
      reason: 'Broken <latch>',
      expires_at: '2026-02-01T00:00',
    });
    expect(admin.shown.path).toBe(`${path}?done=override`);
    expect(admin.text).toContain(
      'Locked out by staff (“Broken <latch>”), until Feb 1, 2026, 12:00 AM CST. Opens when the lockout ends or staff lifts it.',
    );
    expect(first()).toMatchObject({ override: 'lockout', reason: '', expires_at: '2026-02-01T00:00' });
    expect(admin.text).toContain('Access follows the PMS again at once.');
    await admin.submit('clear');
    expect(admin.text).toContain('What staff set is taken back.');
    expect(admin.text).toMatch(/ Open (?!.{0,80} Open\.)/);
    await admin.submit('let-in', { until: 'other', expires_at: '', reason: 'Pays by card' });
    await admin.visit('/dashboard/find/hits?q=A-2');
    expect(admin.html).toMatch(/ · Lake Street<.*Open: let in by staff</s);
    await admin.visit(`${path}/history`);
    expect(admin.text).toContain('ends: none → Feb 1, 2026, 12:00 AM CST');
    await admin.visit(path);
    await admin.submit('let-in', { until: 'other', reason: 'x', expires_at: '2020-01-01T00:00' });
    expect([admin.shown.status, admin.text]).toEqual([422, expect.stringContaining('must be in the future')]);
    expect(admin.form('let-in').values).toMatchObject({
      until: 'other',
      reason: 'x',
      expires_at: '2020-01-01T00:00',
    });
    expect(admin.text).toContain('“Date and time (Chicago, Central Time)” must be in the future.');
    for (const expires_at of ['tomorrow', ['2031-01-01T00:00', 'tomorrow']]) {
      await admin.submit('let-in', { until: 'other', expires_at });
      expect([admin.shown.status, admin.text]).toEqual([
        422,
        expect.stringContaining('“Date and time (Chicago, Central Time)” must be a date and a time.'),
      ]);
    }
  });

  it('tells its history as a picture and as entries, and is seen as it was', async () => {
    const path = await moveIn('A-3', { pms_tenant_id: 't-3' });
    const before = new Date(service.clock.now()).toISOString();
    service.manualClock.advance(60_000);
    await company.patch('A-3', { pms_lockout: true });
    await admin.visit(`${path}/history`);
    expect(admin.html).toContain('aria-label="Locked out by PMS, from');
    expect(admin.text).toContain('PMS data changed by API token PMS');
    expect(admin.text).toContain('locked by PMS: no → yes');
    const then = admin.links.find((href) => href.includes(`at=${before}`))!;
    await admin.visit(then);
    expect(admin.text).toContain('As it was on');
    expect(admin.text).toMatch(/ Open (?!.{0,80} Open\.)/);
    expect(admin.text).not.toContain('locked by PMS: no → yes');
    await admin.visit(`${path}?on=tomorrow&zone=America/Chicago`);
    expect([admin.shown.status, admin.form('as-of').values]).toEqual([
      422,
      { on: 'tomorrow', zone: 'America/Chicago' },
    ]);
    expect(admin.text).toContain('“See it as it was on (Chicago, Central Time)” must be a date and a time.');
    for (const part of ['', '/history', '/setup']) {
      await admin.visit(`${path}${part}`);
      expect(admin.form('as-of')).toEqual({
        action: path,
        values: { on: '2025-12-31T18:01', zone: 'America/Chicago' },
      });
    }
    await admin.visit(`${path}?on=2025-12-31T18:01&zone=America/Chicago`);
    expect(admin.shown.path).toBe(`${path}?at=2026-01-01T00%3A01%3A00Z`);
    expect(admin.form('as-of').values['on']).toBe('2025-12-31T18:01');
    await admin.visit(`${path}?at=2031-01-01T06:00:00Z`);
    expect(admin.text).toContain('As it will be on Jan 1, 2031, 12:00 AM CST , if nothing is written until');
    expect(admin.text).not.toContain('As it was on');
    expect(admin.form('as-of').values['on']).toBe('2031-01-01T00:00');
    expect((await admin.visit(`${path}?at=nonsense`)).status).toBe(422);
    for (const minute of ['abc', '-1', '1.5', '9999999999']) {
      expect((await admin.visit(`${path}?minute=${minute}`)).status).toBe(422);
      expect(admin.text).toContain(
        '“Slide from the beginning to now” must be whole minutes since 1970, of at most nine digits.',
      );
    }
    for (const name of ['minute', 'on', 'at', 'zone']) {
      expect((await admin.visit(`${path}?${name}=1&${name}=2`)).status).toBe(422);
      expect(admin.text).toContain(`The address must say “${name}” only once.`);
    }
    expect((await admin.visit(`${path}?minute=&seconds=abc`)).status).toBe(200);
    expect((await admin.visit(`${path}?at=2001-01-01T00:00:00Z`)).status).toBe(404);
    expect(admin.text).toContain('It was not there yet on Dec 31, 2000, 6:00 PM CST .');
    expect([admin.links.includes(path), admin.forms]).toEqual([true, ['as-of']]);
  });
});

describe('a unit as it was before more entries than a page shows', () => {
  it('tells what had happened until then, and who wrote each fact', async () => {
    const path = await moveIn('A-4', { pms_tenant_id: 't-4' });
    await company.patch('A-4', { pms_status_raw: 'first word' });
    const then = new Date(service.clock.now()).toISOString();
    for (let write = 0; write < 201; write += 1) {
      service.manualClock.advance(1_000);
      await company.patch('A-4', { pms_status_raw: `word ${write}` });
    }
    await admin.visit(`${path}?at=${then}`);
    expect(admin.text).toContain('status in the PMS: none → first word');
    expect(admin.text).toMatch(/Status in the PMS first word by API token PMS/);
    expect(admin.text).not.toContain('word 200');
    await admin.visit(path);
    expect(admin.text).toContain('In auction no as a unit begins, or long ago');
    const pages: string[] = [];
    for (let href: string | undefined = `${path}/history`; href !== undefined;) {
      await admin.visit(href);
      pages.push(admin.text);
      href = admin.links.find((link) => link.includes('cursor='));
    }
    expect(pages).toHaveLength(5);
    expect(pages[0]).toContain('→ word 200');
    expect(pages[4]).toContain('none → first word');
    expect(admin.links).toContain(`${path}/history.csv`);
  });
});

describe('a lock that is on no unit', () => {
  it('is put on one by its name, serial number or identifier, of more than a page could offer', async () => {
    const other = await service.company({ pms_location_code: 'LOCKS' });
    const place = `/locations/${other.locations.get('LOCKS')}`;
    const add = async (name: string, serial: string | null = null) =>
      demand(201, await service.operator('post', `${place}/locks`, { name, ...(serial && { serial }) }))
        .lock_id as string;
    const path = `/dashboard/units/${demand(201, await other.moveIn('L-1')).unit_id}/setup`;
    await admin.visit(path);
    expect(admin.forms).not.toContain('lock');
    expect(admin.text).toContain('No spare locks. Add one');
    const ids: string[] = [];
    for (let number = 0; number < 60; number += 1) ids.push(await add(`Latch ${number}`, `S-${number}`));
    const twins = [await add('Twin', 'TW-1'), await add('Twin')];
    await admin.visit(path);
    expect(admin.html.match(/<option value="Latch/g)).toHaveLength(50);
    expect(admin.form('lock').values).toEqual({ lock: '' });
    expect(admin.text).toContain('The first 50 are offered; any other can be typed.');
    for (const [typed, status, said] of [
      ['Latch 9999', 404, 'Lock not found.'],
      ['x'.repeat(256), 404, 'Lock not found.'],
      ['Twin', 422, 'fits several locks that are on no unit'],
    ] as const) {
      await admin.submit('lock', { lock: typed });
      expect([admin.shown.status, admin.form('lock').values]).toEqual([status, { lock: typed }]);
      expect(admin.text).toContain(said);
    }
    for (const [typed, name] of [
      ['Latch 59', 'Latch 59'],
      [' S-58 ', 'Latch 58'],
      [ids[57]!, 'Latch 57'],
      ['TW-1', 'Twin'],
    ] as const) {
      await admin.submit('lock', { lock: typed });
      expect(admin.shown.status).toBe(200);
      expect(admin.text).toContain(`Take ${name} off`);
    }
    await admin.visit(`/dashboard/units/${demand(201, await other.moveIn('L-2')).unit_id}/setup`);
    await admin.submit('lock', { lock: 'Latch 59' });
    expect([admin.shown.status, admin.text]).toEqual([
      409,
      expect.stringContaining('The lock is attached to another unit.'),
    ]);
    await admin.submit('lock', { lock: 'Twin' });
    const { locks } = demand(
      200,
      await service.operator('get', admin.shown.path.replace(/^\/dashboard|\/setup.*$/g, '')),
    );
    expect(locks).toMatchObject([{ lock_id: twins[1] }]);
    await admin.visit(`/dashboard${place}/equipment?free=true`);
    expect(admin.text).toContain('Latch 0 ');
    expect(admin.text).not.toMatch(/Latch 5[789] |Twin/);
    const csv = await admin.visit(`/dashboard${place}/locks.csv?free=true`);
    expect(csv.html.trimEnd().split('\r\n')).toHaveLength(58);
    expect((await admin.visit(`/dashboard${place}/locks.csv`)).html.trimEnd().split('\r\n')).toHaveLength(63);
    expect((await admin.visit(`/dashboard${place}/equipment?free=yes`)).status).toBe(422);
  });

  it('is found among any number of its name that are on units, and is no other while two are free', async () => {
    const other = await service.company({ pms_location_code: 'DOORS' });
    const place = `/locations/${other.locations.get('DOORS')}`;
    const taking = `/units/${demand(201, await other.moveIn('D-1')).unit_id}`;
    const path = `/units/${demand(201, await other.moveIn('D-2')).unit_id}`;
    const doors: string[] = [];
    for (let number = 0; number < 12; number += 1)
      doors.push(demand(201, await service.operator('post', `${place}/locks`, { name: 'Door' })).lock_id);
    const take = async (lock_id: string) =>
      demand(200, await service.operator('put', `${taking}/locks/${lock_id}`));
    for (const lock_id of [...doors.slice(0, 2), ...doors.slice(3, 11)]) await take(lock_id);
    const said = async (lock: string) => {
      await admin.visit(`/dashboard${path}/setup`);
      await admin.submit('lock', { lock });
      return [admin.shown.status, admin.text] as const;
    };
    expect(await said('Door')).toEqual([422, expect.stringContaining('fits several locks')]);
    expect(await said(' ')).toEqual([422, expect.stringContaining('“Spare lock” is required.')]);
    await take(doors[2]!);
    expect((await said('Door'))[0]).toBe(200);
    expect(demand(200, await service.operator('get', path)).locks).toMatchObject([{ lock_id: doors[11] }]);
  });
});

describe('what hangs on a unit', () => {
  it('is put on it and taken off: a lock, a zone, a share', async () => {
    const path = await moveIn('B-1', { pms_tenant_id: 't-b' });
    await admin.visit(`${location}/equipment`);
    expect(admin.text).toContain('No lock yet.');
    await admin.submit('lock', { name: 'B-1 door', serial: '' });
    await admin.visit(`${location}/equipment?of=zones`);
    await admin.submit('zone', { name: 'Building B' });
    await admin.visit(`${location}/equipment?of=gates`);
    const zone_id = /name="zone_ids" value="([^"]+)"/.exec(admin.html)![1]!;
    await admin.submit('entry-point', { name: 'North gate', kind: 'gate', zone_ids: [zone_id] });
    expect(admin.text).toContain('North gate Gate Building B Those of the site Always open');
    await admin.submit('entry-point', { name: 'South gate', zone_ids: ['none', 'neither'] });
    expect(admin.shown.status).toBe(422);
    expect(admin.text.match(/“Zones it leads to” must be/g)).toHaveLength(1);
    await admin.visit(`${path}/setup`);
    await admin.submit('name', { unit_name: '' });
    expect([admin.shown.status, admin.form('name').values]).toEqual([422, { unit_name: '' }]);
    await admin.submit('name', { unit_name: 'Corner unit' });
    expect(admin.text).toContain('The unit has its new name. Corner unit is open.');
    await admin.submit('lock');
    expect(admin.text).toContain('B-1 door Take B-1 door off');
    await admin.submit('zone');
    expect(admin.text).toContain('Remove from Building B');
    for (const kind of ['zone-', 'lock-']) {
      await admin.submit(admin.forms.find((name) => name.startsWith(kind))!);
      expect(admin.shown.status).toBe(200);
    }
    expect(admin.text).toContain('No lock is on it');
    expect(admin.text).toContain('In no zone.');
  });

  it('is shared with a tenant who is found by name, phone or PMS id', async () => {
    const tenant = { pms_tenant_id: 't-guest', first_name: 'Denise', last_name: 'Whitfield' };
    const rented = { crm_unit_id: 'G-2', occupied: true, move_in_date: '2025-10-01', tenant };
    const entry = { ...rented, balance_due: 80, paid_through_date: '2025-11-01' };
    const elsewhere = await service.company();
    for (const one of [company, elsewhere]) demand(200, await one.sync([entry]));
    const path = await moveIn('G-1', { pms_tenant_id: 't-host' });
    await admin.visit(path);
    for (const [q, offered] of [
      ['whit', 1],
      ['t-guest', 1],
      ['nobody', 0],
      ['t-host', 0],
    ] as const) {
      const hits = await admin.visit(`${path}/share/hits?q=${q}`);
      expect([q, hits.html.match(/<button name="tenant_id"/g)?.length ?? 0]).toEqual([q, offered]);
    }
    expect(admin.text).toMatch(/has this unit already, as its tenant/);
    expect(admin.text).not.toContain('More tenants match.');
    const crowd = Array.from({ length: 11 }, (_, place) => ({
      ...{ ...entry, crm_unit_id: `G-1${place}` },
      tenant: { pms_tenant_id: `t-crowd-${place}`, first_name: 'Crowded', last_name: 'House' },
    }));
    demand(200, await company.sync(crowd));
    expect(
      (await admin.visit(`${path}/share/hits?q=crowd`)).html.match(/<button name="tenant_id"/g),
    ).toHaveLength(10);
    expect(admin.text).toContain('More tenants match. Type more to narrow.');
    const locked = `/dashboard/units/${(await company.unit('G-2')).unit_id}`;
    expect((await admin.visit(`${locked}/share/hits?q=crowd`)).html).toContain(
      'lead to it, once it is open, until',
    );
    await admin.visit(`${path}/share?q=denise`);
    expect(admin.text).toContain('They can open this unit, and gates that lead to it, until');
    expect(admin.text).toContain('Share with Denise Whitfield G-2 Locked out: past due owes $80.00');
    expect(admin.html).toContain(`<p><a href="${path}">Cancel</a></p>`);
    const [, tenant_id] = /<button name="tenant_id" value="([0-9A-Z]{26})"/.exec(admin.html)!;
    await admin.submit('share-with', { tenant_id: tenant_id! });
    expect(admin.text).toContain('The unit is shared. G-1 is open.');
    expect(admin.text).toMatch(/Denise Whitfield\s*Shared by staff/);
    await admin.visit(`${path}/share?q=denise`);
    expect(admin.text).toContain('Denise Whitfield has this unit already, as its tenant or by a share.');
    await admin.visit(path);
    await admin.submit(admin.forms.find((name) => name.startsWith('end-share-'))!);
    expect(admin.text).not.toContain('Shared by staff');
    await admin.post(`${path}/shares`, { tenant_id: 'nobody' });
    expect([admin.shown.status, admin.text]).toEqual([404, expect.stringContaining('Tenant not found.')]);
  });

  it('is shared with somebody new by name and phone, as people write it, until a local time', async () => {
    const path = await moveIn('G-20', { pms_tenant_id: 't-host-2' });
    const given = { name: 'Daniel Brooks', phone: '(312) 555-0188', until: '2026-01-05T18:00' };
    await admin.visit(path);
    await admin.submit('share-person', { ...given, until: '2025-01-05T18:00' });
    expect([admin.shown.status, admin.form('share-person').values]).toEqual([
      422,
      { ...given, until: '2025-01-05T18:00' },
    ]);
    expect(admin.text).toContain('must be in the future.');
    await admin.submit('share-person', given);
    expect(admin.text).toContain('The unit is shared. G-20 is open.');
    expect(admin.text).toMatch(
      /Daniel Brooks\s*Shared by staff\s*\+1 312-555-0188\s*Jan 5, 2026, 6:00 PM CST/,
    );
    expect(admin.text).not.toContain('PMS id guest-');
  });

  it('shows another end of a share, and none', async () => {
    const path = await moveIn('G-21', { pms_tenant_id: 't-host-3' });
    await admin.visit(path);
    await admin.submit('share-person', { name: 'Ann Lee', phone: '312.555.0189', until: '' });
    const form = () => admin.forms.find((name) => name.startsWith('until-'))!;
    expect(admin.form(form()).values).toEqual({ until: '' });
    await admin.submit(form(), { until: '2026-01-09T08:30' });
    expect(admin.text).toContain('The end of the share is saved.');
    expect(admin.text).toMatch(/Ann Lee\s*Shared by staff.*Jan 9, 2026, 8:30 AM/);
    expect(admin.form(form()).values).toEqual({ until: '2026-01-09T08:30' });
    await admin.submit(form(), { until: '' });
    expect(admin.text).not.toMatch(/Ann Lee\s*Shared by staff.*8:30 AM/);
  });

  it('names whose number was typed for somebody new, and shares with them after the question', async () => {
    const neighbour = await moveIn('G-23', { pms_tenant_id: 't-neighbour' });
    const { tenant } = demand(200, await service.operator('get', `/units/${neighbour.split('/').at(-1)!}`));
    const details = { name: 'Edith Singh', phone: '+13125550191' };
    demand(200, await service.operator('patch', `/tenants/${tenant.tenant_id}`, details));
    const path = await moveIn('G-22', { pms_tenant_id: 't-host-4' });
    await admin.visit(path);
    await admin.submit('share-person', { name: 'Ann', phone: '312-555-0191', until: '' });
    expect(admin.text).toContain(
      '+1 312-555-0191 is the number of Edith Singh. The unit is not shared with them',
    );
    await admin.submit('share-with', { tenant_id: tenant.tenant_id });
    expect(admin.text).toContain('The unit is shared.');
    expect(admin.text).toMatch(/Edith Singh\s*Shared by staff/);
  });

  it('says of a number that was typed twice that its owner has the unit already', async () => {
    const path = await moveIn('G-24', { pms_tenant_id: 't-host-5' });
    const given = { name: 'Ann', phone: '312-555-0190', until: '' };
    await admin.visit(path);
    await admin.submit('share-person', given);
    await admin.submit('share-person', given);
    expect(admin.text).toContain('+1 312-555-0190 is the number of Ann.');
    expect(admin.text).toContain('Ann has this unit already, as its tenant or by a share.');
  });

  it('tells which gates the tenant may pass, and why', async () => {
    const place = `/locations/${company.locations.get('MAIN')}`;
    const add = async (part: string, body: object) =>
      demand(201, await service.operator('post', `${place}/${part}`, body));
    const { zone_id } = await add('zones', { name: 'Hall' });
    const gate = { name: 'Hall door', kind: 'door', zone_ids: [zone_id] };
    const { entry_point_id } = await add('entry-points', gate);
    const [first, second] = [
      await moveIn('H-1', { pms_tenant_id: 't-hall' }),
      await moveIn('H-2', { pms_tenant_id: 't-hall' }),
    ];
    const put = async (path: string, body?: object) => demand(200, await service.operator('put', path, body));
    const unitOf = (path: string) => path.replace('/dashboard', '');
    const said = async () => (await admin.visit(first), /Gates (.*?) PMS data/.exec(admin.text)![1]);
    expect(await said()).toBe('The unit is in no zone, so it opens no gate.');
    for (const path of [first, second]) await put(`/zones/${zone_id}${unitOf(path)}`);
    expect(await said()).toBe('Hall door Yes');
    const lockout = { override: 'lockout', reason: 'Broken latch' };
    await put(`${unitOf(first)}/override`, lockout);
    expect(await said()).toBe('Hall door Yes By H-2');
    await put(`${unitOf(second)}/override`, lockout);
    expect(await said()).toBe('Hall door No None of the tenant’s units there is open');
    demand(200, await service.operator('patch', `/entry-points/${entry_point_id}`, { in_service: false }));
    expect(await said()).toBe('Hall door No Out of service');
  });

  it('tells the keys that still work where no lock is on it any more', async () => {
    const path = await moveIn('B-3', { pms_tenant_id: 't-b3' });
    const unit = path.replace('/dashboard', '');
    const place = `/locations/${company.locations.get('MAIN')}`;
    const { lock_id } = demand(201, await service.operator('post', `${place}/locks`, { name: 'B-3 door' }));
    const { zone_id } = demand(201, await service.operator('post', `${place}/zones`, { name: 'Yard' }));
    const gate = { name: 'Yard gate', kind: 'gate', zone_ids: [zone_id] };
    demand(201, await service.operator('post', `${place}/entry-points`, gate));
    demand(200, await service.operator('put', `${unit}/locks/${lock_id}`));
    demand(200, await service.operator('put', `/zones/${zone_id}${unit}`));
    const { tenant } = demand(200, await service.operator('get', unit));
    const [account] = await service.part(TenantAccounts).byTenantId([tenant.tenant_id]);
    const { token } = await service.part(TenantSessions).begin(account!);
    demand(200, await service.call('get', '/api/v2/tenant/access', { token }));
    demand(200, await service.operator('delete', `${unit}/locks/${lock_id}`));
    await admin.visit(path);
    expect(admin.text).toContain('still work at an offline lock, until they expire');
    expect(admin.text).toContain('B-3 door: until');
    expect(admin.text).toContain('Yard gate: until');
  });
});

describe('a standalone unit', () => {
  it('is created, let, changed and vacated in the browser alone', async () => {
    await admin.visit(location);
    await admin.submit('unit', { crm_unit_id: 'S/1', unit_name: '' });
    expect(admin.text).toContain('Vacant: nobody rents it');
    await admin.submit('move-in', { name: 'Ada', phone: '(312) 561-0100', move_in_date: '2025-11-01' });
    expect(admin.text).toMatch(/ Open (?!.{0,80} Open\.)/);
    await admin.submit('facts', { balance_due: '12.345' });
    expect(admin.shown.status).toBe(422);
    expect(admin.form('facts').values['balance_due']).toBe('12.345');
    await admin.submit('facts', {
      balance_due: '12.50',
      paid_through_date: '2025-11-30',
      pms_lockout: ['false', 'true'],
    });
    expect(admin.text).toContain(
      'Locked out by its facts. Also: its balance is past due. Opens when staff lifts the lockout in its facts and $12.50 is paid.',
    );
    expect(admin.text).toContain('Pay $12.50');
    expect(admin.text).toContain('Staff lifts the lockout');
    await admin.visit(admin.links.find((href) => href.endsWith('/history'))!);
    await admin.visit(admin.links.find((href) => href.endsWith('/report'))!);
    expect(admin.text).toContain('S/1; unit number S/1; here 01');
    await admin.visit(admin.links.find((href) => /\/units\/\w+$/.test(href))!);
    for (const paid_through_date of ['2025-11-30', '2026-12-01']) {
      await admin.submit('facts', { balance_due: '', paid_through_date });
      expect([admin.shown.status, admin.form('facts').values]).toEqual([
        422,
        expect.objectContaining({ balance_due: '', paid_through_date }),
      ]);
      expect(admin.text.match(/“Balance due” is required\./g)).toHaveLength(2);
    }
    await admin.submit('facts', { balance_due: '0', paid_through_date: '', pms_lockout: 'false' });
    expect(admin.text).toMatch(/ Open (?!.{0,80} Open\.)/);
    await admin.submit('move-out');
    expect(admin.text).toContain('Vacant: nobody rents it');
  });

  it('cannot have the identifier of another, and says so by the name of the field', async () => {
    await admin.visit(location);
    await admin.submit('unit', { crm_unit_id: 'S-1' });
    await admin.visit(location);
    await admin.submit('unit', { crm_unit_id: 'S-1' });
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('“Unit number” has already been taken.'),
    ]);
  });

  it('says why it refuses a form that its page has no more', async () => {
    const place = `/locations/${company.locations.get('MAIN')}`;
    const { unit_id } = demand(201, await service.operator('post', `${place}/units`, { crm_unit_id: 'S-2' }));
    const path = `/dashboard/units/${unit_id}`;
    const refusedAsStale = async (form: string, fields: Fields, status: number, said: string) => {
      await admin.post(`${path}/${form}`, fields);
      expect([form, admin.shown.status, admin.text.split(said).length - 1]).toEqual([form, status, 1]);
      expect(admin.html).toMatch(/<\/div><div class="refusal" role="alert"/);
    };
    const stale = (await moveIn('P-0', { pms_tenant_id: 't-stale' })).replace('/dashboard', '');
    const { tenant } = demand(200, await service.operator('get', stale));
    await refusedAsStale('shares', { tenant_id: tenant.tenant_id }, 422, 'The unit is not occupied.');
    await refusedAsStale('zones/gone/remove', {}, 404, 'Zone not found.');
    await refusedAsStale('locks/gone/remove', {}, 404, 'Lock not found.');
    const tenancy = { pms_tenant_id: 'own-2', move_in_date: '2025-11-01' };
    demand(200, await service.operator('put', `/units/${unit_id}/tenancy`, tenancy));
    await refusedAsStale('retire', {}, 409, 'The unit is occupied.');
    const wrong = { pms_tenant_id: 'x', move_in_date: 'x' };
    await refusedAsStale('tenancy', wrong, 422, 'The move in date field must be');
    await admin.submit('facts', { balance_due: '12.345' });
    expect(admin.html.match(/role="alert"/g)).toHaveLength(1);
    expect(admin.html).not.toMatch(/<\/div><div class="refusal"/);
  });

  it('is not what a PMS writes', async () => {
    const path = await moveIn('P-1', { pms_tenant_id: 't-p' });
    await admin.visit(path);
    expect(admin.forms).not.toContain('facts');
    await admin.post(`${path}/facts`, { balance_due: '1' });
    expect(admin.shown.status).toBe(409);
  });
});

describe('a location', () => {
  it('has a policy, which decides every unit again', async () => {
    const path = await moveIn('C-1', { pms_tenant_id: 't-c' });
    await company.patch('C-1', { balance_due: 5, paid_through_date: '2025-12-01' });
    await admin.visit(`${location}/policy`);
    await admin.submit('policy', { grace_period_days: '91' });
    expect([admin.shown.status, admin.form('policy').values['grace_period_days']]).toEqual([422, '91']);
    const { action, values } = admin.form('policy');
    for (const path of [action, `${action}/try`]) {
      await admin.post(path, { ...values, timezone: '', grace_period_days: '6' });
      expect([admin.shown.status, admin.text]).toEqual([
        422,
        expect.stringContaining('“Time zone” is required.'),
      ]);
    }
    await admin.submit('policy', {
      timezone: 'America/Chicago',
      grace_period_days: '5',
      balance_threshold: '5.00',
    });
    await admin.submit('apply');
    expect(admin.text).toContain('Policy saved: 0 locked, 1 opened.');
    await admin.submit('location-name', { name: '' });
    expect([admin.shown.status, admin.text]).toEqual([422, expect.stringContaining('“Name of the site”')]);
    await admin.submit('location-name', { name: 'Lake Street East' });
    expect(admin.text).toContain('The details are saved. Lake Street East');
    expect(admin.form('policy').values).toMatchObject({
      balance_threshold: '5',
      blanket_delinquency: ['false', 'true'],
    });
    await admin.visit(path);
    expect(admin.text).toMatch(/ Open (?!.{0,80} Open\.)/);
  });
});

describe('a tenant', () => {
  it('is added, changed, and erased with a plain warning', async () => {
    await admin.visit(`${location}/tenants`);
    await admin.submit('tenant', { pms_tenant_id: 'T"9', name: 'Ada <Park>', phone: '12' });
    expect(admin.shown.status).toBe(422);
    expect(admin.form('tenant').values).toMatchObject({ name: 'Ada <Park>', phone: '12' });
    await admin.submit('tenant', { phone: '+13125550199' });
    const { path } = admin.shown;
    expect(admin.text).toContain('Ada <Park>');
    await admin.submit('details', { email: 'lost@park.example', name: '' });
    expect([admin.shown.status, admin.text]).toEqual([422, expect.stringContaining('“Name” is required.')]);
    await admin.submit('details', { email: 'ada@park.example', name: 'Ada Park' });
    expect(admin.text).toContain('ada@park.example');
    await admin.visit('/dashboard/find?q=ada');
    expect(admin.text).toContain('Ada Park +1 312-555-0199');
    await admin.visit(path);
    expect(admin.text).toContain('This cannot be undone.');
    await admin.submit('erase');
    expect(admin.text).toContain('The personal details were erased');
    expect(admin.text).not.toContain('ada@park.example');
  });
});

describe('a form of what stands', () => {
  it('writes what the operator changed, and leaves what the PMS or another operator wrote meanwhile', async () => {
    await admin.visit(`${location}/tenants`);
    await admin.submit('tenant', { pms_tenant_id: 'T-stale', name: 'Ida Cole', phone: '+13125550110' });
    const tenant_id = admin.shown.path.split(/[/?]/)[3]!;
    const change = { phone: '+13125550111' };
    demand(200, await service.operator('patch', `/tenants/${tenant_id}`, change));
    await admin.submit('details', { email: 'not an address' });
    expect(admin.shown.status).toBe(422);
    await admin.submit('details', { email: 'ida@cole.example' });
    expect(admin.text).toContain('ida@cole.example');
    const tenant = demand(200, await service.operator('get', `/tenants/${tenant_id}`));
    expect(tenant).toMatchObject({ email: 'ida@cole.example', phone: '+13125550111' });

    const location_id = company.locations.get('MAIN');
    await admin.visit(`${location}/policy`);
    const name = 'Lake Street North';
    demand(200, await service.operator('patch', `/locations/${location_id}`, { name }));
    await admin.submit('policy', { grace_period_days: '6' });
    await admin.submit('apply');
    const policy = demand(200, await service.operator('get', `/locations/${location_id}`));
    expect(policy).toMatchObject({ name, grace_period_days: 6 });

    await admin.visit(location);
    await admin.submit('unit', { crm_unit_id: 'S/stale', unit_name: '' });
    const unit_id = admin.shown.path.split(/[/?]/)[3]!;
    const facts = { pms_lockout: true };
    demand(200, await service.operator('patch', `/units/${unit_id}`, facts));
    await admin.submit('facts', { pms_status_raw: 'a word' });
    const unit = demand(200, await service.operator('get', `/units/${unit_id}`));
    expect(unit.facts).toMatchObject({ pms_lockout: true, pms_status_raw: 'a word' });
  });

  it('that nothing was changed in writes nothing', async () => {
    const path = await moveIn('N-1', { pms_tenant_id: 't-nothing' });
    await admin.visit(path);
    await admin.visit(admin.links.find((href) => href.includes('/tenants/'))!);
    await admin.submit('details');
    expect([admin.shown.status, admin.text]).toEqual([200, expect.stringContaining('Nothing was changed')]);
    await admin.post('/dashboard/tenants/%E2%82%AC', { 'initial.email': '', email: '' });
    expect(admin.shown.status).toBe(404);
  });
});

describe('an address of a unit that is none', () => {
  it('is not found, whatever is asked of it', async () => {
    for (const query of ['', '?on=2026-01-01T00:00', '?at=2026-01-01T00:00:00Z'])
      expect((await admin.visit(`/dashboard/units/%E2%82%AC${query}`)).status).toBe(404);
  });
});

describe('Find', () => {
  it('finds units by a part of their names and says what to do where there is nothing', async () => {
    await admin.visit('/dashboard/find');
    expect(admin.text).toContain('Type a unit');
    await admin.visit('/dashboard/find?q=S%2F');
    expect(admin.text).toContain('S/1');
    expect(admin.html).toContain('value="S/"');
    await admin.visit(`/dashboard/find?q=${encodeURIComponent('"><script>')}`);
    expect(admin.html).not.toContain('"><script>');
    expect(admin.text).toContain('No match for “"><script>”');
  });
});

it('a unit is let in at any hour, which the message and its gates say', async () => {
  const path = await moveIn('R-1', { pms_tenant_id: 'round' });
  const location_id = company.locations.get('MAIN')!;
  const unit_id = path.split('/').at(-1)!;
  const add = async (what: string, body: object) =>
    demand(201, await service.operator('post', `/locations/${location_id}/${what}`, body));
  const { zone_id } = await add('zones', { name: 'North' });
  await add('entry-points', { name: 'North gate', kind: 'gate', zone_ids: [zone_id] });
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  await admin.visit(`${path}/setup`);
  expect(admin.text).toContain('Let in at any hour');
  await admin.submit('round-the-clock');
  expect(admin.text).toContain('The unit’s people pass gates at any hour.');
  expect(admin.text).not.toContain('R-1 is open.');
  await admin.visit(path);
  expect(admin.text).toContain('North gate Yes Round the clock');
});
