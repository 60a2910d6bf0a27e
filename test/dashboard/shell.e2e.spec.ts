import { type Company, demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { PASSWORD, Visitor } from './support/visitor.js';

let service: Service;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const titleOf = ({ html }: Visitor) => /<title>(.*?)<\/title>/.exec(html)![1]!;

it('the time zones to choose from have common names', async () => {
  const company = await service.company({ pms_location_code: 'ZONE' });
  await admin.visit(`/dashboard/locations/${company.locations.get('ZONE')}/policy`);
  expect(admin.html).toContain('<option value="America/Chicago">Chicago, Central Time</option>');
});

describe('every page of a location', () => {
  it('has a title of its own, tabs, and the location marked in the side bar', async () => {
    const company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
    const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
    const titles: string[] = [];
    for (const part of ['', '/tenants', '/equipment', '/policy', '/forecast']) {
      await admin.visit(location + part);
      titles.push(titleOf(admin));
      expect(admin.html).toMatch(/<nav class="tabs" aria-label="Parts of this site">/);
      expect(admin.html).toContain(`<a href="${location}${part}" aria-current="page">`);
      expect(admin.html).toContain(
        `<a href="${location}" aria-current="${part === '' ? 'page' : 'true'}"><span`,
      );
    }
    expect(titles).toEqual([
      'Units · Lake Street · Storage Access',
      'Tenants · Lake Street · Storage Access',
      'Equipment · Lake Street · Storage Access',
      'Policy · Lake Street · Storage Access',
      'Forecast · Lake Street · Storage Access',
    ]);
  });
});

it('the title of a unit’s page names its location', async () => {
  const company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  demand(200, await company.sync([{ crm_unit_id: 'A-1', occupied: false }]));
  await admin.visit(`/dashboard/units/${(await company.unit('A-1')).unit_id}`);
  expect(titleOf(admin)).toBe('A-1 · Lake Street · Storage Access');
});

it('every page of a company leads to the day of that company', async () => {
  await service.company({ pms_location_code: 'FIRST' });
  const company = await service.company({ pms_location_code: 'MAIN' });
  const unit = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-10-01', pms_tenant_id: 'T-1' };
  demand(200, await company.sync([unit]));
  const { unit_id } = await company.unit('A-1');
  const { tenant } = demand(200, await service.operator('get', `/units/${unit_id}`));
  const sideBar = (href: string, current = '') =>
    `<nav aria-label="Main"><ul><li><a href="${href}"${current}><svg`;
  const today = `/dashboard?company_id=${company.id}`;
  const page = `/dashboard/companies/${company.id}`;
  for (const path of [
    ...[today, page, `${page}/units`, `${page}/changes`, `${page}/pull-sources`, `${page}/api-tokens`],
    ...['', '/equipment'].map((part) => `/dashboard/locations/${company.locations.get('MAIN')}${part}`),
    ...['', '/setup', '/report', '/share', '?at=2025-01-01T00:00:00Z', '?at=2026-01-02T00:00:00Z'].map(
      (part) => `/dashboard/units/${unit_id}${part}`,
    ),
    `/dashboard/tenants/${tenant.tenant_id}`,
  ]) {
    await admin.visit(path);
    expect([path, admin.html]).toEqual([
      path,
      expect.stringContaining(sideBar(today, path === today ? ' aria-current="page"' : '')),
    ]);
  }
});

it('the side bar marks the part that a page is or belongs to', async () => {
  const company = await service.company({ pms_location_code: 'MAIN' });
  const path = `/companies/${company.id}`;
  const marked = async (part: string) => {
    await admin.visit(`/dashboard${part}`);
    const [side] = /<div class="side" .*<div class="side-foot">/s.exec(admin.html)!;
    return [...side.matchAll(/aria-current="(\w+)">(?:<(?:svg|span).*?<\/(?:svg|span)>)?([^<]+)/g)].map(
      ([, how, text]) => `${text} ${how}`,
    );
  };
  const source = { name: 'PMS', url: 'https://pms.example/units', interval_seconds: 3600 };
  const added = await service.operator('post', `${path}/pull-sources`, source);
  for (const [part, text] of [
    [`/pull-sources/${demand(201, added).pull_source_id as string}`, 'Pull sources true'],
    [`${path}/webhooks/new`, 'API true'],
    [`?company_id=${company.id}`, 'Today page'],
    [path, 'Sites page'],
    [`${path}/units`, 'Units page'],
    [`${path}/tenants`, 'Tenants page'],
    [`${path}/gates`, 'Gates page'],
    [`${path}/changes`, 'Changes page'],
    [`${path}/pull-sources`, 'Pull sources page'],
    [`${path}/api-tokens`, 'API page'],
    ['/audit', 'Audit page'],
    ['/operators', 'Operators page'],
    [`/locations/${company.locations.get('MAIN')}`, 'Location MAIN page'],
    [`/locations/${company.locations.get('MAIN')}/policy`, 'Location MAIN true'],
  ])
    expect([part, await marked(part!)]).toEqual([part, [text]]);
});

it('the side bar shows the sites with their count of locked-out units', async () => {
  const company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  const place = `/locations/${company.locations.get('MAIN')}/units`;
  demand(201, await service.operator('post', place, { crm_unit_id: 'A-1' }));
  const unit = { crm_unit_id: 'A-2', occupied: true, move_in_date: '2025-10-01', pms_tenant_id: 'T-1' };
  demand(200, await company.sync([{ ...unit, pms_lockout: true }]));
  await waitUntil(
    async () => {
      service.manualClock.advance(60_000);
      return admin.visit(`/dashboard/companies/${company.id}`);
    },
    ({ html }) => html.includes('class="badge"'),
  );
  expect(admin.html).toMatch(
    /Lake Street<span class="badge" title="1 unit locked out, counted at \d+:\d\d [AP]M">1<span class="unseen"> unit locked out</,
  );
});

describe('on a page that counts units itself', () => {
  let company: Company;

  beforeAll(async () => {
    company = await service.company(
      { pms_location_code: 'MAIN', name: 'Mill Street' },
      { pms_location_code: 'WEST', name: 'West End' },
    );
    const unit = { occupied: true, move_in_date: '2025-10-01', pms_tenant_id: 'T-1', pms_lockout: true };
    demand(200, await company.sync([{ ...unit, crm_unit_id: 'A-1', pms_location_code: 'MAIN' }]));
  });

  it.each([
    ['Today', () => `/dashboard?company_id=${company.id}`],
    ['the map of a site', () => `/dashboard/locations/${company.locations.get('MAIN')}`],
    ['the table of a site', () => `/dashboard/locations/${company.locations.get('MAIN')}/table`],
  ])('%s, the side bar shows the same number of locked-out units', async (_, pathOf) => {
    await admin.visit(pathOf());
    expect(admin.html).toContain(
      'Mill Street<span class="badge" title="1 unit locked out">1<span class="unseen"> unit locked out<',
    );
  });
});

it('an operator of sites finds these alone in the side bar, and no settings', async () => {
  const company = await service.company(
    { pms_location_code: 'NORTH', name: 'North' },
    { pms_location_code: 'SOUTH', name: 'South' },
  );
  const [north, south] = ['NORTH', 'SOUTH'].map((code) => company.locations.get(code)!);
  const mia = { email: 'mia@example.com', password: PASSWORD, role: 'manager', locations: [north!] };
  await service.addOperator(mia);
  const visitor = await Visitor.signedIn(service, mia.email);
  await visitor.visit(`/dashboard/locations/${north}/policy`);
  expect(visitor.links).toContain(`/dashboard/locations/${north}`);
  expect(visitor.html).not.toContain(south);
  for (const path of ['/pull-sources', '/dashboard/audit', '?add=location'])
    expect(visitor.html).not.toContain(path);
});

it('an address that only takes forms leads to the page above it, and no other does', async () => {
  const company = await service.company({ pms_location_code: 'MAIN' });
  const page = `/dashboard/companies/${company.id}`;
  const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
  for (const [address, shown] of [
    [`${page}/locations`, page],
    [`${page}/pull-sources/test`, `${page}/pull-sources`],
    [`${location}/policy/try`, `${location}/policy`],
  ]) {
    await admin.visit(address!);
    expect([admin.shown.status, admin.shown.path]).toEqual([200, shown]);
  }
  expect((await admin.visit(`${page}/nowhere`)).status).toBe(404);
});
