import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toTimestamp } from '#kernel/timestamp.js';
import { LARGEST_PAGE } from '#web/validation/page-query.js';
import { Checkpoints } from '#eventsourcing/proof/checkpoints.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { LogExaminations } from '#api/operator/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const FORMULA = '=HYPERLINK("http://evil.example")';
const folder = mkdtempSync(join(tmpdir(), 'csv-'));

let service: Service;
let company: Company;
let admin: Visitor;
const ids: Record<string, string> = {};

beforeAll(async () => {
  service = await Service.start({ environment: { AUDIT_CHECKPOINT_FILE: join(folder, 'checkpoints') } });
  company = await service.company({ pms_location_code: 'MAIN', name: FORMULA });
  const tenant = { pms_tenant_id: FORMULA, first_name: FORMULA, last_name: 'Park', phone: '+13125550100' };
  const unit = {
    crm_unit_id: FORMULA,
    unit_name: FORMULA,
    occupied: true,
    move_in_date: '2025-12-01',
    tenant,
  };
  demand(200, await company.sync([{ ...unit, balance_due: 189, paid_through_date: '2026-01-01' }]));
  const location = company.locations.get('MAIN')!;
  Object.assign(ids, { company: company.id, location, unit: (await company.unit(FORMULA)).unit_id });
  const add = async (path: string, body: object) =>
    demand(201, await service.operator('post', `/locations/${location}/${path}`, body));
  const { zone_id } = await add('zones', { name: FORMULA });
  await add('entry-points', { name: FORMULA, kind: 'gate', zone_ids: [zone_id] });
  await add('locks', { name: FORMULA, serial: '-1' });
  admin = await Visitor.signedIn(service);
  await admin.visit('/dashboard/audit');
  await admin.submit('checkpoint');
  await service.part(LogExaminations).settled();
  // As the leading process does once an hour.
  const key = await SigningKey.open(undefined, service.path);
  const now = () => toTimestamp(service.clock.now());
  const file = join(folder, 'checkpoints');
  const store = service.stores.eventStore;
  await new Checkpoints({ store, key, file, appends: true, now, warn: () => undefined }).next();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Each list: where it is offered, what is behind it, and how its file begins. */
const LISTS: readonly [page: string, file: string, head: string, named: boolean][] = [
  ['companies', 'companies/companies.csv', 'company_id,name,', false],
  ['companies/{company}', 'companies/{company}/locations.csv', 'location_id,name,', true],
  ['companies/{company}/units', 'companies/{company}/units.csv', 'unit_id,crm_unit_id,', true],
  ['companies/{company}/changes', 'companies/{company}/changes.csv', 'occurred_at,type,', true],
  [
    'companies/{company}/api-tokens',
    'companies/{company}/api-tokens/api-tokens.csv',
    'token_id,name,',
    false,
  ],
  ['locations/{location}', 'locations/{location}/units.csv', 'unit_id,crm_unit_id,', true],
  ['locations/{location}/equipment?of=zones', 'locations/{location}/zones.csv', 'zone_id,name', true],
  [
    'locations/{location}/equipment?of=gates',
    'locations/{location}/entry-points.csv',
    'entry_point_id,name,',
    true,
  ],
  ['locations/{location}/equipment', 'locations/{location}/locks.csv', 'lock_id,name,', true],
  ['locations/{location}/forecast', 'locations/{location}/forecast/forecast.csv', 'at,unit_id,', true],
  ['units/{unit}/history', 'units/{unit}/history.csv', 'occurred_at,type,by,', false],
  ['find?q=%3Dhyper', 'find/units.csv?q=%3Dhyper', 'unit_id,crm_unit_id,', true],
  ['find?q=%3Dhyper', 'find/tenants.csv?q=%3Dhyper', 'tenant_id,pms_tenant_id,', true],
  ['operators', 'operators/operators.csv', 'operator_id,email,role,', false],
  ['audit', 'audit/checkpoints.csv', 'at,events,streams,', false],
];
const filled = (path: string) =>
  `/dashboard/${path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name)}`;

it.each(LISTS)('%s offers %s, which holds no formula', async (page, file, head, named) => {
  await admin.visit(filled(page));
  expect(admin.links.map((href) => href.toLowerCase())).toContain(filled(file).toLowerCase());
  const { status, headers, html } = await admin.visit(filled(file));
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(html.startsWith(head)).toBe(true);
  expect(html.trimEnd().split('\r\n').length).toBeGreaterThan(1);
  expect(html.includes(`"'=HYPERLINK(`)).toBe(named);
  expect(html).not.toMatch(/(^|,|\n)"?[=+@-]/);
});

it('reports of a unit’s locks are a file, too, which another company’s operator is not given', async () => {
  const { html } = await admin.visit(filled('units/{unit}/activity.csv'));
  expect(html).toMatch(/^occurred_at,recorded_at,lock_id,[\w,]+\r\n$/);
  const outsider = await Visitor.of(service, 'admin', [(await service.company()).id]);
  for (const [, file] of LISTS.filter(([, path]) => path.includes('{')))
    expect([file, (await outsider.visit(filled(file))).status]).toEqual([file, 404]);
  expect((await outsider.visit('/dashboard/audit/checkpoints.csv')).status).toBe(403);
  expect((await outsider.visit(filled('find/units.csv?q=%3Dhyper'))).html).not.toContain('HYPERLINK');
});

it('reports of a unit’s locks are told page by page, by the names of who reported', async () => {
  const { location, unit } = ids;
  const lock = { name: 'Latch', serial: null };
  const added = await service.operator('post', `/locations/${location}/locks`, lock);
  const { lock_id } = demand(201, added);
  demand(200, await service.operator('put', `/units/${unit}/locks/${lock_id}`));
  const key = { company_id: company.id, location_id: location!, pms_tenant_id: FORMULA };
  const [account] = await service.part(TenantAccounts).find([key]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const entries = Array.from({ length: 100 }, () => ({ event: 'unlock', result: 'success' }));
  const path = `/api/v2/locks/${lock_id}/logs`;
  demand(201, await service.call('post', path, { token, body: { entries } }));
  const jammed = { event: 'unlock', result: 'failure', failure_code: 'jammed' };
  demand(201, await service.call('post', path, { token, body: jammed }));
  await admin.visit(filled('units/{unit}'));
  expect(admin.links).toContain(filled('units/{unit}/activity'));
  await admin.visit(filled('units/{unit}/activity'));
  expect(admin.text).toContain(`${FORMULA} Park`);
  const taps = () => admin.text.match(/Latch (Opened|Failed: jammed)/g)!.length;
  const first = taps();
  expect(admin.links).toContain(filled('units/{unit}/activity.csv'));
  await admin.visit(admin.links.find((href) => href.includes('cursor='))!);
  expect([first, taps()]).toEqual([100, 1]);
});

it('of tokens holds none', async () => {
  const file = filled('companies/{company}/api-tokens/api-tokens.csv');
  expect((await admin.visit(file)).html).not.toContain(company.token);
});

it.each([
  ['companies/{company}/units', 'state=nope', 'The state field must be one of'],
  ['companies/{company}/units', 'state=tenant_denied&reason=delinqent', 'The reason field must be one of'],
  ['companies/{company}/units', 'state=vacant&state=vacant', 'The state field must be given only once.'],
  ['companies/{company}/changes', 'type=nope', 'The type field must be one of'],
  ['locations/{location}', 'state=nope', 'The state field must be one of'],
])('%s?%s is refused as a page and as a file, as the API refuses it', async (page, query, fault) => {
  const file = page.startsWith('locations') ? `${page}/units.csv` : `${page}.csv`;
  for (const path of [page, file]) {
    const { status, headers } = await admin.visit(filled(`${path}?${query}`));
    expect([path, status, headers['content-type']]).toEqual([path, 422, 'text/html; charset=utf-8']);
    expect(admin.text).toContain(fault);
  }
});

it('A file of changes of two pages reads the log as often as one page does', async () => {
  const large = await service.company();
  const bulk = Array.from({ length: LARGEST_PAGE }, (_, n) => ({ crm_unit_id: `U-${n}`, occupied: false }));
  demand(200, await large.sync(bulk));
  const changes = `/dashboard/companies/${large.id}/changes`;
  const readAll = jest.spyOn(service.stores.eventStore, 'readAll');
  const readsOf = async (path: string) => {
    readAll.mockClear();
    const { html } = await admin.visit(path);
    const fromTheEnd = readAll.mock.calls.filter(([range]) => range.backwards === true);
    return { html, reads: fromTheEnd.length };
  };
  const file = await readsOf(`${changes}.csv`);
  expect(file.html.trimEnd().split('\r\n').length).toBeGreaterThan(1 + LARGEST_PAGE);
  expect(file.reads).toBe((await readsOf(changes)).reads);
  readAll.mockRestore();
});
