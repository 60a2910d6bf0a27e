import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';
import { ManualClock } from '../../support/manual-clock.js';
import { type Company, demand, Service } from '../../support/service.js';
import { Visitor } from '../support/visitor.js';

const NIGHT = Date.parse('2026-01-01T23:00:00.000Z');

let service: Service;
let admin: Visitor;
let company: Company;
let location_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const page = () => `/dashboard/locations/${location_id}/hours`;
const hours = async () => demand(200, await operator('get', `/locations/${location_id}`)).access_hours;

/** The form of a week that is open from 6 to 22 on each day. */
function officeForm(over: Record<string, string> = {}): Record<string, string> {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].flatMap((day) => [
    [`${day}_kind`, 'hours'],
    [`${day}_open`, '06:00'],
    [`${day}_close`, '22:00'],
  ]);
  return { ...(Object.fromEntries(days) as Record<string, string>), exit_grace_minutes: '10', ...over };
}

async function addZone(name: string): Promise<string> {
  return demand(201, await operator('post', `/locations/${location_id}/zones`, { name })).zone_id;
}

async function addGate(zone_id: string): Promise<string> {
  const added = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
  return demand(201, await operator('post', `/locations/${location_id}/entry-points`, added)).entry_point_id;
}

/** The form of the week, sent by a button of the days with what else is typed in it. */
async function press(button: string, fields: Record<string, string>): Promise<void> {
  const { values } = admin.form('hours');
  await admin.post(`${page()}/${button}`, { ...values, ...fields });
}
const addDays = (fields: Record<string, string>) => press('days', fields);
const pressRemove = (date: string, typed = {}) => press('days/remove', { date, ...typed });

function typedDays(): string | undefined {
  return /<textarea[^>]*form="form-hours"[^>]*>(.*?)<\/textarea>/s.exec(admin.html)?.[1];
}

/** A tenant who opened a gate at night. */
async function tapAtNight(): Promise<void> {
  const zone_id = await addZone('Yard');
  const gate_id = await addGate(zone_id);
  const { unit_id } = demand(201, await company.moveIn('A-1'));
  demand(200, await operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const { tenant_id } = demand(200, await operator('get', `/units/${unit_id}`)).tenant;
  const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const body = { event: 'unlock', result: 'success' };
  demand(201, await service.call('post', `/api/v2/entry-points/${gate_id}/logs`, { token, body }));
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(NIGHT) });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

describe('the hours of a location', () => {
  it('are always until an operator saves a week', async () => {
    await admin.visit(page());
    expect(admin.text).toContain('They are open always.');
    await admin.submit('hours', officeForm());
    expect(await hours()).toEqual(OFFICE_HOURS);
    expect(admin.text).toContain('The hours are saved.');
  });

  it('refuse a time that is none, and keep what was typed', async () => {
    await admin.visit(page());
    await admin.submit('hours', officeForm({ mon_open: '' }));
    expect(admin.text).toContain('Monday: enter both times, such as 08:00 and 17:00.');
    expect(admin.html).toMatch(/<input[^>]*name="mon_open"[^>]*aria-invalid="true"/);
    expect(admin.html).not.toMatch(/<input[^>]*name="mon_close"[^>]*aria-invalid="true"/);
    expect(admin.form('hours').values).toMatchObject({ tue_open: '06:00' });
    expect(await hours()).toBeNull();
  });

  it('say what was saved', async () => {
    await admin.visit(page());
    await admin.submit('hours', { mon_kind: 'hours', mon_open: '07:00', sun_kind: 'closed' });
    expect(admin.text).toContain(
      'The hours are saved. Keys given out before go on until they end. Monday: Always → 7 AM – 10 PM; Sunday: Always → Closed.',
    );
  });

  it('that end before they begin say that they end on the next day, before and after they are saved', async () => {
    await admin.visit(page());
    expect(admin.text).toContain('A closing time that is not after the opening is on the next day');
    await admin.submit('hours', { mon_kind: 'hours', mon_open: '19:00', mon_close: '07:00' });
    expect(admin.text).toContain('Monday: Always → 7 PM – 7 AM of the next day.');
  });

  it.each([
    ['Always', 'always'],
    ['Closed', 'closed'],
  ])('are not saved while a day has typed times and “%s”, and both are kept', async (name, mon_kind) => {
    await admin.visit(page());
    await admin.submit('hours', { mon_kind, mon_open: '07:00' });
    expect(admin.text).toContain(
      `Monday: you typed times, but “${name}” is chosen. Choose “Hours”, or clear the times.`,
    );
    expect(admin.form('hours').values).toMatchObject({ mon_kind, mon_open: '07:00' });
    expect(await hours()).toBeNull();
  });

  it('are saved without times that were cleared', async () => {
    await admin.visit(page());
    await admin.submit('hours', { mon_kind: 'closed', mon_open: '', mon_close: '' });
    expect((await hours()).week.mon).toBe('closed');
  });

  it('are not saved again where nothing changes', async () => {
    await admin.visit(page());
    await admin.submit('hours', { mon_open: '', mon_close: '' });
    expect(admin.text).toContain('Nothing was changed');
    expect(admin.text).toContain('No changes yet');
    expect(await hours()).toBeNull();
  });

  it('keep another operator’s change of another day', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    await admin.visit(page());
    const week = { ...OFFICE_HOURS.week, tue: 'closed' };
    demand(
      200,
      await operator('patch', `/locations/${location_id}`, { access_hours: { ...OFFICE_HOURS, week } }),
    );
    await admin.submit('hours', { mon_open: '07:00' });
    expect((await hours()).week).toEqual({ ...week, mon: { open: '07:00', close: '22:00' } });
  });

  describe('that another operator changed since the form was drawn', () => {
    const { week } = OFFICE_HOURS;
    const late = { open: '06:00', close: '23:00' };
    const change = async (access_hours: object) =>
      demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));

    beforeEach(async () => {
      await change(OFFICE_HOURS);
      await admin.visit(page());
    });

    it('are not overwritten by a form that changes the same day', async () => {
      await change({ ...OFFICE_HOURS, week: { ...week, mon: late } });
      await admin.submit('hours', { mon_open: '07:00' });
      expect(admin.shown.status).toBe(409);
      expect(admin.text).toContain(
        'Somebody else has changed this meanwhile. Monday: 6 AM – 10 PM → 6 AM – 11 PM.',
      );
      expect((await hours()).week.mon).toEqual(late);
    });

    it('are shown beside what was typed, and replaced if that is sent again', async () => {
      await change({ ...OFFICE_HOURS, week: { ...week, mon: late, tue: 'closed' } });
      await admin.submit('hours', { mon_open: '07:00' });
      expect(admin.form('hours').values).toMatchObject({ mon_open: '07:00', mon_close: '23:00' });
      expect(admin.html).toMatch(/<option value="closed" selected[^>]*>Closed/);
      await admin.submit('hours');
      expect((await hours()).week).toEqual({
        ...week,
        mon: { open: '07:00', close: '23:00' },
        tue: 'closed',
      });
    });

    it('are not overwritten after a typing error was corrected', async () => {
      await change({ ...OFFICE_HOURS, week: { ...week, mon: late } });
      await admin.submit('hours', { mon_open: '07:00', days: 'Christmas' });
      expect(admin.shown.status).toBe(422);
      await admin.submit('hours', { days: '' });
      expect(admin.shown.status).toBe(409);
      expect((await hours()).week.mon).toEqual(late);
    });

    it('are not overwritten by a day that the other one added, too', async () => {
      const exceptions = [{ date: '2026-12-25', name: 'Short day', hours: late }];
      await change({ ...OFFICE_HOURS, exceptions });
      await addDays({ days: '2026-12-25, closed' });
      expect(admin.text).toContain(
        'Fri, Dec 25, 2026: hours of the week → 6 AM – 11 PM (Short day). Send your change again',
      );
      expect((await hours()).exceptions).toEqual(exceptions);
    });

    it('keep the days that were added by both', async () => {
      await change({ ...OFFICE_HOURS, exceptions: [{ date: '2026-12-24', hours: 'closed' }] });
      await addDays({ days: '2026-12-25, closed' });
      expect((await hours()).exceptions).toHaveLength(2);
    });

    it('are refused if the form names hours that never were', async () => {
      await admin.submit('hours', { hours_from: '777', mon_open: '07:00' });
      expect(admin.shown.status).toBe(409);
      expect(await hours()).toEqual(OFFICE_HOURS);
    });
  });

  it('keep the changes of two operators who save different days at the same moment', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    await admin.visit(page());
    const { values } = admin.form('hours');
    const other = await Visitor.of(service, 'manager');
    const closing = ['mon', 'tue', 'wed', 'thu'];
    await Promise.all(
      closing.map((day, index) =>
        (index % 2 === 0 ? admin : other).post(page(), { ...values, [`${day}_kind`]: 'closed' }),
      ),
    );
    const { week } = await hours();
    expect(closing.map((day) => week[day])).toEqual(closing.map(() => 'closed'));
  });

  it('show the tenants who came outside of them, and are saved once that is confirmed', async () => {
    await tapAtNight();
    await admin.visit(page());
    await admin.submit('hours', officeForm());
    expect(admin.text).toContain('tenants who came outside of these hours');
    expect(await hours()).toBeNull();
    expect(admin.links).toContain(page());
    await admin.submit('hours');
    expect(await hours()).toEqual(OFFICE_HOURS);
  });

  it('are saved at once where tenants came outside of the hours in force alone', async () => {
    await tapAtNight();
    const closedAtNight = { ...OFFICE_HOURS.week, thu: { open: '06:00', close: '20:00' } };
    const access_hours = { ...OFFICE_HOURS, week: closedAtNight };
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
    await admin.visit(page());
    await admin.submit('hours', { mon_open: '07:00' });
    expect((await hours()).week.mon).toEqual({ open: '07:00', close: '22:00' });
  });

  it('are shown once more if they are edited after the preview', async () => {
    await tapAtNight();
    await admin.visit(page());
    await admin.submit('hours', officeForm());
    await admin.submit('hours', { mon_open: '07:00' });
    expect(admin.text).toContain('Not saved yet. In the last 14 days 1 tenant opened a gate');
    expect(await hours()).toBeNull();
    await admin.submit('hours');
    expect((await hours()).week.mon).toEqual({ open: '07:00', close: '22:00' });
  });

  it('take days of their own, pasted or typed, and let them be removed', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    await admin.visit(page());
    await addDays({ days: '2026-01-05, closed, Paving\n2026-01-06\t6:00-14:00' });
    expect((await hours()).exceptions).toEqual([
      { date: '2026-01-05', name: 'Paving', hours: 'closed' },
      { date: '2026-01-06', hours: { open: '06:00', close: '14:00' } },
    ]);
    await admin.visit(page());
    expect(admin.text).toContain('Paving');
    await pressRemove('2026-01-05');
    expect(admin.text).toContain('Saved. Mon, Jan 5, 2026 was removed.');
    expect((await hours()).exceptions).toHaveLength(1);
  });

  it('take one day in fields of its own, and nothing else that is typed', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    await admin.visit(page());
    const day = { day_date: '2026-12-24', day_name: 'Christmas Eve', day_kind: 'hours' };
    await press('day', { ...day, day_open: '06:00', day_close: '14:00' });
    expect(admin.text).toContain('Saved. 1 day added: Thu, Dec 24, 2026 (6 AM – 2 PM).');
    await press('day', { day_date: '2026-12-25', day_name: '', day_kind: 'closed', mon_open: '07:00' });
    expect(admin.text).toContain(
      '1 day added: Fri, Dec 25, 2026 (Closed). Your other changes are not saved yet.',
    );
    expect(await hours()).toEqual({
      ...OFFICE_HOURS,
      exceptions: [
        { date: '2026-12-24', name: 'Christmas Eve', hours: { open: '06:00', close: '14:00' } },
        { date: '2026-12-25', hours: 'closed' },
      ],
    });
  });

  it('take a day that is typed when the week is saved', async () => {
    await admin.visit(page());
    await admin.submit('hours', { ...officeForm(), day_date: '2026-12-25', day_kind: 'closed' });
    expect(await hours()).toEqual({
      ...OFFICE_HOURS,
      exceptions: [{ date: '2026-12-25', hours: 'closed' }],
    });
  });

  it.each([
    ['no date', { day_date: '' }, 'Enter the date of the day.', 'day_date'],
    ['a date that is none', { day_date: '2026-02-30' }, 'Enter the date of the day.', 'day_date'],
    ['a time that is none', { day_kind: 'hours', day_open: '' }, 'Enter both times of the day', 'day_open'],
    ['a name that is too long', { day_name: 'x'.repeat(256) }, 'The name of the day', 'day_name'],
    [
      'typed times and “Closed”',
      { day_close: '14:00' },
      'The day: you typed times, but “Closed”',
      'day_kind',
    ],
  ])('refuse one day with %s at its field', async (_name, typed, fault, field) => {
    await admin.visit(page());
    await press('day', { day_date: '2026-12-24', day_kind: 'closed', day_open: '', ...typed });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain(fault);
    expect(admin.html).toMatch(new RegExp(`<(?:input|select)[^>]*name="${field}"[^>]*aria-invalid="true"`));
    expect(await hours()).toBeNull();
  });

  describe('that were removed', () => {
    const christmas = { date: '2026-12-25', name: 'Christmas Day', hours: 'closed' };
    const putBack = async (typed: Record<string, string> = {}) => {
      const restored = /name="restored" value="([^"]*)"/.exec(admin.html)?.[1];
      await press('days/restore', { restored: restored!, ...typed });
    };
    beforeEach(async () => {
      const access_hours = { ...OFFICE_HOURS, exceptions: [christmas] };
      demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
      await admin.visit(page());
    });

    it('are put back as they were', async () => {
      await pressRemove('2026-12-25');
      expect(admin.text).toContain('Put Fri, Dec 25, 2026 back (Closed, Christmas Day)');
      await putBack();
      expect(admin.text).toContain('Saved. Fri, Dec 25, 2026 is back.');
      expect((await hours()).exceptions).toEqual([christmas]);
      expect(admin.html).not.toContain('name="restored"');
    });

    it('are put back without the loss of what else was typed', async () => {
      await pressRemove('2026-12-25', { mon_open: '07:00' });
      await putBack();
      expect(admin.form('hours').values).toMatchObject({ mon_open: '07:00' });
      expect((await hours()).exceptions).toEqual([christmas]);
    });

    it('are not put back over hours that the day was given since', async () => {
      await pressRemove('2026-12-25');
      const given = { date: '2026-12-25', hours: 'always' };
      demand(
        200,
        await operator('patch', `/locations/${location_id}`, {
          access_hours: { ...OFFICE_HOURS, exceptions: [given] },
        }),
      );
      await putBack();
      expect(admin.shown.status).toBe(409);
      expect((await hours()).exceptions).toEqual([given]);
    });

    it.each(['', '2026-12-25 none', '2026-12-25 999', '2026-12-26 1', 'x 1'])(
      'are not made up of %j',
      async (restored) => {
        await press('days/restore', { restored });
        expect(admin.shown.status).toBe(409);
        expect((await hours()).exceptions).toEqual([christmas]);
      },
    );
  });

  it('refuse a line that cannot be read, and change nothing', async () => {
    await admin.visit(page());
    await addDays({ days: 'Christmas' });
    expect(admin.text).toContain('Line 1: “Christmas” is no date.');
    expect(admin.html).toMatch(/<textarea[^>]*aria-invalid="true"/);
    expect(await hours()).toBeNull();
  });
});

describe('a change of the week that is not saved', () => {
  beforeEach(async () => {
    const days = [{ date: '2026-12-24', hours: 'closed' }];
    const access_hours = { ...OFFICE_HOURS, exceptions: days };
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
    await admin.visit(page());
  });

  it('stays in the form when days are added', async () => {
    await addDays({ mon_open: '07:00', days: '2026-12-25, closed' });
    expect(admin.text).toContain(
      '1 day added: Fri, Dec 25, 2026 (Closed). Your other changes are not saved yet.',
    );
    expect(admin.form('hours').values).toMatchObject({ mon_open: '07:00', 'initial.mon_open': '06:00' });
    expect((await hours()).week).toEqual(OFFICE_HOURS.week);
  });

  it('stays in the form when a day is removed', async () => {
    await pressRemove('2026-12-24', { mon_open: '07:00' });
    expect(admin.text).toContain('Thu, Dec 24, 2026 was removed. Your other changes are not saved yet.');
    expect(admin.form('hours').values).toMatchObject({ mon_open: '07:00' });
  });

  it('stays in the form when a line of days is refused', async () => {
    await addDays({ mon_open: '07:00', days: 'Christmas' });
    expect(admin.form('hours').values).toMatchObject({ mon_open: '07:00' });
  });

  it('is saved together with the days that are typed below', async () => {
    await admin.submit('hours', { mon_open: '07:00', days: '2026-12-25, closed' });
    expect(admin.text).toContain(
      'The hours are saved. Keys given out before go on until they end. Monday: 6 AM – 10 PM → 7 AM – 10 PM; Fri, Dec 25, 2026: hours of the week → Closed.',
    );
    const { week, exceptions } = await hours();
    expect(week.mon).toEqual({ open: '07:00', close: '22:00' });
    expect(exceptions).toHaveLength(2);
  });
});

describe('days of their own', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_day, index) => {
      const date = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
      return `${date}, closed`;
    }).join('\n');

  it.each([
    ['a date that is none', '2026-02-30, closed', 'Line 1'],
    ['a time that is none', '2026-12-24, 6:00-25:00', 'Line 1: “25:00” is no time.'],
    ['hours that are none', '2026-12-24, half', 'Line 1: “half” is no hours.'],
    ['a name that is too long', `2026-12-24, closed, ${'x'.repeat(256)}`, 'The name of 2026-12-24'],
    ['one date twice', '2026-12-24, closed\n2026-12-24, always', '2026-12-24 is there twice.'],
    ['367 days', lines(367), 'The list may have at most 366 days.'],
  ])('refuse %s, keep what was typed, and change nothing', async (_name, days, fault) => {
    await admin.visit(page());
    await addDays({ days });
    expect(admin.shown.status).toBe(422);
    expect(admin.text).toContain(fault);
    expect(typedDays()).toBe(days);
    expect(await hours()).toBeNull();
  });

  it('may be 366', async () => {
    await admin.visit(page());
    await addDays({ days: lines(366) });
    expect((await hours()).exceptions).toHaveLength(366);
  });
});

describe('the list of gates', () => {
  async function showList(): Promise<void> {
    await admin.visit(`/dashboard/locations/${location_id}/equipment?of=gates`);
  }
  async function addGates(): Promise<string> {
    const { zone_id } = demand(
      201,
      await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' }),
    );
    return addGate(zone_id);
  }

  it('says that a gate is always open', async () => {
    await addGates();
    await showList();
    expect(admin.text).toContain('Always open');
  });

  it('says when a gate that is closed opens again', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    const gate_id = await addGates();
    await showList();
    expect(admin.text).toContain('Closed, opens tomorrow 6 AM');
    expect(admin.links).toContain(`/dashboard/entry-points/${gate_id}/hours`);
  });

  it('says that a gate that has closed opens for those inside', async () => {
    const closed = { open: '06:00', close: '22:55' };
    const access_hours = { ...OFFICE_HOURS, week: { ...OFFICE_HOURS.week, thu: closed } };
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
    await addGates();
    await showList();
    expect(admin.text).toContain('Closed, lets out until 11:05 PM');
  });

  it('says that a gate is out of service, whatever its hours', async () => {
    const gate_id = await addGates();
    demand(200, await operator('patch', `/entry-points/${gate_id}`, { in_service: false }));
    await showList();
    expect(admin.text).not.toContain('Always open');
  });
});

it('the page of a location says when its gates open', async () => {
  demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
  const zone = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' }));
  await addGate(zone.zone_id);
  await admin.visit(`/dashboard/locations/${location_id}`);
  expect(admin.text).toContain('North gate : Closed, opens Jan 2, 2026, 6:00 AM');
});

describe('the hours of a gate', () => {
  it('say whether it is open now, and may be always', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    const gate_id = await addGate(
      demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' })).zone_id,
    );
    await admin.visit(`/dashboard/entry-points/${gate_id}/hours`);
    expect(admin.text).toContain('Closed, opens');
    await admin.submit('gate-hours', { hours: 'always' });
    await admin.visit(`/dashboard/entry-points/${gate_id}/hours`);
    expect(admin.text).toContain('Always open to those who may pass');
  });
});

describe('the week of the site on the page of a gate', () => {
  let gate_hours: string;

  beforeEach(async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
    gate_hours = `/dashboard/entry-points/${await addGate(await addZone('Yard'))}/hours`;
    await admin.visit(gate_hours);
  });

  it('is saved there, and leads back to the gate', async () => {
    await admin.submit('hours', { mon_close: '20:00' });
    expect(admin.shown.path.split('?')[0]).toBe(gate_hours);
    expect(admin.text).toContain('The hours are saved.');
    const week = { ...OFFICE_HOURS.week, mon: { open: '06:00', close: '20:00' } };
    expect(await hours()).toEqual({ ...OFFICE_HOURS, week });
  });

  it('has a bar for each day', () => {
    expect(admin.html.match(/class="hours-days day-bar"/g)).toHaveLength(7);
  });

  it('is not there for a gate that is open always', async () => {
    await admin.submit('gate-hours', { hours: 'always' });
    expect(admin.forms).not.toContain('hours');
  });

  it('leads to the site where the form names no gate', async () => {
    await admin.post(page(), { ...admin.form('hours').values, for_gate: '../companies' });
    expect(admin.shown.path.split('?')[0]).toBe(page());
  });
});

it('the form of a gate’s hours keeps another operator’s choice if it is sent as it was drawn', async () => {
  const zone = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' }));
  const gate_id = await addGate(zone.zone_id);
  await admin.visit(`/dashboard/entry-points/${gate_id}/hours`);
  demand(200, await operator('patch', `/entry-points/${gate_id}`, { hours: 'always' }));
  await admin.submit('gate-hours');
  expect(demand(200, await operator('get', `/locations/${location_id}/entry-points`))).toMatchObject({
    entry_points: [{ hours: 'always' }],
  });
});

it('the week and the minutes to leave are read by those who may not change them', async () => {
  const week = { ...OFFICE_HOURS.week, fri: { open: '18:00', close: '02:00' }, sun: 'closed' };
  const access_hours = { ...OFFICE_HOURS, week };
  demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(page());
  expect(auditor.text).toContain(
    'Friday 6 PM – 2 AM of the next day Saturday Until 2 AM, then 6 AM – 10 PM Sunday Closed',
  );
  expect(auditor.text).toContain(
    'After closing a gate still opens for 10 minutes, for those who are inside.',
  );
});

it('the hours of a gate show the week that it shares, and no week while it is always open', async () => {
  const gate_id = await addGate(await addZone('Row'));
  demand(200, await operator('patch', `/locations/${location_id}`, { access_hours: OFFICE_HOURS }));
  await admin.visit(`/dashboard/entry-points/${gate_id}/hours`);
  expect(admin.form('hours').values).toMatchObject({ mon_open: '06:00', mon_close: '22:00' });
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(`/dashboard/entry-points/${gate_id}/hours`);
  expect(auditor.text).toContain('Monday 6 AM – 10 PM');
  await admin.submit('gate-hours', { hours: 'always' });
  expect(admin.text).not.toContain('Monday 6 AM');
  expect(admin.text).toContain('Today Always');
});

it('the time zone of the hours is shown by its city, with its name in a tooltip', async () => {
  demand(200, await operator('patch', `/locations/${location_id}`, { timezone: 'America/Chicago' }));
  await admin.visit(page());
  expect(admin.html).toContain('<span title="America/Chicago">Chicago, Central Time</span>');
});

describe('the changes of hours', () => {
  const { week } = OFFICE_HOURS;
  const set = async (access_hours: object) =>
    demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
  const before = 'Monday to Sunday: Always → 6 AM – 10 PM';
  const after = [
    'Saturday to Sunday: 6 AM – 10 PM → Closed',
    'Fri, Dec 25, 2026: hours of the week → Closed (Christmas Day)',
    'Time to leave: 10 minutes → 15 minutes',
  ].join('; ');
  let gate_id: string;

  beforeEach(async () => {
    await set(OFFICE_HOURS);
    await set({
      week: { ...week, sat: 'closed', sun: 'closed' },
      exceptions: [{ date: '2026-12-25', name: 'Christmas Day', hours: 'closed' }],
      exit_grace_minutes: 15,
    });
    const zone = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'Yard' }));
    gate_id = await addGate(zone.zone_id);
    demand(200, await operator('patch', `/entry-points/${gate_id}`, { hours: 'always' }));
    demand(200, await operator('patch', `/entry-points/${gate_id}`, { hours: 'location' }));
  });

  it('are told with what was before, in the changes of the company and their file', async () => {
    const { company_id } = demand(200, await operator('get', `/locations/${location_id}`));
    const path = `/dashboard/companies/${company_id}/changes`;
    await admin.visit(path);
    for (const text of [before, after, 'Hours of the site → Always', 'Always → Hours of the site'])
      expect(admin.text).toContain(text);
    await admin.visit(`${path}.csv?type=LocationHoursChanged`);
    expect(admin.html).toContain(after);
  });

  it('are listed on the page of the hours, with who made them', async () => {
    await admin.visit(page());
    const text = admin.text.slice(admin.text.indexOf('Changes of the hours'));
    expect(text).toMatch(
      new RegExp(`North gate Always → Hours.*North gate Hours.*The site ${escaped(after)}.*${before}`),
    );
    expect(text).toContain(' ada@example.com');
    expect(text).not.toContain('operator ada@example.com');
    expect(admin.links).toContain(`/dashboard/entry-points/${gate_id}`);
  });

  it('tell of a day whose hours were taken away', async () => {
    await set(OFFICE_HOURS);
    await admin.visit(page());
    expect(admin.text).toContain('Fri, Dec 25, 2026: Closed (Christmas Day) → hours of the week');
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[()]/g, '\\$&');
}
