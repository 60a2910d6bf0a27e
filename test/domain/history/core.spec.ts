import { presentData } from '#domain/history/core/feed.js';
import { policySetters } from '#domain/history/core/policy-setters.js';
import { isDetailsEvent, type DetailsEvent, type Logged } from '#domain/history/core/unit-record.js';
import { stepsOf } from '#domain/history/core/steps.js';
import { byPoint, earlier, EVER, later, relevantTenants, type Window } from '#domain/history/core/window.js';
import { World } from '#domain/history/core/world.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { LOCATION_EVENT_TYPES } from '#domain/locations/core/location.events.js';
import { finished } from '../../support/finished.js';
import { at, facts, movedIn, movedOut, POLICY, RecordedLog, registered } from './support/recorded.js';

const T1 = at('2025-06-02T15:00:00.000Z');
const HOUR = 3_600_000;

describe('the data of an event as the feed shows it', () => {
  const shown = (data: Parameters<typeof presentData>[0]) => presentData(data, (instant) => `at ${instant}`);

  it('has amounts as decimal numbers and instants as timestamps', () => {
    expect(shown({ balance_due: 1234, balance_threshold: -5, expires_at: 1, at: 2 })).toEqual({
      balance_due: 12.34,
      balance_threshold: -0.05,
      expires_at: 'at 1',
      at: 'at 2',
    });
    expect(shown({ occurred_at: 3, recorded_at: 4 })).toEqual({ occurred_at: 'at 3', recorded_at: 'at 4' });
  });

  it('leaves everything else as it is, what is not there too', () => {
    const data = {
      name: 'Main',
      grace_period_days: 500,
      zone_ids: ['a'],
      expires_at: null,
      balance_due: null,
    };
    expect(shown(data)).toEqual(data);
    expect(shown({ balance_due: 'much', expires_at: 'soon' })).toEqual({
      balance_due: 'much',
      expires_at: 'soon',
    });
  });

  it('is shown so at every depth', () => {
    expect(shown({ policy: { balance_threshold: 100, of: { at: 1 } } })).toEqual({
      policy: { balance_threshold: 1, of: { at: 'at 1' } },
    });
  });

  it('keeps what is nobody’s but the service’s own', () => {
    expect(shown({ client_log_hash: 'h', company_id: 'c', unit_id: 'u' })).toEqual({ unit_id: 'u' });
  });
});

describe('who set each field of a policy', () => {
  const recorded = (log: RecordedLog) => log.recordOf('a').location;

  it('is who opened the location, as long as nobody has changed it', () => {
    const location = recorded(new RecordedLog());
    const setters = policySetters(location);
    expect([...setters.keys()].sort()).toEqual(
      [
        'grace_period_days',
        'balance_threshold',
        'blanket_delinquency',
        'delinquency_mode',
        'timezone',
      ].sort(),
    );
    expect(new Set(setters.values())).toEqual(new Set([location[0]]));
  });

  it('is the last change to another value, whatever was said again or renamed since', () => {
    const log = new RecordedLog()
      .changePolicy(T1, { grace_period_days: 9 })
      .write('location', T1, { type: 'LocationRenamed', data: { name: 'Main' } })
      .changePolicy(T1, { grace_period_days: 9, balance_threshold: 1 });
    const setters = policySetters(recorded(log));
    expect(setters.get('grace_period_days')?.revision).toBe(1);
    expect(setters.get('balance_threshold')?.revision).toBe(3);
    expect(setters.get('timezone')?.revision).toBe(0);
  });
});

describe('a place in time and in the log', () => {
  const place = (instant: number, position: bigint) => ({ instant, position });
  const [first, second, third] = [place(1, 9n), place(2, 1n), place(2, 2n)];

  it('is before another by its instant, and at one instant by its position', () => {
    const orders = [first, second, third].map((one) =>
      [first, second, third].map((other) => byPoint(one, other)),
    );
    expect(orders).toEqual([
      [0, -1, -1],
      [1, 0, -1],
      [1, 1, 0],
    ]);
  });

  it('is the earlier or the later of two', () => {
    expect([earlier(second, third), earlier(third, second)]).toEqual([second, second]);
    expect([later(second, third), later(third, second)]).toEqual([third, third]);
  });
});

describe('what happens around a unit', () => {
  it('can change access where it is to the unit, a debt of its tenant’s other units, or the policy', () => {
    const log = new RecordedLog()
      .write('b', T1, registered('b'))
      .write('a', T1 + 1, registered('a'))
      .write('b', T1 + 2, facts({ balance_due: 1, paid_through_date: '2025-06-01' }))
      .write('a', T1 + 3, movedIn('ada'))
      .write('b', T1 + 4, facts({ balance_due: 2 }))
      .write('b', T1 + 5, movedIn('bob'))
      .write(
        'b',
        T1 + 6,
        movedOut('bob'),
        movedIn('ada'),
        facts({ balance_due: 1, paid_through_date: '2025-06-01' }),
      )
      .write('b', T1 + 7, facts({ balance_due: 3 }))
      .write('b', T1 + 8, movedOut('ada'))
      .write('b', T1 + 9, facts({ balance_due: 4 }))
      .write('c', T1 + 10, registered('c'), movedIn('ada'))
      .write('c', T1 + 11, facts({ balance_due: 0, paid_through_date: '2025-06-01' }))
      .write('c', T1 + 12, facts({ balance_due: 5 }))
      .write('c', T1 + 13, facts({ balance_due: 0 }))
      .write('c', T1 + 14, facts({ pms_lockout: true }))
      .changePolicy(T1 + 15, {});
    const record = log.recordOf('a');
    const world = new World(record);
    const told = finished(stepsOf(record, EVER.after)).map((step) => [step.kind, world.take(step)]);
    expect(told).toEqual([
      ['location', false],
      ['sibling', false],
      ['own', true],
      ['sibling', false],
      ['own', true],
      ['sibling', false],
      ['sibling', false],
      ['sibling', true],
      ['sibling', true],
      ['sibling', true],
      ['sibling', false],
      ['sibling', false],
      ['sibling', false],
      ['sibling', true],
      ['sibling', true],
      ['sibling', false],
      ['location', true],
    ]);
  });
});

describe('a log that holds a unit but not its location', () => {
  it('is told of as such', () => {
    const world = new World({ own: [], siblings: [], location: [] });
    expect(() => world.location).toThrow('holds a unit but not its location');
  });
});

describe('what changes a location as its units know it', () => {
  it('is that it opens, its name, policy and currency, and none of its doors', () => {
    const types = Object.keys(LOCATION_EVENT_TYPES) as LocationEvent['type'][];
    expect(types.filter((type) => isDetailsEvent({ type } as Logged<DetailsEvent>))).toEqual([
      'LocationOpened',
      'LocationRenamed',
      'LocationPolicyChanged',
      'LocationCurrencyChanged',
    ]);
  });
});

describe('the tenants whose other units can bear on a unit', () => {
  const place = (instant: number) => ({ instant, position: 0n });
  const between = (after: number, before: number): Window => ({ after: place(after), before: place(before) });
  const OFF = { blanket_delinquency: false };
  const UNTIED = { ...POLICY, ...OFF };
  /** Ada until T1 + 2 h, Bob from T1 + 4 h on. */
  const rented = (log: RecordedLog) =>
    log
      .write('a', T1, registered('a'), movedIn('ada'))
      .write('a', T1 + HOUR, facts({ balance_due: 1 }))
      .write('a', T1 + 2 * HOUR, movedOut('ada'))
      .write('a', T1 + 4 * HOUR, movedIn('bob'));
  const tenants = (log: RecordedLog, window: Window) => relevantTenants(log.recordOf('a'), window);

  it('are those who rent it within the window, and who does when it begins', () => {
    const log = rented(new RecordedLog());
    expect(tenants(log, between(T1 - HOUR, T1 + 5 * HOUR))).toEqual(['ada', 'bob']);
    expect(tenants(log, between(T1 + HOUR, T1 + 5 * HOUR))).toEqual(['ada', 'bob']);
    expect(tenants(log, between(T1 + 3 * HOUR, T1 + 5 * HOUR))).toEqual(['bob']);
    expect(tenants(log, between(T1 + HOUR, T1 + 2 * HOUR))).toEqual(['ada']);
    expect(tenants(log, between(T1 + 2.5 * HOUR, T1 + 3 * HOUR))).toEqual([]);
  });

  it('are named once each, however often they come', () => {
    const log = rented(new RecordedLog()).write('a', T1 + 6 * HOUR, movedOut('bob'), movedIn('ada'));
    expect(tenants(log, between(T1 - HOUR, T1 + 7 * HOUR))).toEqual(['ada', 'bob']);
  });

  it('are none where units never were anything to each other within it', () => {
    const none = (policy: Parameters<RecordedLog['changePolicy']>[1]) =>
      tenants(rented(new RecordedLog().changePolicy(T1 - HOUR, policy)), between(T1, T1 + 5 * HOUR));
    expect(none(OFF)).toEqual([]);
    expect(none({ delinquency_mode: 'pms_flag_only' })).toEqual([]);
    expect(none({ grace_period_days: 9 })).toEqual(['ada', 'bob']);
  });

  it('count where units were tied for a part of it, before a change or after', () => {
    const window = between(T1 + HOUR, T1 + 5 * HOUR);
    const untied = rented(new RecordedLog()).changePolicy(T1 + 2 * HOUR, OFF);
    expect(tenants(untied, window)).toEqual(['ada', 'bob']);
    const tied = rented(new RecordedLog().changePolicy(T1 - HOUR, OFF)).changePolicy(T1 + 2 * HOUR, {});
    expect(tenants(tied, window)).toEqual(['ada', 'bob']);
  });

  it('are none where units were tied only before there was the unit, or after the window', () => {
    const tiedBefore = rented(new RecordedLog().changePolicy(T1 - HOUR, OFF));
    expect(tenants(tiedBefore, between(T1 - 2 * HOUR, T1 + 5 * HOUR))).toEqual([]);
    const tiedAfter = rented(new RecordedLog().changePolicy(T1 - HOUR, OFF)).changePolicy(T1 + 6 * HOUR, {});
    expect(tenants(tiedAfter, between(T1, T1 + 5 * HOUR))).toEqual([]);
  });

  it('are not those who move in at the very end of it, and no new name of the location makes any', () => {
    const log = rented(new RecordedLog().changePolicy(T1 - HOUR, OFF));
    log.write('location', T1 + HOUR, { type: 'LocationRenamed', data: { name: 'Main' } });
    expect(tenants(log, between(T1 - HOUR, T1 + 5 * HOUR))).toEqual([]);
    const { own, location } = rented(new RecordedLog()).recordOf('a');
    const window = { after: place(T1 + HOUR), before: own.at(-1)! };
    expect(relevantTenants({ own, location }, window)).toEqual(['ada']);
  });

  it('heed the first policy where the unit was registered "before" its location', () => {
    const untied = rented(new RecordedLog(UNTIED).changePolicy(T1, {})).recordOf('a');
    const opened = untied.location.map((event) => ({ ...event, instant: T1 + 10 * HOUR }));
    expect(relevantTenants({ ...untied, location: opened }, between(T1, T1 + 5 * HOUR))).toEqual([]);
    const record = rented(new RecordedLog()).recordOf('a');
    const location = record.location.map((event) => ({ ...event, instant: T1 + 10 * HOUR }));
    expect(relevantTenants({ ...record, location }, between(T1, T1 + 5 * HOUR))).toEqual(['ada', 'bob']);
  });
});
