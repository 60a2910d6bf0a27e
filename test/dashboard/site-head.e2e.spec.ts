import { LastPulls } from '#pull/index.js';
import { PullRuns } from '#pull/pull-runs.js';
import { PullSources } from '#pull/pull-sources.js';
import { type Company, demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;
let page: string;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({
    pms_location_code: 'MAIN',
    name: 'Lake Street',
    timezone: 'America/Chicago',
  });
  page = `/dashboard/locations/${company.locations.get('MAIN')}`;
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const tabs = () =>
  /<nav class="tabs"[^>]*>(.*?)<\/nav>/s
    .exec(admin.html)![1]!
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('the pages of a site', () => {
  it('say nothing of a sync before the first', async () => {
    await admin.visit(`${page}/policy`);
    expect(admin.text).not.toMatch(/PMS seen/);
  });

  it('count in their tabs what the site has, except what it has none of', async () => {
    const rented = (crm_unit_id: string, pms_tenant_id: string) => ({
      ...{ crm_unit_id, occupied: true, move_in_date: '2025-10-01' },
      ...{ tenant: { pms_tenant_id, first_name: 'Ada', last_name: 'Park' } },
    });
    const vacant = { crm_unit_id: 'A-4', occupied: false };
    const units = [rented('A-1', 'T-1'), rented('A-2', 'T-1'), rented('A-3', 'T-3'), vacant];
    demand(200, await company.sync(units));
    const rows = [{ unit: 'A-1', zone: 'Yard', lock: 'Latch' }];
    demand(200, await service.operator('post', `${page.replace('/dashboard', '')}/setup`, { rows }));
    await waitUntil(
      async () => {
        service.manualClock.advance(60_000);
        return admin.visit(`${page}/policy`);
      },
      () => tabs().includes('Units 4'),
    );
    expect(tabs()).toMatch(
      /^ Units 4 Tenants 2 Equipment 2 Passes Hours Policy Contact Texts Sharing Forecast $/,
    );
  });

  it('count equipment that was added since the last count, at once on its own page, and soon on all', async () => {
    const path = page.replace('/dashboard', '');
    demand(201, await service.operator('post', `${path}/locks`, { name: 'Spare' }));
    await admin.visit(`${page}/equipment`);
    expect(tabs()).toContain('Equipment 3');
    // A count that nothing made due would come a quarter of an hour after the last one.
    for (let second = 0; second < 61; second += 1) {
      service.manualClock.advance(1_000);
      await new Promise(setImmediate);
    }
    await waitUntil(
      () => admin.visit(`${page}/policy`),
      () => tabs().includes('Equipment 3'),
    );
    expect(tabs()).toContain('Equipment 3');
  });

  it('count the zones of a site without locks', async () => {
    await company.addLocation({ pms_location_code: 'YARD' });
    const yard = `/locations/${company.locations.get('YARD')}`;
    demand(201, await service.operator('post', `${yard}/zones`, { name: 'Gravel' }));
    await waitUntil(
      async () => {
        service.manualClock.advance(60_000);
        return admin.visit(`/dashboard${yard}/policy`);
      },
      () => tabs().includes('Equipment 1'),
    );
    expect(tabs()).toContain('Equipment 1');
  });

  it('show the counted locks beside the zones', async () => {
    await admin.visit(`${page}/equipment?of=zones`);
    expect(admin.text).toMatch(/Locks 2 +Zones 1 +Gates 0 /);
  });

  it('say when the PMS last called', async () => {
    await company.patch('A-4', { occupied: false });
    await admin.visit(`${page}/policy`);
    expect(admin.text).toMatch(/Lake Street PMS seen (today|yesterday) \d+:\d\d [AP]M/);
    await admin.visit(page);
    expect(admin.text).toMatch(/Lake Street 3 of 4 rented, PMS seen (today|yesterday) \d+:\d\d [AP]M/);
  });

  it('of a sandbox do not, because its clock is another', async () => {
    const sandbox = await service.sandbox({ pms_location_code: 'MAIN' });
    demand(200, await sandbox.sync([{ crm_unit_id: 'A-1', occupied: false }]));
    await admin.visit(`/dashboard/locations/${sandbox.locations.get('MAIN')}/policy`);
    expect(admin.text).not.toMatch(/PMS seen/);
  });
});

describe('the last read of a PMS', () => {
  const lastOf = async (...ends: readonly (readonly [state: string, finished_at: number | null])[]) => {
    const sources = jest.spyOn(service.part(PullSources), 'listSources');
    sources.mockResolvedValueOnce(ends.map((_, index) => ({ _id: String(index) })) as never);
    const runs = jest.spyOn(service.part(PullRuns), 'listRuns');
    for (const [state, finished_at] of ends)
      runs.mockResolvedValueOnce({ documents: [{ state, finished_at }], next_cursor: null } as never);
    return service.part(LastPulls).findLast(company.id);
  };

  it('is the newest of all sources', async () => {
    expect(await lastOf(['succeeded', 5], ['succeeded', 7])).toBe(7);
  });

  it('is none that failed or that has not ended', async () => {
    expect(await lastOf(['failed', 9], ['running', null])).toBeNull();
  });
});
