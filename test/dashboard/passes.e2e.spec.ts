import { ManualClock } from '../support/manual-clock.js';
import { addPassSite } from '../support/pass-site.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const HOUR = 3_600_000;

let service: Service;
let manager: Visitor;
let company: Company;
let location_id: string;
let gate: string;
let unit_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const page = () => `/dashboard/locations/${location_id}/passes`;
const passes = async (standing = 'present') =>
  demand(200, await operator('get', `/locations/${location_id}/passes?standing=${standing}`)).passes;
/** As a browser sends it: at the site it is nine in the morning. */
const TYPED = {
  name: 'Lakeside Pest Control',
  phone: '(312) 557-0100',
  reason: 'vendor',
  until: '2026-03-04T17:00',
};
const give = async (typed: object = {}) => {
  await manager.visit(page());
  await manager.submit('pass', { ...TYPED, entry_point_ids: gate, ...typed });
  return manager.text;
};

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
  manager = await Visitor.of(service, 'manager');
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ company, location_id, gate, unit_id } = await addPassSite(service));
  demand(200, await operator('patch', `/locations/${location_id}`, { timezone: 'America/Chicago' }));
});

describe('a pass given on the page of a site', () => {
  it('needs a name, a phone as people write it, a gate and an end', async () => {
    expect(await give()).toContain('The pass is given.');
    expect(await passes()).toMatchObject([
      {
        name: 'Lakeside Pest Control',
        phone: '+13125570100',
        reason: 'vendor',
        until: '2026-03-04T23:00:00.000Z',
        hours: null,
        entry_points: [{ entry_point_id: gate }],
      },
    ]);
  });

  it('opens units by their names', async () => {
    await give({ unit_ids: 'A-1' });
    expect(await passes()).toMatchObject([{ units: [{ unit_id, unit_name: 'A-1' }] }]);
  });

  it('has hours of its own', async () => {
    await give({ hours: 'own', days: ['mon', 'sat'], opens: '07:30', closes: '12:00' });
    const hours = { open: '07:30', close: '12:00' };
    expect(await passes()).toMatchObject([
      { hours: { mon: hours, tue: 'closed', sat: hours, sun: 'closed' } },
    ]);
    expect(manager.text).toContain('Monday 7:30 AM – 12 PM, Saturday 7:30 AM – 12 PM');
  });

  it('says what hours were saved', async () => {
    const given = await give({ hours: 'own', days: ['fri'], opens: '22:00', closes: '23:30' });
    expect(given).toContain('Its holder signs in with the phone. Hours: Friday 10 PM – 11:30 PM.');
    expect(await give()).toContain('Hours: Those of each gate.');
  });

  it('is refused with the names of the units that are rented', async () => {
    for (const name of ['A-2', 'A-3']) demand(201, await company.moveIn(name));
    expect(await give({ unit_ids: 'A-2, A-1, A-3' })).toContain(
      'A-2 and A-3 are rented. A pass opens units that nobody rents, or that are in auction.',
    );
    expect(manager.html).toMatch(/<input[^>]*name="unit_ids"[^>]*aria-invalid="true"/);
    expect(await passes()).toEqual([]);
  });

  it.each([
    ['a unit that there is not', { unit_ids: 'Z-9' }, 'No unit of this site is called Z-9.'],
    ['a time that is none', { hours: 'own', opens: '8 o’clock' }, 'Give a time of day, such as 08:00.'],
    ['typed times and those of each gate', { opens: '22:00' }, 'Choose “Its own days and times”'],
    ['ticked days and those of each gate', { days: ['', 'sat'] }, 'Choose “Its own days and times”'],
    ['no day', { hours: 'own', days: '' }, 'Tick the days on which it opens.'],
    ['no end', { until: '' }, '“Until (Chicago, Central Time)” is required.'],
    ['an end that is past', { until: '2026-03-01T17:00' }, 'must be in the future.'],
    ['nothing to open', { entry_point_ids: '' }, '“Gates” is required when the pass names no unit.'],
  ])('is refused at the field with %s, and keeps what was typed', async (_, typed, words) => {
    expect(await give(typed)).toContain(words);
    expect(manager.shown.status).toBe(422);
    expect(manager.html).toContain('value="Lakeside Pest Control"');
    expect(await passes()).toEqual([]);
  });

  it('begins with the unit whose page led there', async () => {
    await manager.visit(`${page()}?add=pass&unit=${unit_id}`);
    expect(manager.html).toMatch(/name="unit_ids"[^>]*value="A-1"|value="A-1"[^>]*name="unit_ids"/);
  });

  it('begins with no unit where the one whose page led there is let', async () => {
    demand(200, await company.moveIn('A-1'));
    await manager.visit(`${page()}?add=pass&unit=${unit_id}`);
    expect(manager.form('pass').values).toMatchObject({ unit_ids: '' });
  });

  it('is refused with a phone that is none, and told what the form takes', async () => {
    expect(await give({ phone: 'soon' })).toContain(
      '“Phone” must be a valid phone number, like (312) 555-0100, or +44 20 7946 0000.',
    );
  });
});

describe('the page of a pass', () => {
  it('changes what was changed, and nothing else', async () => {
    await give();
    await manager.submit('pass', { until: '2026-03-05T12:00', note: 'Badge 7' });
    expect(manager.text).toContain('The pass is saved.');
    expect(await passes()).toMatchObject([
      { name: 'Lakeside Pest Control', until: '2026-03-05T18:00:00.000Z', note: 'Badge 7', hours: null },
    ]);
  });

  it('keeps hours that it has, unless others are chosen', async () => {
    await give({ hours: 'own', days: ['mon'], opens: '07:30', closes: '12:00' });
    await manager.submit('pass', { name: 'Vic' });
    expect(await passes()).toMatchObject([{ name: 'Vic', hours: { mon: { open: '07:30' } } }]);
    await manager.submit('pass', { hours: 'gates' });
    expect(await passes()).toMatchObject([{ hours: null }]);
  });

  it('shows the days and times that it has in the form', async () => {
    await give({ hours: 'own', days: ['mon', 'fri'], opens: '22:00', closes: '23:30' });
    expect(manager.form('pass').values).toMatchObject({
      hours: 'kept',
      days: ['', 'mon', 'fri'],
      opens: '22:00',
      closes: '23:30',
    });
  });

  it('is not changed while times are typed for hours that stay', async () => {
    await give({ hours: 'own', days: ['mon'], opens: '07:30', closes: '12:00' });
    await manager.submit('pass', { closes: '13:00' });
    expect(manager.text).toContain('Choose “Its own days and times”');
    await manager.submit('pass', { hours: 'own' });
    expect(await passes()).toMatchObject([{ hours: { mon: { open: '07:30', close: '13:00' } } }]);
  });

  it('ends it, and has no form any more', async () => {
    await give();
    await manager.submit('end-pass', {});
    expect(manager.text).toContain('The pass is ended.');
    expect(manager.html).not.toContain('form-pass');
    expect(await passes('ended')).toMatchObject([{ name: 'Lakeside Pest Control' }]);
    await manager.visit(`${page()}?standing=ended`);
    expect(manager.text).toContain('Lakeside Pest Control');
  });

  it('is read by an auditor, who has no form', async () => {
    await give();
    const [{ pass_id }] = await passes();
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(`/dashboard/passes/${pass_id as string}`);
    expect(auditor.text).toContain('Lakeside Pest Control');
    expect(auditor.html).not.toContain('form-pass');
    await auditor.visit(page());
    expect(auditor.html).not.toContain('form-pass');
  });
});

describe('the people on the page of a unit', () => {
  const people = async () => {
    await manager.visit(`/dashboard/units/${unit_id}`);
    return manager.text.slice(manager.text.indexOf('People'));
  };

  it('are holders of passes, until the unit is let', async () => {
    await give({ unit_ids: 'A-1' });
    expect(await people()).toMatch(/Lakeside Pest Control\s*Pass: Vendor.*Opens/s);
    demand(200, await company.moveIn('A-1'));
    expect(await people()).not.toContain('Lakeside');
  });

  it('are the tenant and those who share it, until their end', async () => {
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.patch('A-1', { paid_through_date: '2026-12-31' }));
    const until = new Date(service.manualClock.now() + HOUR).toISOString();
    const body = { name: 'Daniel Brooks', phone: '+13125570199', until };
    demand(201, await operator('post', `/units/${unit_id}/shares`, body));
    expect(await people()).toMatch(/Tenant.*Daniel Brooks\s*Shared by staff/s);
    service.manualClock.advance(HOUR);
    expect(await people()).not.toContain('Daniel Brooks');
  });
});
