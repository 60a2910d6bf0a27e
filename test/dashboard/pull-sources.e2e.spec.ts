import { PullScheduler } from '#pull/index.js';
import { json, occupied, SourceServer, status } from '../pull/support/source-server.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const SECRET = 'Bearer very-secret';

let service: Service;
let company: Company;
let pms: SourceServer;
let list: string;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start({ environment: { PULL_ALLOW_PRIVATE: 'true' } });
  company = await service.company({ pms_location_code: 'MAIN' });
  list = `/dashboard/companies/${company.id}/pull-sources`;
  pms = await SourceServer.start();
  admin = await Visitor.signedIn(service);
});
afterAll(async () => {
  await service.part(PullScheduler).settled();
  await service.close();
  await pms.close();
});

const settled = () => service.part(PullScheduler).settled();

/** The source's page, after a run by hand has ended. */
async function run(): Promise<string> {
  const { path } = admin.shown;
  await admin.submit('run');
  await settled();
  await admin.visit(path.split('?')[0]!);
  return admin.text;
}

describe('a pull source in the dashboard', () => {
  it('is added, with what was refused kept as it was typed', async () => {
    await admin.visit(list);
    expect(admin.text).toContain('If your PMS cannot send its units, add');
    const mapping = 'Unit No = unit id in the PMS\nIgnored = -';
    await admin.submit('source', { name: 'Main', url: pms.url(), interval_minutes: '0.5', mapping });
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('“Minutes from one run to the next” must be between 1 and 1440'),
    ]);
    expect(admin.form('source').values).toMatchObject({ url: pms.url(), mapping });
    await admin.submit('source', { interval_minutes: '60', mapping: 'no line of the kind' });
    expect(admin.text).toContain('has a line that leads to no field: “no line of the kind”.');
    await admin.submit('source', { mapping: 'Rent = balance_due\nRent = -' });
    expect(admin.text).toContain('“What the PMS calls its fields” must not have two lines for one name.');
    await admin.submit('source', { mapping: 'Unit No = crm_unit_id\nIgnored = -' });
    expect([admin.shown.status, admin.text]).toEqual([200, expect.stringContaining('No run yet')]);
    expect(admin.form('source').values).toMatchObject({
      mapping,
      from: ['Unit No', 'Ignored'],
      to: ['crm_unit_id', ''],
    });
    const source = admin.shown.path;
    await admin.visit(list);
    expect(admin.text).toMatch(/Main .*No run yet/);
    await admin.visit(source);
  });

  it('is run at once, and tells what came of it', async () => {
    const { crm_unit_id, ...rest } = occupied('A-1') as Record<string, unknown>;
    const wrong = { 'Unit No': 'A-2', occupied: true };
    pms.always(json({ units: [{ ...rest, 'Unit No': crm_unit_id, Ignored: 1 }, wrong] }));
    const text = await run();
    expect(text).toContain('1 of 2 rows rejected 2 read: 1 new, 0 changed, 0 unchanged');
    expect(text).toContain(' A-2: The row has no tenant for a rented unit.');
    expect(text).not.toContain('1 row rejected');
    const source = admin.shown.path;
    await admin.visit('/dashboard');
    expect(admin.html).toContain('<span class="mark warn">1 of 2 rows rejected</span>');
    expect(admin.text).toContain('The row has no tenant for a rented unit.');
    pms.always(status(403));
    await admin.visit(source);
    expect(admin.text).toContain('Pull sources State');
    expect(await run()).toMatch(/Failed .*403/);
    expect(admin.text).toContain('2 runs: 0 fine, 1 with rejected rows, 1 failed.');
    expect(admin.html.match(/class="run \w+"/g)).toEqual(['class="run rejected"', 'class="run failed"']);
    await admin.visit('/dashboard');
    expect(admin.text).toMatch(/Main Last run failed Last run Jan \d, 2026, [^.]* [A-Z]{3} ?\. [^.]*403/);
  });

  it('refreshes its runs while one is under way, and no longer', async () => {
    await admin.visit(list);
    await admin.visit(admin.links.find((href) => href.startsWith('/dashboard/pull-sources/'))!);
    const path = admin.shown.path;
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      pms.always((response) => {
        answer = () => void response.writeHead(403).end();
        resolve();
      });
    });
    await admin.submit('run');
    expect(admin.html).toContain('hx-trigger="load delay:200ms"');
    expect(admin.text).toContain('Sync started.');
    const started = admin.shown.path;
    await asked;
    await admin.visit(path);
    expect(admin.text).toContain('Syncing now.');
    expect(admin.html).toMatch(/hx-get="[^"]+" hx-trigger="load delay:1s" hx-select="#runs"/);
    answer();
    await settled();
    await admin.visit(started);
    expect(admin.html).not.toContain('hx-get');
    expect(admin.text).not.toContain('Sync started.');
  });

  it('is tested, and its fields are chosen from those that the test found', async () => {
    pms.always(status(403));
    const url = pms.url('/rent-roll');
    await admin.visit(list);
    await admin.submit('source', { name: 'Rent roll', url, interval_minutes: '60', auth_header: SECRET });
    const test = () =>
      admin.post(`${admin.shown.path.split(/[/?]/, 4).join('/')}/test`, admin.form('source').values);
    await test();
    expect(admin.text).toContain('Failed The source answered 403: it does not accept the credential.');
    expect(admin.form('source').values).not.toHaveProperty('from');

    const row = {
      unitNumber: 'B-1',
      rented: true,
      lease: { start: '2025-12-01' },
      custId: 'C-1',
      colour: 'red',
    };
    pms.always(json({ units: [{ ...row, firstName: 'Grace' }] }));
    await test();
    expect(admin.text).toContain('1 of 1 row would be rejected 1 unit on the first page.');
    for (const secret of ['Grace', 'very-secret']) expect(admin.html).not.toContain(secret);
    const names = ['unitNumber', 'rented', 'lease.start', 'custId', 'colour', 'firstName'];
    expect(admin.form('source').values).toMatchObject({
      from: names,
      to: ['crm_unit_id', 'occupied', 'move_in_date', 'pms_tenant_id', '', 'tenant.first_name'],
    });
    const to = (start: string) => ['crm_unit_id', 'occupied', start, 'pms_tenant_id', '', ''];
    await admin.submit('source', { to: to('occupied') });
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('“rented” and “lease.start” are both “Rented”. Choose it once.'),
    ]);
    expect(admin.form('source').values).toMatchObject({ from: names, to: to('occupied') });
    await admin.submit('source', { to: to('move_in_date') });
    expect(admin.text).toContain('The pull source is saved.');
    const saved = admin.shown.path;
    await test();
    expect(admin.text).toContain('Works 1 unit on the first page.');
    expect(admin.html).toMatch(/class="drawer wide open".*id="form-source"/s);
    await admin.post(`${saved.split('?')[0]!}/test`, { ...admin.form('source').values, to: to('') });
    expect(admin.text).toContain('1 of 1 row would be rejected');
    await admin.post(`${saved.split('?')[0]!}/test`, {
      ...admin.form('source').values,
      url: pms.url('/new'),
    });
    expect(admin.text).toContain('A test uses the saved address and authorization.');
    expect(admin.form('source').values).toMatchObject({ from: names, to: to('') });
    await admin.visit(saved);
    expect(await run()).toContain('1 read: 1 new');
    expect(await company.access('B-1')).toBe('tenant_permitted active');
  });

  it('is to be tested first: the test is the main button until it has worked', async () => {
    const button = /<button class="(primary|quiet)"[^>]*>((?:Add|Test|Save)[^<]*)</g;
    const buttons = () => [...admin.html.matchAll(button)].map(([, tone, text]) => `${tone} ${text}`);
    const untested = ['primary Test connection', 'quiet Add without a test'];
    await admin.visit(list);
    expect(buttons()).toEqual(untested);
    expect(admin.html).toMatch(/hx-select="#form-source".*>Test connection</);
    const typed = { ...admin.form('source').values, url: pms.url('/f') };
    pms.always((response) => response.writeHead(500).end());
    await admin.post(`${list}/test`, typed);
    expect(buttons()).toEqual(untested);
    pms.always(json({ units: [{ crm_unit_id: 'F-1', occupied: 'no' }] }));
    await admin.post(`${list}/test`, typed);
    expect(buttons()).toEqual(['primary Test connection', 'quiet Add source']);
    pms.always(json({ units: [{ crm_unit_id: 'F-1', occupied: false }] }));
    await admin.post(`${list}/test`, typed);
    expect(buttons()).toEqual(['primary Add source', 'quiet Test connection']);
    await admin.visit(admin.links.find((href) => href.startsWith('/dashboard/pull-sources/'))!);
    expect(buttons()).toEqual(['primary Save', 'quiet Test connection']);
  });

  it('is tested before it is saved, and its fields are chosen in the same form', async () => {
    const row = { unitNumber: 'C-1', rented: true, lease: { start: '2025-12-01' }, custId: 'C-9' };
    const headers: (string | undefined)[] = [];
    pms.always((response, request) => {
      headers.push(request.headers.authorization);
      json({ units: [row] })(response, request);
    });
    const sources = `/companies/${company.id}/pull-sources`;
    const before = demand(200, await service.operator('get', sources)).pull_sources.length;
    await admin.visit(list);
    const test = /<button[^>]*formaction="([^"]*)"[^>]*hx-post="\1"[^>]*hx-select="#form-source"/;
    const action = test.exec(admin.html)![1]!;
    const typed = { ...admin.form('source').values, url: pms.url('/c'), auth_header: SECRET };
    await admin.post(action, typed);
    expect(admin.text).toContain('Works 1 unit on the first page.');
    expect(headers).toEqual([SECRET]);
    expect(admin.html).not.toContain('very-secret');
    expect(demand(200, await service.operator('get', sources)).pull_sources).toHaveLength(before);
    const names = ['unitNumber', 'rented', 'lease.start', 'custId'];
    const to = ['crm_unit_id', 'occupied', 'move_in_date', 'pms_tenant_id'];
    expect(admin.form('source').values).toMatchObject({ url: pms.url('/c'), from: names, to });
    await admin.post(action, { ...typed, url: 'ftp://pms.example' });
    expect([admin.shown.status, admin.text]).toEqual([
      200,
      expect.stringContaining('“Address” must begin with https://'),
    ]);
    await admin.post(action, typed);
    await admin.submit('source', { name: 'Tested first', url: pms.url('/other') });
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('“Address” was changed since the connection test. Test the connection again.'),
    ]);
    await admin.submit('source', { name: '', url: pms.url('/c') });
    expect(admin.form('source').values['from']).toEqual(names);
    await admin.submit('source', { name: 'Tested first' });
    expect(admin.text).toContain('Syncs every hour');
    expect(await run()).toContain('1 read: 1 new');
    expect(await company.access('C-1')).toBe('tenant_permitted active');
    const auditor = await Visitor.of(service, 'auditor');
    expect((await auditor.post(action, typed)).status).toBe(403);
    const manager = await Visitor.of(service, 'manager');
    expect((await manager.post(action, typed)).status).toBe(403);
  });

  it('is tested by the checks of a run, with the choices that stand in the form', async () => {
    const two = await service.company({ pms_location_code: 'NORTH' }, { pms_location_code: 'SOUTH' });
    const row = { unitNumber: 'D-1', rented: false, where: 'NORTH' };
    pms.always(json({ units: [row, { ...row, unitNumber: 'D-2' }] }));
    const path = `/dashboard/companies/${two.id}/pull-sources`;
    await admin.visit(path);
    const typed = { ...admin.form('source').values, url: pms.url('/d') };
    await admin.post(`${path}/test`, typed);
    expect(admin.text).toContain('Works 2 units on the first page.');
    const chosen = admin.form('source').values;
    expect(chosen).toMatchObject({ to: ['crm_unit_id', 'occupied', 'pms_location_code'] });
    expect(admin.text).toContain('where NORTH');
    await admin.post(`${path}/test`, { ...chosen, to: ['crm_unit_id', 'occupied', ''] });
    expect(admin.text).toContain('2 of 2 rows would be rejected');
    expect(admin.text).toContain('D-1: Your feed has no location code. Each row must tell its site');
    expect(admin.text).toContain('See all 2 rejected rows D-1: Your feed');
    pms.always(json({ units: [{ ...row, where: 'EAST' }] }));
    await admin.post(`${path}/test`, chosen);
    expect(admin.text).toContain('No site has the location code that your feed gives.');
    pms.always(json({ units: [{ unit: 'D-1', empty: true }] }));
    await admin.post(`${path}/test`, { ...chosen, url: pms.url('/e') });
    expect(admin.form('source').values).toMatchObject({ from: ['unit', 'empty'] });
  });

  it('takes one location for all rows of a feed that does not tell it', async () => {
    const two = await service.company(
      { pms_location_code: 'NORTH', name: 'North' },
      { pms_location_code: 'SOUTH', name: 'South' },
    );
    pms.always(json({ units: [{ unitNumber: 'H-1', rented: false }] }));
    const path = `/dashboard/companies/${two.id}/pull-sources`;
    await admin.visit(path);
    await admin.post(`${path}/test`, { ...admin.form('source').values, name: 'One', url: pms.url('/h') });
    expect(admin.text).toContain('1 of 1 row would be rejected');
    expect(admin.text).toContain('Site of all rows Each row tells its own North South');
    await admin.post(`${path}/test`, { ...admin.form('source').values, location: '=SOUTH' });
    expect(admin.text).toContain('Works 1 unit on the first page.');
    await admin.submit('source');
    const id = admin.shown.path.split(/[/?]/)[3]!;
    const saved = async () => demand(200, await service.operator('get', `/pull-sources/${id}`)).mapping;
    const mapping = { unitNumber: 'crm_unit_id', rented: 'occupied' };
    expect(await saved()).toEqual({ ...mapping, '=SOUTH': 'pms_location_code' });
    expect(admin.form('source').values).toMatchObject({ location: '=SOUTH', from: Object.keys(mapping) });
    expect(await run()).toContain('1 read: 1 new');
    expect((await two.unit('H-1')).location.pms_location_code).toBe('SOUTH');
    await admin.submit('source', { location: '=NORTH' });
    expect(await saved()).toEqual({ ...mapping, '=NORTH': 'pms_location_code' });
    await admin.submit('source', { location: '' });
    expect(await saved()).toEqual(mapping);
  });

  it('names the rejected value, and warns before it is added although every row is rejected', async () => {
    pms.always(json({ units: [{ unitNumber: 'E-1', rented: false, balance: '150.00 USD' }] }));
    await admin.visit(list);
    const typed = { ...admin.form('source').values, name: 'Amounts', url: pms.url('/amounts') };
    await admin.post(`${list}/test`, typed);
    expect(admin.text).toContain('E-1: “Balance” must be a number. It is “150.00 USD”.');
    await admin.submit('source');
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('A run would reject every row.'),
    ]);
    await admin.submit('source', { add_anyway: ['false', 'true'] });
    expect(admin.text).toContain('The pull source is added.');
  });

  it('is changed without loss of what another operator has changed meanwhile', async () => {
    await admin.visit(list);
    await admin.visit(admin.links.find((href) => href.startsWith('/dashboard/pull-sources/'))!);
    const id = admin.shown.path.split('/')[3]!;
    const theirs = { name: 'Renamed', mapping: { 'Unit No': 'unit_name' } };
    demand(200, await service.operator('patch', `/pull-sources/${id}`, theirs));
    await admin.submit('source', { interval_minutes: '120' });
    const saved = async () => demand(200, await service.operator('get', `/pull-sources/${id}`));
    expect(await saved()).toMatchObject({ ...theirs, interval_seconds: 7200 });
    await admin.submit('source', { to: 'crm_unit_id' });
    expect(await saved()).toMatchObject({ mapping: { 'Unit No': 'crm_unit_id' } });
    await admin.submit('source', { mapping: '' });
    expect(await saved()).toMatchObject({ mapping: null });
    await admin.submit('enabled');
    expect(admin.text).toContain('Schedule Off');
    await admin.submit('enabled');
    expect(admin.text).toContain('Schedule Syncs every 2 hours');
  });

  it('never shows its credential, which admins alone set', async () => {
    const url = 'https://pms.example/units?key=hidden';
    await admin.visit(list);
    await admin.submit('source', { name: '', url, interval_minutes: '0', auth_header: SECRET });
    expect(admin.html).not.toContain('very-secret');
    const body = { name: 'Kept', url, interval_seconds: 3600, auth_header: SECRET };
    const added = await service.operator('post', `/companies/${company.id}/pull-sources`, body);
    const path = `/dashboard/pull-sources/${demand(201, added).pull_source_id}`;
    await admin.visit(path);
    expect(admin.text).toContain('Authorization Sent, hidden here');
    for (const role of ['admin', 'manager', 'auditor'] as const) {
      const visitor = await Visitor.of(service, role, [company.id]);
      await visitor.visit(path);
      expect([role, visitor.html.includes('very-secret')]).toEqual([role, false]);
      expect([role, visitor.html.includes('key=hidden')]).toEqual([role, role === 'admin']);
      if (role === 'auditor') expect(visitor.forms).toEqual([]);
      else expect('auth_header' in visitor.form('source').values).toBe(role === 'admin');
    }
    const manager = await Visitor.of(service, 'manager');
    expect((await manager.post(path, { auth_header: 'Bearer mine' })).status).toBe(403);
    await admin.visit(path);
    await admin.submit('source', { auth_header: 'Bearer new', drop_auth: 'true' });
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('“Authorization” must be empty where the one that is kept'),
    ]);
    await admin.submit('source', { auth_header: '', drop_auth: 'false', name: '', interval_minutes: '1' });
    expect([admin.shown.status, admin.text]).toEqual([422, expect.stringContaining('“Name” is required.')]);
    await admin.visit(path);
    await admin.submit('source', { drop_auth: 'true' });
    expect(admin.text).toContain('Authorization None');
  });

  it('is listed as CSV, and its runs as well', async () => {
    await admin.visit(list);
    const href = admin.links.find((one) => one.startsWith('/dashboard/pull-sources/'))!;
    expect((await admin.visit(`${list}.csv`)).html.trimEnd().split('\r\n')).toHaveLength(6);
    const runs = (await admin.visit(`${href}/runs.csv`)).html.trimEnd().split('\r\n');
    expect(runs).toEqual([
      expect.stringMatching(/^run_id,state,/),
      expect.stringContaining(',failed,'),
      expect.stringContaining(',failed,'),
      expect.stringMatching(/,succeeded,.*,2,1,0,0,1,$/),
    ]);
  });
});
