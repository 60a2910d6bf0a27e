import { PullScheduler } from '#pull/index.js';
import { json, SourceServer, status } from '../pull/support/source-server.js';
import { type Company, Service } from '../support/service.js';
import { type Fields, Visitor } from './support/visitor.js';

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

/** Tests the connection with the form of the page, changed by these fields. */
const test = (fields: Fields = {}) =>
  admin.post(`${list}/test`, { ...admin.form('source').values, ...fields });

async function run(): Promise<string> {
  const path = admin.shown.path.split('?')[0]!;
  await admin.submit('run');
  await service.part(PullScheduler).settled();
  await admin.visit(path);
  return admin.text;
}

describe('the form of a new pull source', () => {
  const row = { SpaceNo: 'G-1', Rented: true, CustNo: 'C-1', Start: '2025-12-01', Deck: '2025-01-31' };
  const right = ['crm_unit_id', 'occupied', 'pms_tenant_id', 'move_in_date', ''];
  const WARNING = 'Add it although a run would reject every row';

  it('is tested and added after a warning as soon as the choices are right', async () => {
    pms.always(json({ units: [row, { ...row, SpaceNo: 'G-2' }] }));
    await admin.visit(list);
    await test({ name: 'Foreign', url: pms.url('/foreign') });
    expect(admin.form('source').values['to']).toEqual(right);
    await test({ to: right.with(0, '') });
    for (const again of [() => test(), () => admin.submit('source')]) {
      await again();
      expect(admin.text).toContain('2 of 2 rows would be rejected');
      expect(admin.text).toMatch(/Start 2025-12-01.*Deck 2025-01-31/);
      expect(admin.text).toContain(WARNING);
    }
    expect([admin.shown.status, admin.text]).toEqual([
      422,
      expect.stringContaining('A run would reject every row. Choose other fields'),
    ]);
    const chosen = { ...admin.form('source').values, to: right };
    pms.next(status(401));
    await admin.post(list, chosen);
    expect(admin.text).toContain('The source answered 401');
    expect(admin.form('source').values['to']).toEqual(right);
    await test({ to: right });
    expect(admin.text).toContain('Works 2 units on the first page.');
    expect(admin.text).not.toContain(WARNING);
    await admin.post(list, chosen);
    expect(admin.text).toContain('The pull source is added.');
    expect(await run()).toContain('2 read: 2 new');
  });

  it('syncs a flat list, vacant rows with empty cells included, as the test suggests it', async () => {
    const vacant = { unit: 'F-2', occupied: false, 'tenant id': '', 'first name': '', 'last name': null };
    const names = { 'tenant id': 'C-7', 'first name': 'Ada', 'last name': 'Park', phone: '' };
    const rented = { ...vacant, ...names, unit: 'F-1', occupied: true, Start: '2025-12-01', owed: 0 };
    pms.always(json({ units: [rented, { ...vacant, Start: '', owed: '' }] }));
    await admin.visit(list);
    await test({ name: 'Flat', url: pms.url('/flat') });
    expect(admin.text).toContain('Works 2 units on the first page.');
    const options = [...admin.html.matchAll(/<option[^>]*>(Tenant[^<]*)</g)].map(([, text]) => text);
    expect([...new Set(options)]).toEqual(['Tenant id']);
    await admin.submit('source');
    expect(await run()).toContain('2 read: 2 new');
    expect(await company.access('F-1')).toBe('tenant_permitted active');
  });

  it('shows what a test refuses at its field, as every form does', async () => {
    const atField = (field: string, message: string) => {
      expect(admin.html).toMatch(new RegExp(`class="refusal".*<a href="#source-${field}">${message}`));
      expect(admin.html).toMatch(new RegExp(`id="source-${field}"[^>]*aria-invalid="true"`));
      expect(admin.html).toMatch(new RegExp(`<p class="error" id="source-${field}-error">${message}`));
    };
    await admin.visit(list);
    await test({ url: 'ftp://pms.example', interval_minutes: '0' });
    expect(admin.shown.status).toBe(200);
    atField('url', '“Address” must begin with https://');
    await test({ url: pms.url('/x'), mapping: 'no line' });
    atField('mapping', '“What the PMS calls its fields” has a line that leads to no field');
    expect(admin.html).toContain('<details open>');
    expect(admin.text).not.toContain('Type it again');
    await test({ mapping: '', auth_header: 'Bearer typed' });
    expect(admin.text).toContain('Works');
    expect(admin.text).toContain('Authorization Type it again: no page repeats it. As your PMS gives it');
    expect(admin.html).not.toContain('class="refusal"');
    expect(admin.html.match(/ id="[^"]*" hx-preserve/g)).toHaveLength(3);
  });

  it('shows the first rejected rows of the newest run unfolded', async () => {
    const wrong = Array.from({ length: 7 }, (_, place) => ({ ...row, SpaceNo: `H-${place}`, Start: 'soon' }));
    pms.always(json({ units: [{ ...row, SpaceNo: 'H-9' }, ...wrong] }));
    await admin.visit(list);
    await test({ name: 'Seven wrong', url: pms.url('/seven') });
    await admin.submit('source');
    await run();
    const open = /<ul><li>H-0: (?:(?!<li>).)*<\/li><li>H-1: .*<li>H-2: .*<\/ul><details><summary>See more</;
    expect(admin.html).toMatch(open);
    expect(admin.text).toContain('And 2 more.');
    await run();
    expect(admin.html).toMatch(open);
    expect(admin.html).toContain('<details><summary>7 rows rejected</summary>');
  });
});
