import {
  accessReportedBy,
  decideActivity,
  entryPointStream,
  evolveActivity,
  LONGEST_REPORT_DELAY_MS,
  type LockActivityReported,
  streamOf,
} from '#domain/locks/core/activity.events.js';
import { keyExpiry } from '#domain/locks/core/key-expiry.js';

const data = {
  lock_id: 'door',
  unit_id: 'u',
  event: 'unlock',
  result: 'success',
  battery_percent: null,
  occurred_at: 5,
  recorded_at: 9,
};
const report = (more: object = {}) =>
  ({ type: 'LockActivityReported', data: { ...data, ...more } }) as unknown as LockActivityReported;

describe('a report of a lock', () => {
  it('is stored unless it is in the log', () => {
    const event = report();
    expect(decideActivity({ reported: 3 }, { type: 'RecordActivity', event, isLogged: false })).toMatchObject(
      { events: [event] },
    );
    expect(decideActivity({ reported: 3 }, { type: 'RecordActivity', event, isLogged: true })).toMatchObject({
      events: [],
    });
  });

  it('may come thirty days late', () => {
    expect(LONGEST_REPORT_DELAY_MS).toBe(2_592_000_000);
  });

  it('counts', () => {
    expect(evolveActivity(undefined, report())).toEqual({ reported: 1 });
    expect(evolveActivity({ reported: 1 }, report())).toEqual({ reported: 2 });
  });

  it('tells the charge of the battery, the one of the latest instant last', () => {
    const charged = (battery_percent: number | null, occurred_at: number) =>
      report({ company_id: 'c', location_id: 'l', battery_percent, occurred_at });
    const reports = [charged(30, 4), charged(9, 6), charged(50, 5), charged(null, 7)];
    const state = reports.reduce(evolveActivity, undefined);
    const battery = { company_id: 'c', location_id: 'l', lock_id: 'door', percent: 9, at: 6 };
    expect(state).toEqual({ reported: 4, battery });
  });

  it('tells the newest failure, and no correct refusal', () => {
    const failed = (failure_code: string, occurred_at: number) =>
      report({ company_id: 'c', location_id: 'l', result: 'failure', failure_code, occurred_at });
    const reports = [failed('motor_jam', 4), failed('timeout', 3), failed('no_valid_key', 6), report()];
    const place = { company_id: 'c', location_id: 'l', lock_id: 'door' };
    expect(reports.reduce(evolveActivity, undefined)).toEqual({
      reported: 4,
      failure: { ...place, event: 'unlock', failure_code: 'motor_jam', at: 4, recorded_at: 9 },
    });
  });

  it('belongs to its lock, that of an entry point to the entry point', () => {
    const entered = { type: 'EntryPointActivityReported', data: { entry_point_id: 'gate' } } as never;
    expect([streamOf(report()), streamOf(entered)]).toEqual(['lock-door', 'entry-point-gate']);
    expect(entryPointStream('x')).toBe('entry-point-x');
  });

  it.each([
    ['an unlock that succeeded, at its time', {}, { unit_id: 'u', at: 5 }],
    ['one of a clock that runs ahead, when it was recorded', { occurred_at: 12 }, { unit_id: 'u', at: 9 }],
    ['no lock', { event: 'lock' }, undefined],
    ['no refusal', { result: 'denied' }, undefined],
    ['no unit', { unit_id: null }, undefined],
  ])('tells of access: %s', (_, more, told) => {
    expect(accessReportedBy(report(more))).toEqual(told);
  });
});

describe('a key', () => {
  const HOUR = 3_600_000;
  const calendar = {
    dateAt: (instant: number, zone: string) => `${zone} day ${Math.floor(instant / (24 * HOUR))}`,
    startOf: (date: string) => Number(date.split(' ').at(-1)) * 24 * HOUR,
    addDays: (date: string, days: number) => date.replace(/\d+$/, (day) => String(Number(day) + days)),
  };
  const expiry = (valid_until: number | null) =>
    keyExpiry({ valid_until, now: 30 * HOUR, timezone: 'Zone' }, calendar);

  it('ends two hours after the next midnight, or with its decision where that is earlier', () => {
    expect([expiry(null), expiry(40 * HOUR), expiry(90 * HOUR)]).toEqual([50 * HOUR, 40 * HOUR, 50 * HOUR]);
  });
});
