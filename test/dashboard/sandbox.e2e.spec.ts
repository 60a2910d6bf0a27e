import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const DAY = 24 * 60 * 60;
const CHICAGO = 'America/Chicago';

let service: Service;
let company: Company;
let path: string;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

beforeEach(async () => {
  company = await service.sandbox({ pms_location_code: 'MAIN', timezone: CHICAGO });
  path = `/dashboard/companies/${company.id}`;
});

const told = async (of = company.id) => demand(200, await service.operator('get', `/companies/${of}`));
const commandOf = ({ metadata }: { metadata: Record<string, unknown> }) => metadata['command_id'] as string;
const ahead = async (): Promise<number> => (await told()).clock.ahead_seconds;

describe('a company', () => {
  it('is registered as a sandbox where the box is ticked', async () => {
    await admin.visit('/dashboard/companies');
    await admin.submit('company', { name: ' ', sandbox: 'true' });
    expect([admin.shown.status, admin.form('company').values['sandbox']]).toEqual([422, ['false', 'true']]);
    await admin.submit('company', { name: 'Play' });
    expect(admin.text).toContain('Sandbox. Its time is Jan 1, 2026, 12:00 AM UTC , as everywhere.');
    expect(await told(admin.shown.path.split(/[/?]/)[3])).toMatchObject({ name: 'Play', sandbox: true });
    await admin.visit('/dashboard/companies/companies.csv');
    expect(admin.html).toMatch(/^company_id,name,created_at,sandbox\r\n/);
    expect(admin.html).toMatch(/,Play,[^,]+,true\r\n/);
  });
});

describe('the clock of a sandbox', () => {
  it('is set forward by a day, a week, or what is typed', async () => {
    await admin.visit(path);
    expect(admin.text).toContain('forward only');
    expect(admin.text).toContain('A sandbox sends no text messages.');
    await admin.submit('clock-day');
    expect(admin.shown.path).toBe(`${path}?done=advanced`);
    expect(admin.text).toContain('Ahead of the real time by 1 day');
    await admin.submit('clock-week');
    await admin.submit('clock', { minutes: '180' });
    expect(admin.text).toContain(
      'Its time Jan 8, 2026, 9:00 PM CST Ahead of the real time by 8 days, 3 hours',
    );
    expect(await ahead()).toBe(8 * DAY + 3 * 60 * 60);
  });

  it.each(['0', '-1', '44641', '1.5', 'soon', ''])(
    'is not set forward by %j, which is kept',
    async (minutes) => {
      await admin.visit(path);
      await admin.submit('clock', { minutes });
      expect(admin.shown.status).toBe(422);
      expect(admin.text).toContain('“Minutes forward” ');
      expect(admin.form('clock').values['minutes']).toBe(minutes);
      expect(await ahead()).toBe(0);
      await admin.submit('clock', { minutes: '44640' });
      expect(await ahead()).toBe(31 * DAY);
    },
  );

  it('is set forward once by a form that is sent twice, at once or later', async () => {
    await admin.visit(path);
    const { action, values } = admin.form('clock-day');
    await Promise.all([admin.post(action, values), admin.post(action, values)]);
    await admin.post(action, values);
    expect([admin.shown.path, await ahead()]).toEqual([`${path}?done=advanced`, DAY]);
    // The page that is shown then has forms of its own.
    await admin.submit('clock-day');
    expect(await ahead()).toBe(2 * DAY);
  });

  it('goes as far as is asked where another advance is typed into a form that was sent', async () => {
    await admin.visit(path);
    const { action, values } = admin.form('clock');
    await admin.post(action, { ...values, minutes: '60' });
    await admin.post(action, { ...values, minutes: '120' });
    expect(await ahead()).toBe(3 * 60 * 60);
  });

  it('is set under a command of its own, whatever command a form names', async () => {
    const other = await service.company();
    demand(201, await other.moveIn('A-1'));
    const own = await service.events(`company-${company.id}`);
    const known = [...own, ...(await other.unitEvents())].map(commandOf);
    const named = [...new Set(known), 'Ada Park'];
    await admin.visit(path);
    const [hidden] = Object.keys(admin.form('clock-day').values).filter((name) => name !== 'minutes');
    for (const [index, name] of named.entries()) {
      await admin.post(`${path}/clock`, { minutes: '1', [hidden!]: name });
      expect([admin.shown.path, await ahead()]).toEqual([`${path}?done=advanced`, (index + 1) * 60]);
    }
    const advances = (await service.events(`company-${company.id}`)).slice(own.length);
    const commands = advances.map(commandOf);
    expect(new Set(commands).size).toBe(named.length);
    for (const command of commands) expect(command).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    expect(commands.filter((command) => known.includes(command))).toEqual([]);
  });

  it("is set by a form of another operator's that names itself alike", async () => {
    await admin.visit(path);
    const { action, values } = admin.form('clock-day');
    await admin.post(action, values);
    const manager = await Visitor.of(service, 'manager', [company.id]);
    await manager.post(action, values);
    expect(await ahead()).toBe(2 * DAY);
  });

  it('is seen by an auditor, and set by managers of the company alone', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(path);
    expect([auditor.text, auditor.forms]).toEqual([expect.stringContaining('Sandbox clock'), []]);
    expect(auditor.text).toContain('A manager of the whole company may set it forward.');
    expect((await auditor.post(`${path}/clock`, { minutes: '1440' })).status).toBe(403);
    const other = await service.company();
    const stranger = await Visitor.of(service, 'manager', [other.id]);
    expect((await stranger.post(`${path}/clock`, { minutes: '1440' })).status).toBe(404);
    expect(await ahead()).toBe(0);
    const manager = await Visitor.of(service, 'manager', [company.id]);
    await manager.visit(path);
    await manager.submit('clock-day');
    expect(await ahead()).toBe(DAY);
  });
});

describe('the pages of a sandbox', () => {
  it('all say what they are of, and what time it is there', async () => {
    demand(201, await company.moveIn('A-1'));
    const unit = await company.unit('A-1');
    const source = { name: 'PMS', url: 'https://pms.example/units', interval_seconds: 3_600 };
    const sources = `/companies/${company.id}/pull-sources`;
    const { pull_source_id } = demand(201, await service.operator('post', sources, source));
    demand(200, await service.operator('patch', `/pull-sources/${pull_source_id}`, { enabled: false }));
    await company.advance(DAY);
    const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
    const { tenant } = demand(200, await service.operator('get', `/units/${unit.unit_id}`));
    const pages = [
      ...['', '/units', '/changes', '/pull-sources', '/api-tokens'].map((part) => path + part),
      ...['', '/equipment', '/policy', '/forecast'].map((part) => location + part),
      `/dashboard?company_id=${company.id}`,
      `/dashboard/pull-sources/${pull_source_id}`,
      `/dashboard/tenants/${tenant.tenant_id}`,
      `/dashboard/units/${unit.unit_id}`,
      `/dashboard/units/${unit.unit_id}?at=2026-01-01T12:00:00Z`,
      `/dashboard/units/${unit.unit_id}/report`,
    ];
    for (const page of pages) {
      await admin.visit(page);
      expect([page, admin.shown.status, admin.text]).toEqual([
        page,
        200,
        expect.stringContaining(
          'Sandbox. Its time is Jan 1, 2026, 6:00 PM CST , ahead of the real time by 1 day.',
        ),
      ]);
    }
  });

  it('tell a unit’s time up to now by its clock, and the report is of that instant', async () => {
    demand(201, await company.moveIn('A-1'));
    const unit = `/dashboard/units/${(await company.unit('A-1')).unit_id}`;
    await company.advance(DAY);
    const minute = (Date.UTC(2026, 0, 2) / 60_000).toString();
    for (const page of [`${unit}/history`, `${unit}?at=2026-01-01T12:00:00Z`]) {
      await admin.visit(page);
      expect(admin.html).toContain(`max="${minute}"`);
      expect(admin.html).toMatch(/aria-label="Open[^"]* to Jan 1, 2026, 6:00 PM CST"/);
    }
    await admin.visit(`${unit}/report`);
    expect(admin.text).toContain('As of Jan 1, 2026, 6:00:00 PM CST');
  });
});
