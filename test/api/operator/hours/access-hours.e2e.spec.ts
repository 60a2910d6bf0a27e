import { type Company, demand, Service } from '../../../support/service.js';
import { everyDay, OFFICE_HOURS } from '../../../domain/locations/hours/support/office-hours.js';

let service: Service;
let company: Company;
let location_id: string;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const setHours = (access_hours: unknown, query = '') =>
  operator('patch', `/locations/${location_id}${query}`, { access_hours });
const hours = async () => demand(200, await operator('get', `/locations/${location_id}`)).access_hours;
const { week } = OFFICE_HOURS;

describe('the hours of a location', () => {
  it('are null until they are set, then as they were set, and null again', async () => {
    expect(await hours()).toBeNull();
    const exceptions = [
      { date: '2026-12-25', name: 'Christmas Day', hours: 'closed' },
      { date: '2026-12-24', hours: { open: '06:00', close: '14:00' } },
    ];
    demand(200, await setHours({ week, exceptions, exit_grace_minutes: 0 }));
    expect(await hours()).toEqual({ week, exceptions: exceptions.toReversed(), exit_grace_minutes: 0 });
    demand(200, await setHours(null));
    expect(await hours()).toBeNull();
  });

  it('have no exceptions and 10 minutes to leave if only a week is given', async () => {
    demand(200, await setHours({ week }));
    expect(await hours()).toEqual(OFFICE_HOURS);
  });

  it('are one event, and a repeat is none', async () => {
    demand(200, await setHours({ week }));
    demand(200, await setHours({ week }));
    const types = (await service.events(`location-${location_id}`)).map(({ type }) => type);
    expect(types).toEqual(['LocationOpened', 'LocationHoursChanged']);
  });

  it('are not written by a dry run, which shows them', async () => {
    expect(demand(200, await setHours({ week }, '?dry_run=true')).access_hours).toEqual(OFFICE_HOURS);
    expect(await hours()).toBeNull();
  });

  it('stand in the feed of the company', async () => {
    demand(200, await setHours({ week }));
    const { events } = demand(200, await company.push('get', '/events?types=LocationHoursChanged'));
    expect(events).toMatchObject([{ type: 'LocationHoursChanged', data: { access_hours: OFFICE_HOURS } }]);
  });

  const sixDays = Object.fromEntries(Object.entries(week).filter(([day]) => day !== 'sun'));
  const inWeek = (mon: unknown) => ({ week: { ...week, mon } });
  const holiday = { date: '2026-12-25', hours: 'closed' };
  const manyDates = Array.from({ length: 367 }, (_day, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    hours: 'closed',
  }));
  it.each<[string, unknown, string, string]>([
    ['hours that are text', 'always', 'access_hours', 'type'],
    ['a week without a day', { week: sixDays }, 'access_hours.week.sun', 'required'],
    ['no week', {}, 'access_hours.week', 'required'],
    ['a time that is none', inWeek({ open: '24:00', close: '06:00' }), 'access_hours.week.mon', 'format'],
    ['a time without a zero', inWeek({ open: '6:00', close: '22:00' }), 'access_hours.week.mon', 'format'],
    ['hours without a closing', inWeek({ open: '06:00' }), 'access_hours.week.mon', 'format'],
    ['another word', inWeek('open'), 'access_hours.week.mon', 'unknown_value'],
    ['a number', inWeek(6), 'access_hours.week.mon', 'type'],
    [
      'a third time',
      inWeek({ open: '06:00', close: '22:00', lunch: '12:00' }),
      'access_hours.week.mon',
      'not_allowed',
    ],
    [
      'two exceptions of one date',
      { week, exceptions: [holiday, holiday] },
      'access_hours.exceptions.1.date',
      'duplicate',
    ],
    [
      'a date that is none',
      { week, exceptions: [{ ...holiday, date: '2026-02-30' }] },
      'access_hours.exceptions.0.date',
      'format',
    ],
    ['an exception that is none', { week, exceptions: ['2026-12-25'] }, 'access_hours.exceptions.0', 'type'],
    ['367 exceptions', { week, exceptions: manyDates }, 'access_hours.exceptions', 'too_long'],
    ['too much grace', { week, exit_grace_minutes: 31 }, 'access_hours.exit_grace_minutes', 'out_of_range'],
    ['half a minute', { week, exit_grace_minutes: 0.5 }, 'access_hours.exit_grace_minutes', 'type'],
    ['another field', { week, zone: 'UTC' }, 'access_hours.zone', 'not_allowed'],
  ])('refuse %s at the field, and change nothing', async (_name, given, field, code) => {
    const answer = await setHours(given);
    expect([answer.status, answer.body.details[0]]).toMatchObject([422, { field, code }]);
    expect(await hours()).toBeNull();
  });

  it('refuse a time zone that does not exist beside good hours, and change nothing', async () => {
    const body = { access_hours: { week }, timezone: 'Mars/Olympus' };
    const answer = await operator('patch', `/locations/${location_id}`, body);
    expect([answer.status, answer.body.details[0].field]).toEqual([422, 'timezone']);
    expect(await hours()).toBeNull();
  });
});

describe('an entry point', () => {
  const add = async (body: object) =>
    operator('post', `/locations/${location_id}/entry-points`, {
      name: 'North gate',
      kind: 'gate',
      zone_ids: [],
      ...body,
    });

  it('keeps the hours of its location and knows keys of format 1 by default', async () => {
    expect(demand(201, await add({}))).toMatchObject({ hours: 'location', key_format: 1 });
  });

  it('may be open always, and know keys of format 3', async () => {
    const { entry_point_id } = demand(201, await add({ hours: 'always', key_format: 3 }));
    const path = `/entry-points/${entry_point_id}`;
    expect(demand(200, await operator('patch', path, { hours: 'location' }))).toMatchObject({
      hours: 'location',
      key_format: 3,
    });
  });

  it.each([
    ['hours', 'sometimes'],
    ['key_format', 2],
  ])('refuses another %s', async (field, value) => {
    const answer = await add({ [field]: value });
    expect([answer.status, answer.body.details[0]]).toMatchObject([422, { field, code: 'unknown_value' }]);
  });
});

describe('a lock', () => {
  it('knows keys of format 1 until it is told otherwise', async () => {
    const path = `/locations/${location_id}/locks`;
    const lock = demand(201, await operator('post', path, { name: 'Latch' }));
    expect(lock.key_format).toBe(1);
    const changed = await operator('patch', `/locks/${lock.lock_id}`, { key_format: 3 });
    expect(demand(200, changed)).toMatchObject({ lock_id: lock.lock_id, key_format: 3 });
  });
});

describe('a unit round the clock', () => {
  const unitOf = async (unit_id: string) => demand(200, await operator('get', `/units/${unit_id}`));

  it('says so until it is ended', async () => {
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    expect((await unitOf(unit_id)).round_the_clock).toBe(false);
    demand(200, await operator('put', `/units/${unit_id}/round-the-clock`));
    expect((await unitOf(unit_id)).round_the_clock).toBe(true);
    demand(200, await operator('delete', `/units/${unit_id}/round-the-clock`));
    expect((await unitOf(unit_id)).round_the_clock).toBe(false);
  });

  it('is one no more after a move-out, and its history says so', async () => {
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    demand(200, await operator('put', `/units/${unit_id}/round-the-clock`));
    demand(200, await company.moveOut('A-1'));
    expect((await unitOf(unit_id)).round_the_clock).toBe(false);
    const { entries } = demand(200, await company.push('get', '/units/A-1/history'));
    expect(entries.map(({ type }: { type: string }) => type)).toContain('RoundTheClockEnded');
  });

  it('must be occupied', async () => {
    const { unit_id } = demand(201, await company.moveIn('A-1'));
    demand(200, await company.moveOut('A-1'));
    expect((await operator('put', `/units/${unit_id}/round-the-clock`)).status).toBe(422);
  });
});

it('a week may differ by day', async () => {
  const night = { ...everyDay('closed'), fri: { open: '18:00', close: '02:00' }, sat: 'always' };
  demand(200, await setHours({ week: night }));
  expect((await hours()).week).toEqual(night);
});
