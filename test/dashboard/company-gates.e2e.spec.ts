import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { OFFICE_HOURS } from '../domain/locations/hours/support/office-hours.js';
import { type Company, demand, Service } from '../support/service.js';
import { PASSWORD, Visitor } from './support/visitor.js';

const MINUTE = 60_000;

let service: Service;
let company: Company;
let admin: Visitor;
let page: string;
const gates: Record<string, string> = {};

/** The clock begins on 1 January 2026, 18:00 on 31 December in Chicago. */
beforeAll(async () => {
  service = await Service.start();
  company = await service.company(
    { pms_location_code: 'NORTH', name: 'North', timezone: 'America/Chicago', grace_period_days: 0 },
    { pms_location_code: 'SOUTH', name: 'South', timezone: 'America/Chicago' },
  );
  page = `/dashboard/companies/${company.id}/gates`;
  const rented = ['ada', 'bob'].map((name) => ({
    ...{ crm_unit_id: name, pms_location_code: 'NORTH', occupied: true, move_in_date: '2025-10-01' },
    tenant: { pms_tenant_id: name, first_name: name, last_name: 'Park' },
  }));
  const south = { crm_unit_id: 'S-1', pms_location_code: 'SOUTH', occupied: false };
  demand(200, await company.sync([...rented, south]));
  await company.patch('bob', { balance_due: 80, paid_through_date: '2025-12-01' });
  for (const [code, names] of [
    ['NORTH', ['North gate', 'Lobby']],
    ['SOUTH', ['South gate']],
  ] as const) {
    const location = `/locations/${company.locations.get(code)}`;
    const { zone_id } = demand(201, await service.operator('post', `${location}/zones`, { name: code }));
    for (const unit of code === 'NORTH' ? ['ada', 'bob'] : ['S-1'])
      demand(
        200,
        await service.operator('put', `/zones/${zone_id}/units/${(await company.unit(unit)).unit_id}`),
      );
    for (const name of names) {
      const body = { name, kind: 'gate', zone_ids: [zone_id] };
      const added = demand(201, await service.operator('post', `${location}/entry-points`, body));
      gates[name] = added.entry_point_id as string;
    }
  }
  const hours = { access_hours: OFFICE_HOURS };
  demand(200, await service.operator('patch', `/locations/${company.locations.get('SOUTH')}`, hours));
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

async function tap(tenant: string, gate: string, report: object = {}): Promise<void> {
  const key = { company_id: company.id, location_id: company.locations.get('NORTH')!, pms_tenant_id: tenant };
  const [account] = await service.part(TenantAccounts).find([key]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const body = { event: 'unlock', result: 'success', ...report };
  demand(201, await service.call('post', `/api/v2/entry-points/${gates[gate]}/logs`, { token, body }));
}

describe('the gates of a company', () => {
  it('are listed over all sites, with what the hours of each say now', async () => {
    await admin.visit(page);
    expect(admin.text).toContain('Gates 3 at 2 sites');
    expect(admin.text).toContain('North gate North Always open to those who may pass');
    expect(admin.text).toMatch(/South gate South (Open until|Closed)/);
    expect(admin.text).toContain('Nobody tapped at a gate today.');
    for (const id of Object.values(gates)) expect(admin.links).toContain(`/dashboard/entry-points/${id}`);
  });

  it('show a visit at gate and lobby in one row, and one of who is locked out as such', async () => {
    await tap('ada', 'North gate');
    service.manualClock.advance(MINUTE);
    await tap('ada', 'Lobby');
    service.manualClock.advance(20 * MINUTE);
    await tap('bob', 'North gate');
    await tap('bob', 'Lobby', { event: 'attempt', result: 'failure', failure_code: 'access_denied' });
    await admin.visit(page);
    const list = /<ul class="entries">(.*?)<\/ul>/s.exec(admin.html)![1]!;
    expect(list.match(/<li>/g)).toHaveLength(3);
    expect(admin.text).toMatch(/ada Park opened Today 6:\d\d PM North gate , Lobby/);
    expect(admin.text).toMatch(/bob Park opened while locked out bob Today/);
    expect(admin.text).toContain('Gates today 3 opened, 1 not');
    expect(admin.html).toContain(
      'aria-label="Taps at gates today, by hour. 6 PM: 3 opened, 1 denied or failed"',
    );
  });

  it('count taps of the site’s day alone, and go to a file', async () => {
    expect((await admin.visit(`${page}.csv`)).html.split('\r\n').slice(0, 3)).toEqual([
      'entry_point_id,name,site,now,opened_today,denied_or_failed_today',
      `${gates['North gate']},North gate,North,Always open to those who may pass,2,0`,
      `${gates['Lobby']},Lobby,North,Always open to those who may pass,1,1`,
    ]);
    service.manualClock.advance(6 * 60 * MINUTE);
    admin = await Visitor.signedIn(service);
    await admin.visit(page);
    expect(admin.text).toContain('Gates today 0 opened, 0 not');
  });

  it('stand beside each of them, which is marked', async () => {
    await admin.visit(`/dashboard/entry-points/${gates['Lobby']}`);
    const [list] = /<nav aria-label="Gates">.*?<\/nav>/s.exec(admin.html)!;
    expect(list).toContain(`<a href="/dashboard/entry-points/${gates['Lobby']}" aria-current="page">`);
    expect(list.match(/aria-current/g)).toHaveLength(1);
    expect(list).toContain(gates['South gate']);
    expect(list).toMatch(new RegExp(`<a href="${page}">Gates .*<h2>North</h2>.*<h2>South</h2>`));
    expect(list).toContain(
      `/locations/${company.locations.get('NORTH')}/equipment?of=gates&amp;add=entry-point`,
    );
  });

  it('of other sites are not shown to an operator of sites', async () => {
    const email = 'south@example.com';
    const locations = [company.locations.get('SOUTH')!];
    const body = { email, password: PASSWORD, role: 'manager', locations };
    await service.addOperator(body);
    const visitor = await Visitor.signedIn(service, email);
    for (const path of [page, `/dashboard/entry-points/${gates['South gate']}`]) {
      await visitor.visit(path);
      expect([visitor.shown.status, visitor.html]).toEqual([200, expect.stringContaining('South gate')]);
      for (const name of ['North gate', 'Lobby']) expect(visitor.html).not.toContain(name);
    }
    expect(visitor.text).not.toContain('ada Park');
  });

  it('are added by managers alone, at one of the sites', async () => {
    await admin.visit(page);
    for (const id of company.locations.values())
      expect(admin.links).toContain(`/dashboard/locations/${id}/equipment?of=gates&add=entry-point`);
    const auditor = await Visitor.of(service, 'auditor', [company.id]);
    await auditor.visit(page);
    expect(auditor.text).not.toContain('Add gate');
  });

  it('are none before there is one', async () => {
    const other = await service.company({ pms_location_code: 'MAIN' });
    await admin.visit(`/dashboard/companies/${other.id}/gates`);
    expect(admin.text).toContain('No gate yet A gate, door or elevator opens for the tenants of the zones');
  });
});
