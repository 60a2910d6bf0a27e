import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

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
  it('has a title of its own, and the location with its pages in the side bar', async () => {
    const company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
    const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
    const titles: string[] = [];
    for (const part of ['', '/tenants', '/equipment', '/policy', '/forecast']) {
      await admin.visit(location + part);
      titles.push(titleOf(admin));
      expect(admin.html).toContain('<nav aria-label="Lake Street">');
      expect(admin.html).toContain(`<a href="${location}${part}" aria-current="page">`);
    }
    expect(titles).toEqual([
      'Units · Lake Street · Storage Access',
      'Tenants · Lake Street · Storage Access',
      'Locks, zones and gates · Lake Street · Storage Access',
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
    `<nav aria-label="Main"><a href="${href}"${current}>Today</a>`;
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
    expect([path, admin.html.includes(`<a class="brand" href="${today}">`)]).toEqual([path, true]);
    expect([path, admin.html]).toEqual([
      path,
      expect.stringContaining(sideBar(today, path === today ? ' aria-current="page"' : '')),
    ]);
  }
  await admin.visit('/dashboard/companies');
  expect(admin.html).toContain(sideBar('/dashboard'));
});

it('the side bar marks the part that a page is or belongs to', async () => {
  const company = await service.company({ pms_location_code: 'MAIN' });
  const marked = async (path: string) => {
    await admin.visit(path);
    const [, main] = /<nav aria-label="Main">(.*?)<\/nav>/s.exec(admin.html)!;
    return [...main!.matchAll(/aria-current="(\w+)">(\w+)</g)].map(([, how, part]) => `${part} ${how}`);
  };
  for (const [path, part] of [
    ['', 'Today page'],
    ['/companies', 'Companies page'],
    [`/companies/${company.id}/units`, 'Companies true'],
    ['/audit', 'Audit page'],
    ['/operators', 'Operators page'],
  ])
    expect([path, await marked(`/dashboard${path}`)]).toEqual([path, [part]]);
  expect(await marked(`/dashboard/locations/${company.locations.get('MAIN')}`)).toEqual([]);
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
