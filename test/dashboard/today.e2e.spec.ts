import { LockoutRounds } from '#domain/history/index.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { type Company, demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

const HOUR = 60 * 60_000;

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street', grace_period_days: 5 });
  const units = [1, 2, 3].map((number) => ({
    crm_unit_id: `A-${number}`,
    occupied: true,
    move_in_date: '2025-10-01',
    tenant: { pms_tenant_id: `T-${number}`, first_name: 'Ada', last_name: 'Park' },
  }));
  demand(200, await company.sync([...units, { crm_unit_id: '=B', occupied: false }]));
  await company.patch('A-1', { balance_due: 189, paid_through_date: '2025-11-01' });
  await company.patch('A-2', { balance_due: 20, paid_through_date: '2025-12-29' });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

/** Follows the link of a number, and says what the list is called and how many rows it has. */
async function listBehind(text: RegExp): Promise<{ status: number; rows: number; text: string }> {
  await admin.visit('/dashboard');
  const [, href] = [...admin.html.matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)].find(([, , told]) =>
    text.test(told!),
  )!;
  await admin.visit(href!.replaceAll('&amp;', '&'));
  const body = /<tbody>(.*?)<\/tbody>/s.exec(admin.html)?.[1] ?? '';
  return { status: admin.shown.status, rows: body.split('<tr>').length - 1, text: admin.text };
}

describe('the first page after signing in', () => {
  it('tells the day of a company, and each number leads to as many entries', async () => {
    await admin.visit('/dashboard');
    expect(admin.html).toContain('<title>Today at ');
    expect(admin.text).toContain('Past due 1 unit');
    expect(admin.text).toContain('1 unit at Lake Street will lose access');
    expect(admin.text).toContain('The last 14 days are being counted.');
    expect(admin.html).not.toContain('class="spark');
    expect(admin.text).toContain('Locks in the next 7 days 1 1 on Sunday');
    expect(admin.text).toContain('No app reported that a lock');
    expect(admin.text).toContain('All syncs up to date.');
    expect(admin.text).not.toContain('Gates today');
    const titles = [...admin.html.matchAll(/<h2[^>]*>([^<]+)/g)].map(([, title]) => title);
    expect(titles.slice(0, 4)).toEqual([
      'To call',
      'Lockouts by day',
      'Needs attention',
      'Opened while locked out',
    ]);
    expect(await listBehind(/^Past due$/)).toMatchObject({ status: 200, rows: 1 });
    expect(await listBehind(/^1 unit at/)).toMatchObject({ status: 200, rows: 1 });
    expect(await listBehind(/^2 × PMS data changed$/)).toMatchObject({ status: 200, rows: 2 });
  });

  it('shows the lockouts of the last days once they are counted', async () => {
    const html = await waitUntil(
      async () => {
        service.manualClock.advance(60_000);
        await admin.visit('/dashboard');
        return admin.html;
      },
      // Not by what is absent: a busy service may answer with the page of an error.
      (html) => html.includes('aria-label="Lockouts by day.'),
    );
    expect(html).toContain('aria-label="Lockouts by day. Dec 18, 2025: 0 lockouts;');
    expect(html).toContain('; Jan 4, 2026: 1 lockout expected;');
    expect(html).toContain('title="Locked out since at least Jan 1, 2026"');
    expect(html).toMatch(/; Today, Jan 1, 2026: \d lockouts?;/);
    expect(admin.text).toContain('Units that arrived locked out are not counted.');
  });

  it('shows 14 days in its figures, and what changed since yesterday', () => {
    expect(admin.html).toMatch(/aria-label="The last 14 days: from 0 to 1 tenant"/);
    expect(admin.html).toMatch(/aria-label="The last 14 days: from \$0\.00 to \$189\.00"/);
    expect(admin.html).toMatch(/aria-label="The last 14 days: 0 openings, 0 today"/);
    expect(admin.text).toContain('Owed $189.00 no figure for yesterday');
  });

  it('says after an outage that the days are being counted, instead of days without any', async () => {
    await service.part(LockoutRounds).stop();
    service.manualClock.advance(2 * HOUR);
    admin = await Visitor.signedIn(service);
    await admin.visit('/dashboard');
    expect(admin.text).toContain('The last 14 days are being counted. Load the page again in a minute.');
    expect(admin.html).not.toContain('class="spark');
    expect(admin.text).toContain('Locked out 1 tenant, 1 unit, earlier days are being counted');
    await admin.visit(`/dashboard/companies/${company.id}`);
    expect(admin.text).toContain('Lake Street Being counted.');
    service.part(LockoutRounds).start();
    await waitUntil(
      async () => {
        service.manualClock.advance(60_000);
        return admin.visit('/dashboard');
      },
      ({ html }) => html.includes('aria-label="Lockouts by day.'),
    );
  });

  it('offers the other companies, to an operator of several', async () => {
    const other = await service.company({ pms_location_code: 'MAIN' });
    await admin.visit('/dashboard');
    await admin.visit(`/dashboard?company_id=${other.id}`);
    expect(admin.text).toContain('Nobody is locked out.');
    for (const { id } of [company, other]) {
      expect(admin.links).toContain(`/dashboard?company_id=${id}`);
      expect(admin.html).toContain(`Park Storage (…${id.slice(-6)})`);
    }
    demand(201, await service.operator('post', '/companies', { name: 'Lone Star' }));
    await admin.visit('/dashboard');
    expect(admin.html).toContain('Lone Star</a>');
    const limited = await Visitor.of(service, 'auditor', [company.id]);
    await limited.visit('/dashboard');
    expect([limited.shown.status, limited.forms]).toEqual([200, []]);
    expect((await limited.visit(`/dashboard?company_id=${other.id}`)).status).toBe(404);
  });

  it('is the list of companies for who has none, where it says what to do', async () => {
    const empty = await Service.start();
    const first = await Visitor.signedIn(empty);
    expect(first.text).toContain('There is no company yet. Add one below');
    const { company_id } = demand(201, await empty.operator('post', '/companies', { name: 'New' }));
    await first.visit('/dashboard');
    expect(first.links).toContain(`/dashboard/companies/${company_id}`);
    expect(first.text).toContain('Add a site first');
    await empty.close();
  });
});

describe('lists as files', () => {
  it('hold what the pages list, and no formula', async () => {
    const path = `/dashboard/companies/${company.id}`;
    const units = await admin.visit(`${path}/units.csv?state=vacant`);
    expect(units.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(units.html.trimEnd().split('\r\n')).toEqual([
      'unit_id,crm_unit_id,unit_name,tenant,balance_due,currency,location,source_type,state,reason,round_the_clock,locked_out_since',
      expect.stringMatching(/^\w+,'=B,'=B,,0,USD,Lake Street,push,vacant,,no,$/),
    ]);
    const changes = await admin.visit(`${path}/changes.csv?type=UnitFactsChanged`);
    expect(changes.html.trimEnd().split('\r\n')).toHaveLength(3);
    const companies = await admin.visit('/dashboard/companies/companies.csv');
    expect(companies.html).toContain(company.id);
  });
});

describe('what changed', () => {
  it('is told of by the names of what it is about, each leading to its page', async () => {
    const location_id = company.locations.get('MAIN')!;
    const add = async (part: string, body: object) =>
      demand(201, await service.operator('post', `/locations/${location_id}/${part}`, body));
    const { zone_id } = await add('zones', { name: 'Building B' });
    const { lock_id } = await add('locks', { name: 'Latch 9' });
    const gate = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
    const { entry_point_id } = await add('entry-points', gate);
    const { unit_id } = await company.unit('A-1');
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
    const changes = `/dashboard/companies/${company.id}/changes`;
    await admin.visit(changes);
    expect(admin.text).toContain('Lock attached Latch 9, A-1 , Lake Street');
    expect(admin.text).toContain('Zone added Building B, Lake Street');
    expect(admin.text).toMatch(/Gate added North gate ?, Lake Street/);
    expect(admin.links).toContain(`/dashboard/entry-points/${entry_point_id}`);
    expect(admin.links).toContain(`/dashboard/locations/${location_id}`);
    const file = (await admin.visit(`${changes}.csv?type=LockAttached`)).html;
    expect(file).toContain(',LockAttached,location,"Latch 9, A-1, Lake Street",,');
    await admin.visit(`/dashboard/locations/${location_id}/equipment`);
    expect(admin.text).toMatch(/Latch 9 – A-1/);
    expect(admin.text).not.toContain(lock_id);
    await admin.visit(`/dashboard/units/${unit_id}/history`);
    expect(admin.text).toContain('Unit added');
    expect(admin.text).not.toContain(unit_id);
    await admin.visit(`/dashboard/units/${unit_id}/report`);
    expect(admin.text).toContain(`id in this service: none → ${unit_id}`);
  });
});

it('Today counts the most frequent kinds of changes alone, and leads to the rest', async () => {
  await admin.visit('/dashboard');
  const section = /<h2[^>]*>What changed in the last 24 hours.*?<\/section>/s.exec(admin.html)![0];
  const changes = `/dashboard/companies/${company.id}/changes`;
  expect(section.match(/<li/g)).toHaveLength(8);
  expect(section).toMatch(new RegExp(`<a href="${changes}">\\d+ more kinds? of changes</a>`));
});

it('a kind of changes that was chosen on Today has a link to all kinds', async () => {
  const changes = `/dashboard/companies/${company.id}/changes`;
  await admin.visit(`${changes}?type=LockAttached`);
  expect(admin.html).toMatch(
    new RegExp(`<a class="button" href="${changes}" aria-label="Lock attached: show all kinds">`),
  );
  await admin.visit(changes);
  expect(admin.text).not.toContain('show all kinds');
});

it('units of leases to come stand beside those that are locked out', async () => {
  const unit = { crm_unit_id: 'A-8', occupied: true, move_in_date: '2026-02-01', pms_tenant_id: 'T-8' };
  demand(200, await company.sync([unit]));
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.text).toMatch(/Locked out 1 tenant, 1 unit Owed \$189\.00/);
  expect(admin.text).toContain('Not moved in yet, not counted above 1 unit');
  expect(await company.access('A-8')).toBe('tenant_denied future_move_in');
  expect(await listBehind(/^Not moved in yet, not counted above$/)).toMatchObject({ status: 200, rows: 1 });
});

it('a tenant is marked as called on the list, at its end, and the mark is taken back', async () => {
  await admin.visit(`/dashboard?company_id=${company.id}`);
  const [called] = /action="\/dashboard(\/tenants\/[^"/]*\/called)"/.exec(admin.html)!.slice(1);
  await admin.post(`/dashboard${called}`, { company_id: company.id });
  expect(admin.shown.path).toBe(`/dashboard?company_id=${company.id}&done=called`);
  expect(admin.html).toMatch(/<tr class="done">.*title="by ada@example.com".*Called <time/s);
  expect(admin.html).toContain(`action="/dashboard${called}/undo"`);
  await admin.post(`/dashboard${called}/undo`, { company_id: company.id });
  expect(admin.html).not.toContain('class="done"');
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(`/dashboard?company_id=${company.id}`);
  expect(auditor.html).not.toContain('/called"');
  expect((await auditor.post(`/dashboard${called}`, {})).status).toBe(403);
});

it('“Let in” leads to the form that lets the tenant in, open, and changes nothing yet', async () => {
  await admin.visit(`/dashboard?company_id=${company.id}`);
  const letIn = admin.links.find((href) => href.endsWith('?do=let-in'))!;
  await admin.visit(letIn);
  expect(admin.html).toMatch(/<div class="dialog open" role="dialog" aria-label="Let in A-1">/);
  expect(admin.form('let-in').values).toMatchObject({ override: 'exempt', until: 'tomorrow', reason: '' });
  expect(admin.html).not.toContain('class="refusal"');
  expect(admin.text).toContain('Locked out: past due');
});

it('rows of a push that were rejected are a sync problem, on the API page too', async () => {
  const rows = [1, 2].map((number) => ({ crm_unit_id: `X-${number}`, occupied: true }));
  demand(200, await company.sync([...rows, { crm_unit_id: '=B', occupied: false }]));
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.text).toContain('PMS 2 of 3 rows rejected Pushed Jan 1, 2026,');
  expect(admin.text).toContain('X-1, X-2: The row has no lease start for a rented unit.');
  await admin.visit(`/dashboard/companies/${company.id}/api-tokens`);
  expect(admin.text).toContain('2 of 3 rows rejected Pushed Jan 1, 2026,');
  expect(admin.text).toContain('X-1, X-2: The row has no lease start');
});

it('a push that was refused as a whole is a sync problem', async () => {
  service.manualClock.advance(1_000);
  const row = { crm_unit_id: 'X-1', occupied: false };
  expect((await company.sync([row, row])).status).toBe(422);
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.text).toContain('PMS Push refused: none of 2 rows was saved Pushed Jan 1, 2026,');
  expect(admin.text).toContain('X-1: “Unit id in the PMS” has a duplicate value.');
  expect(admin.text).toMatch(/1 sync problem\. See what failed .*Locked out/);
  expect(admin.links).toContain('#sync-problems');
});

it('a token that fell silent is late', async () => {
  service.manualClock.advance(27 * HOUR);
  admin = await Visitor.signedIn(service);
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.html).toMatch(
    /Sync problems<\/h2><ul class="numbers"><li><a [^>]*>PMS<\/a> <span class="mark warn">No/,
  );
  expect(admin.links).toContain(`/dashboard/companies/${company.id}/api-tokens`);
  expect(admin.text).not.toContain('Time zone of these times');
  await company.addLocation({ pms_location_code: 'WEST', timezone: 'America/Los_Angeles' });
  await company.addLocation({ pms_location_code: 'NORTH', timezone: 'America/Los_Angeles' });
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.text).toContain('Time zone of these times: Los Angeles, Pacific Time.');
  const auditor = await Visitor.of(service, 'auditor', [company.id]);
  await auditor.visit('/dashboard');
  expect(auditor.text).toContain('PMS No request since');
  expect(auditor.links).not.toContain(`/dashboard/companies/${company.id}/api-tokens`);
});

it('a damaged history is told above all else: whose it is, what holds, and whom to tell', async () => {
  const other = await service.company({ pms_location_code: 'MAIN', name: 'Elm Street' });
  demand(201, await other.moveIn('C-1', { pms_tenant_id: 'c' }));
  await admin.visit(`/dashboard?company_id=${other.id}`);
  expect(admin.text).not.toContain('damaged');
  const { unit_id } = await other.unit('C-1');
  const location_id = other.locations.get('MAIN')!;
  const damaged = service.application.get(DamagedStreams, { strict: false });
  const damage = { revision: 0, cause: 'deleted' } as const;
  await damaged.found({ stream: `location-${location_id}`, ...damage });
  await damaged.found({ stream: `unit-${other.id}.C-1`, ...damage });
  await admin.visit(`/dashboard?company_id=${other.id}`);
  expect(admin.text.replaceAll(' ,', ',').replaceAll(' .', '.')).toContain(
    'Somebody damaged the stored history of Elm Street, C-1. They take no changes, and stay as last known. Tell the person who runs the service, whose log says what happened.',
  );
  expect(admin.links).toEqual(
    expect.arrayContaining([`/dashboard/units/${unit_id}`, `/dashboard/locations/${location_id}`]),
  );
  await admin.visit(`/dashboard/units/${unit_id}/history`);
  expect(admin.text).toContain(
    'Somebody damaged the stored history of this unit. It ends with the newest entry here',
  );
  expect(service.failures.splice(0)).toHaveLength(2);
});

it('a company without locations is told of its damaged history, too', async () => {
  const { company_id } = demand(201, await service.operator('post', '/companies', { name: 'Lost Star' }));
  const damaged = service.application.get(DamagedStreams, { strict: false });
  await damaged.found({ stream: `company-${company_id}`, revision: 0, cause: 'deleted' });
  await admin.visit(`/dashboard?company_id=${company_id}`);
  expect(admin.text).toContain('Somebody damaged the stored history of this company');
  expect(service.failures.splice(0)).toHaveLength(1);
});

it('the list of whom to call has pages', async () => {
  const other = await service.company({ pms_location_code: 'MAIN', timezone: 'UTC' });
  const owing = { paid_through_date: '2025-11-01', occupied: true, move_in_date: '2025-10-01' };
  const rows = Array.from({ length: 27 }, (_, place) => ({
    ...{ crm_unit_id: `B-${place + 100}`, pms_tenant_id: `B-${place}`, ...owing, balance_due: 200 - place },
  }));
  demand(200, await other.sync(rows));
  const listed = () => [...admin.html.matchAll(/>(B-1\d\d)<\/a>/g)].map(([, name]) => name);
  await admin.visit(`/dashboard?company_id=${other.id}&reason=delinquent`);
  expect(listed()).toHaveLength(14);
  expect(admin.text).toContain('1 to 14');
  await admin.visit(admin.links.find((href) => href.includes('skip='))!.replaceAll('&amp;', '&'));
  expect(listed()).toEqual(Array.from({ length: 13 }, (_, place) => `B-${place + 114}`));
  expect(admin.links.some((href) => href.includes('skip='))).toBe(false);
  expect((await admin.visit(`/dashboard?company_id=${other.id}&skip=-1`)).status).toBe(422);
});

it('the whole list of whom to call keeps both the location and the reason', async () => {
  const other = await service.company(
    { pms_location_code: 'MAIN', name: 'Lake Street', timezone: 'UTC' },
    { pms_location_code: 'WEST', name: 'Elm Street', timezone: 'UTC' },
  );
  const late = { paid_through_date: '2025-11-01', balance_due: 20 };
  const locked = { ...late, balance_due: 0, paid_through_date: null, pms_lockout: true };
  const rowOf = (crm_unit_id: string, pms_location_code: string, facts: object) => ({
    ...{ crm_unit_id, pms_location_code, pms_tenant_id: crm_unit_id },
    ...{ occupied: true, move_in_date: '2025-10-01', ...facts },
  });
  const rows = [rowOf('M-1', 'MAIN', late), rowOf('M-2', 'MAIN', locked), rowOf('W-1', 'WEST', late)];
  demand(200, await other.sync(rows));
  const location_id = other.locations.get('MAIN')!;
  await admin.visit(`/dashboard?company_id=${other.id}&location_id=${location_id}&reason=delinquent`);
  const [, href] = /href="([^"]*)">Show all</.exec(admin.html)!;
  await admin.visit(href!.replaceAll('&amp;', '&'));
  expect(admin.text).toContain('Units at Lake Street: Locked out, past due');
  const listed = [...admin.html.matchAll(/class="whole" href="[^"]*">([MW]-\d)</g)].map(([, name]) => name);
  expect(listed).toEqual(['M-1']);
});

it('who was called comes behind everybody on all pages, and is counted apart', async () => {
  const own = await service.company({ pms_location_code: 'MAIN', grace_period_days: 0 });
  const unit = (place: number) => ({
    ...{ crm_unit_id: `U-${place}`, occupied: true, move_in_date: '2025-10-01' },
    ...{ balance_due: 100 - place, paid_through_date: '2025-11-01' },
    tenant: { pms_tenant_id: `T-${place}`, first_name: `N${place}`, last_name: 'Park' },
  });
  demand(200, await own.sync(Array.from({ length: 16 }, (_, place) => unit(place))));
  const admin = await Visitor.signedIn(service);
  const today = `/dashboard?company_id=${own.id}`;
  const names = () => [...admin.html.matchAll(/">(N\d+) Park<\/a>/g)].map(([, name]) => name);
  await admin.visit(today);
  expect(admin.text).toContain('To call 16 units');
  expect(names()[0]).toBe('N0');
  const [called] = /action="\/dashboard(\/tenants\/[^"/]*\/called)"/.exec(admin.html)!.slice(1);
  await admin.post(`/dashboard${called}`, { company_id: own.id });
  expect(admin.text).toContain('To call 15 left, 1 called');
  expect(names()).not.toContain('N0');
  await admin.visit(`${today}&skip=14`);
  expect(names()).toEqual(['N15', 'N0']);
});
