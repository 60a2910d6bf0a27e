import { type Company, demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;
let page: string;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company(
    { pms_location_code: 'NORTH', name: 'North', grace_period_days: 0 },
    { pms_location_code: 'SOUTH', name: 'South' },
  );
  page = `/dashboard/companies/${company.id}`;
  const units = ['A-1', 'A-2', 'A-10'].map((crm_unit_id) => ({
    ...{ crm_unit_id, pms_location_code: 'NORTH', occupied: true, move_in_date: '2025-10-01' },
    tenant: { pms_tenant_id: crm_unit_id, first_name: 'Ada', last_name: 'Park' },
  }));
  const vacant = { crm_unit_id: 'A-3', pms_location_code: 'NORTH', occupied: false };
  demand(200, await company.sync([...units, vacant]));
  await company.patch('A-2', { balance_due: 80.5, paid_through_date: '2025-12-01' });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

describe('the cards of sites', () => {
  it('say that they are being counted before they are', async () => {
    const other = await service.company({ pms_location_code: 'MAIN', name: 'New' });
    await admin.visit(`/dashboard/companies/${other.id}`);
    expect(admin.text).toContain('New Being counted.');
  });

  it('show who is locked out, what is owed, what is vacant, and the site in small', async () => {
    await waitUntil(
      async () => {
        service.manualClock.advance(60_000);
        return admin.visit(page);
      },
      ({ html }) => !html.includes('Being counted.'),
    );
    expect(admin.text).toMatch(
      /North Counted \d+:\d\d [AP]M Locked out 1 Owed \$80\.50 Vacant 1 3 of 4 rented/,
    );
    expect(admin.html).toContain('aria-label="Map of North: 1 of 4 units locked out"');
    // In the order of the names.
    expect(admin.html).toContain('<path class="mini-bad" d="M10 0h8v8h-8z"');
    expect(admin.html).toContain('<path class="mini-vacant" d="M20.5 0.5h7v7h-7z"');
    const location = `/dashboard/locations/${company.locations.get('NORTH')}`;
    expect(admin.links).toContain(`${location}?state=tenant_denied`);
  });

  it('show on Today what is owed now, as the tile above them does', async () => {
    await company.patch('A-2', { balance_due: 95 });
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toMatch(/North Counted \d+:\d\d [AP]M Locked out 1 Owed \$95\.00 Vacant 1/);
    await admin.visit(page);
  });

  it('of a site without units lead to the form that adds one, which comes open', async () => {
    expect(admin.text).toMatch(/South Counted .* No unit yet\. Units appear when your PMS syncs; or add one/);
    await admin.visit(admin.links.find((href) => href.endsWith('?add=unit'))!);
    expect(admin.html).toContain('<div class="drawer open" role="dialog"');
    expect(admin.links).toContain(admin.shown.path.replace('?add=unit', ''));
  });
});

describe('a drawer', () => {
  it('stands behind the button for new things, shut', async () => {
    await admin.visit(page);
    expect(admin.html).toContain(
      '<button type="button" class="button primary" popovertarget="drawer-location">',
    );
    expect(admin.html).toContain('<div class="drawer" id="drawer-location" popover="auto" role="dialog"');
  });

  it('that was refused comes open, with the error at its field and what was typed', async () => {
    await admin.submit('location', { name: 'West', pms_location_code: 'NORTH', timezone: 'UTC' });
    expect(admin.shown.status).toBe(422);
    expect(admin.html).toContain('<div class="drawer open" role="dialog"');
    expect(admin.form('location').values).toMatchObject({ name: 'West' });
    // It closes by a link to the page.
    expect(admin.html).toMatch(new RegExp(`<a class="button ghost only small cancel" href="${page}"`));
  });

  it('is not there for who may not add', async () => {
    const auditor = await Visitor.of(service, 'auditor', [company.id]);
    for (const path of [page, `${page}?add=location`]) {
      await auditor.visit(path);
      expect(auditor.html).not.toContain('class="drawer');
    }
  });
});
