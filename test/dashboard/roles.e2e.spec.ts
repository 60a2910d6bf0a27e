import { routesOf } from '../system/isolation/support/routes.js';
import { type Company, demand, Service } from '../support/service.js';
import { type Fields, Visitor } from './support/visitor.js';

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;

let service: Service;
let company: Company;
let unit_id: string;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: HOSTILE });
  const person = { pms_tenant_id: HOSTILE, first_name: HOSTILE, last_name: HOSTILE, phone: '+13125550100' };
  const unit = {
    crm_unit_id: HOSTILE,
    unit_name: HOSTILE,
    occupied: true,
    move_in_date: '2025-12-01',
    tenant: person,
  };
  demand(200, await company.sync([{ ...unit, pms_status_raw: HOSTILE, pms_lockout: true }]));
  ({ unit_id } = await company.unit(HOSTILE));
  const location_id = company.locations.get('MAIN')!;
  const { lock_id } = demand(
    201,
    await service.operator('post', `/locations/${location_id}/locks`, { name: HOSTILE, serial: HOSTILE }),
  );
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const { zone_id } = demand(
    201,
    await service.operator('post', `/locations/${location_id}/zones`, { name: HOSTILE }),
  );
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const gate = { name: HOSTILE, kind: 'gate', zone_ids: [zone_id] };
  demand(201, await service.operator('post', `/locations/${location_id}/entry-points`, gate));
  // An empty page names the first thing to do.
  const empty = await company.addLocation({ pms_location_code: 'EMPTY' });
  demand(201, await service.operator('post', `/locations/${empty}/units`, { crm_unit_id: 'Bare' }));
  await company.addLocation({ pms_location_code: 'EMPTIER' });
  demand(201, await service.operator('post', '/companies', { name: 'Of no location' }));
  const gone = { pms_tenant_id: 'T-gone', name: 'Ada' };
  const { tenant_id } = demand(201, await service.operator('post', `/locations/${empty}/tenants`, gone));
  demand(200, await service.operator('delete', `/tenants/${tenant_id}/personal-data`));
  const override = { override: 'lockout', reason: HOSTILE };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, override));
});
afterAll(() => service.close());

/** Every page that links lead to, by path. */
async function crawl(
  visitor: Visitor,
): Promise<Map<string, { status: number; html: string; forms: string[] }>> {
  const seen = new Map<string, { status: number; html: string; forms: string[] }>();
  const waiting = ['/dashboard', '/dashboard/find?q=img'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path) || seen.size > 300) continue;
    const { status, html } = await visitor.visit(path);
    seen.set(path, { status, html, forms: visitor.forms });
    waiting.push(...visitor.links.filter((href) => href.startsWith('/')).map((href) => href.split('#')[0]!));
  }
  return seen;
}

describe.each(['admin', 'manager', 'auditor'] as const)('who is %s', (role) => {
  it('meets no dead link, nothing inline, and no name that is markup', async () => {
    const visitor = await Visitor.of(service, role);
    const pages = await crawl(visitor);
    const faults = [...pages]
      .filter(([, { status }]) => status !== 200)
      .map(([path, { status }]) => `${status} ${path}`);
    expect(faults).toEqual([]);
    expect(pages.size).toBeGreaterThan(10);
    for (const [path, { html }] of pages) {
      // A file to keep is no page, and no browser takes it for one: `nosniff`.
      if (!html.startsWith('<!doctype html>')) continue;
      expect([path, /<img|<style|\sstyle="|<script(?![^>]*src=)/.exec(html)]).toEqual([path, null]);
    }
    if (role !== 'auditor') return;
    const offered = [...pages].flatMap(([path, { forms }]) => forms.map((form) => `${path} ${form}`));
    expect(
      offered.filter(
        (one) => !/ (password|begin|as-of|slider|dates|filter|verify|choice|call|find)$/.test(one),
      ),
    ).toEqual([]);
    const told = [...pages].flatMap(([path, { html }]) =>
      (
        html.replace(/<[^>]*>/g, ' ').match(/.{20}\b(below|Add (an?|it)|Make an?|Put (it|one))\b/gs) ?? []
      ).map((text) => `${path} ${text}`),
    );
    expect(told).toEqual([]);
  });
});

describe('every page', () => {
  const pages = () => routesOf(service.application).pages.filter(({ admitted }) => admitted.length > 0);
  const fill = (path: string, ids: Record<string, string>) =>
    path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');

  it('is for operators, and changes nothing for an auditor', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    const open = [
      '/sign-out',
      '/account/password',
      '/account/second-factor/begin',
      '/account/second-factor/set',
    ]
      .concat('/account/second-factor/remove', '/audit/verify')
      .concat('/account/summaries/:company_id/on', '/account/summaries/:company_id/off')
      .map((path) => `POST /dashboard${path}`);
    for (const { name, method, path, admitted } of pages()) {
      expect([name, admitted]).toEqual([name, ['operator']]);
      if (method === 'get' || open.includes(name)) continue;
      const { status } = await auditor.post(fill(path, { unit_id }), {});
      expect([name, status]).toEqual([name, 403]);
    }
  });

  it('of another company is not there, nor is what a form names of it', async () => {
    const other = await service.company();
    const outsider = await Visitor.of(service, 'admin', [other.id]);
    const { tenant_id } = demand(200, await service.operator('get', `/units/${unit_id}`)).tenant;
    const location_id = company.locations.get('MAIN')!;
    const { locks } = demand(200, await service.operator('get', `/locations/${location_id}/locks`));
    const { zones } = demand(200, await service.operator('get', `/locations/${location_id}/zones`));
    const { entry_points } = demand(
      200,
      await service.operator('get', `/locations/${location_id}/entry-points`),
    );
    const ids = {
      ...{ company_id: company.id, location_id, unit_id, tenant_id, lock_id: locks[0].lock_id },
      ...{ zone_id: zones[0].zone_id, entry_point_id: entry_points[0].entry_point_id },
    };
    const events = (await service.events()).length;
    let tried = 0;
    for (const { name, method, path } of pages()) {
      if (!path.includes(':') || /:(operator|token)_id/.test(path)) continue;
      const to = fill(path, ids);
      const { status } = method === 'get' ? await outsider.visit(to) : await outsider.post(to, {});
      expect([name, status]).toEqual([name, 404]);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(20);
    demand(201, await other.moveIn('X'));
    const mine = (await other.unit('X')).unit_id as string;
    const named: [string, Fields][] = [
      ['locks', { lock: ids.lock_id }],
      ['locks', { lock_id: ids.lock_id }],
      ['locks', { lock_id: ['none', ids.lock_id] }],
      ['zones', { zone_id: ids.zone_id }],
    ];
    for (const [kind, fields] of named) {
      await outsider.post(`/dashboard/units/${mine}/${kind}`, fields);
      expect(outsider.shown.status).toBe(404);
    }
    expect((await service.events()).length).toBe(events + 2);
  });
});
