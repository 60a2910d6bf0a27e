import { type TimelineEntry, timelineOf } from '#domain/history/core/timeline.js';
import { EVER, type Window } from '#domain/history/core/window.js';
import { presentEntry } from '#domain/history/history.presenter.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { finished } from '../../support/finished.js';
import { at, calendar, facts, line, movedIn, movedOut, RecordedLog, registered } from './support/recorded.js';

const T1 = at('2025-06-02T15:00:00.000Z');
const HOUR = 3_600_000;
const OWES = { balance_due: 5_000, paid_through_date: '2025-06-01' };
/** Midnight in Chicago after the last day of grace for what was paid through the 1st. */
const GRACE_ENDS = at('2025-06-07T05:00:00.000Z');

/** A log with unit `a` rented by Ada since T1. */
function rented(): RecordedLog {
  return new RecordedLog().write('a', T1, registered('a'), movedIn());
}

function lines(entries: readonly TimelineEntry[]): string[] {
  return entries.map(line);
}

function override(override: 'lockout' | 'exempt', expires_at: number | null): UnitEvent {
  return { type: 'AccessOverridden', data: { override, reason: 'on the phone', expires_at } };
}

describe('an entry of an event', () => {
  it('names what a registration says, from null, and access from null', () => {
    const [entry] = rented()
      .timeline('a', T1)
      .map((entry) => presentEntry(entry));
    expect(entry).toEqual({
      revision: 0,
      type: 'UnitRegistered',
      occurred_at: '2025-06-02T15:00:00.000Z',
      actor: { kind: 'api_token', id: 'token', name: null },
      command_id: 'command-1',
      request_id: 'request of command-1',
      changes: {
        unit_id: { from: null, to: 'a' },
        crm_unit_id: { from: null, to: 'A' },
        unit_name: { from: null, to: 'Unit a' },
        location_id: { from: null, to: 'location' },
        source_type: { from: null, to: 'push' },
      },
      access: { from: null, to: { state: 'vacant', reason: null } },
      hash: 'hash a 0',
    });
  });

  it('names the tenant and the facts of a move-in', () => {
    const [, entry] = rented()
      .timeline('a', T1)
      .map((entry) => presentEntry(entry));
    expect(entry).toMatchObject({
      changes: {
        tenant_id: { from: null, to: 'ada' },
        occupied: { from: false, to: true },
        pms_tenant_id: { from: null, to: 'pms ada' },
        move_in_date: { from: null, to: '2025-01-01' },
      },
      access: {
        from: { state: 'vacant', reason: null },
        to: { state: 'tenant_permitted', reason: 'active' },
      },
    });
    expect(Object.keys(entry!.changes)).toHaveLength(4);
  });

  it('shows amounts as decimal numbers and leaves access out where it stays', () => {
    const entry = rented()
      .write('a', T1 + HOUR, facts(OWES))
      .timeline('a', T1 + HOUR)
      .map((entry) => presentEntry(entry))
      .at(-1);
    expect(entry!.changes).toEqual({
      balance_due: { from: 0, to: 50 },
      paid_through_date: { from: null, to: '2025-06-01' },
    });
    expect(entry).not.toHaveProperty('access');
  });

  it('names all of an override, and all of what it replaces', () => {
    const log = rented()
      .write('a', T1 + HOUR, override('lockout', T1 + 3 * HOUR))
      .write('a', T1 + 2 * HOUR, override('exempt', null))
      .write('a', T1 + 2 * HOUR, { type: 'AccessOverrideCleared', data: { cause: 'requested' } });
    const [set, replaced, cleared] = log
      .timeline('a', T1 + 9 * HOUR)
      .slice(2)
      .map((entry) => presentEntry(entry));
    const until = '2025-06-02T18:00:00.000Z';
    expect(set!.changes).toEqual({
      override: { from: null, to: 'lockout' },
      reason: { from: null, to: 'on the phone' },
      expires_at: { from: null, to: until },
    });
    expect(replaced!.changes).toMatchObject({
      override: { from: 'lockout', to: 'exempt' },
      expires_at: { from: until, to: null },
    });
    expect(cleared).toMatchObject({
      changes: { override: { from: 'exempt', to: null }, reason: { from: 'on the phone', to: null } },
      access: { from: { reason: 'system_exempt' }, to: { reason: 'active' } },
    });
  });

  it('names who shares, the new name, and what a move-out reset', () => {
    const log = rented()
      .write('a', T1 + 1, { type: 'UnitShared', data: { tenant_id: 'bob', until: null } })
      .write('a', T1 + 2, { type: 'UnitRenamed', data: { unit_name: 'A-1' } })
      .write(
        'a',
        T1 + 3,
        { type: 'UnitShareEnded', data: { tenant_id: 'bob', cause: 'move_out' } },
        movedOut(),
      );
    const [shared, renamed, ended, out] = log
      .timeline('a', T1 + HOUR)
      .slice(2)
      .map((entry) => presentEntry(entry));
    expect(shared!.changes).toEqual({ shared_with: { from: [], to: ['bob'] } });
    expect(renamed!.changes).toEqual({ unit_name: { from: 'Unit a', to: 'A-1' } });
    expect(ended!.changes).toEqual({ shared_with: { from: ['bob'], to: [] } });
    expect(out).toMatchObject({
      changes: { tenant_id: { from: 'ada', to: null }, occupied: { from: true, to: false } },
      access: { to: { state: 'vacant', reason: null } },
    });
  });
});

describe('a share with an end', () => {
  const END = T1 + 3 * HOUR;
  const shared = (tenant_id: string, until: number | null): UnitEvent => ({
    type: 'UnitShared',
    data: { tenant_id, until },
  });
  const entriesOf = (log: RecordedLog, now: number) =>
    log
      .timeline('a', now)
      .slice(2)
      .map((entry) => presentEntry(entry));

  it('names its end, and another one that replaces it', () => {
    const log = rented()
      .write('a', T1 + 1, shared('bob', END))
      .write('a', T1 + 2, shared('bob', null));
    const [first, second] = entriesOf(log, T1 + HOUR);
    const until = '2025-06-02T18:00:00.000Z';
    expect(first!.changes).toEqual({
      shared_with: { from: [], to: ['bob'] },
      shared_until: { from: null, to: until },
    });
    expect(second!.changes).toEqual({ shared_until: { from: until, to: null } });
  });

  it('ends by itself at its instant, and not before', () => {
    const log = rented().write('a', T1 + 1, shared('bob', END), shared('eve', null));
    expect(entriesOf(log, END - 1)).toHaveLength(2);
    expect(entriesOf(log, END).at(-1)).toEqual({
      revision: null,
      type: 'UnitShareEnded',
      occurred_at: '2025-06-02T18:00:00.000Z',
      actor: { kind: 'system', id: 'calendar', name: null },
      command_id: null,
      request_id: null,
      changes: { shared_with: { from: ['bob', 'eve'], to: ['eve'] } },
      hash: null,
      cause: { kind: 'calendar' },
    });
  });

  it('is one entry with others that end at the same instant, and with access that ends then', () => {
    const log = rented().write('a', T1 + 1, shared('bob', END), shared('eve', END), override('lockout', END));
    expect(entriesOf(log, END).slice(3)).toMatchObject([
      {
        type: 'AccessChanged',
        changes: { shared_with: { from: ['bob', 'eve'], to: [] } },
        access: { to: { reason: 'active' } },
      },
    ]);
  });

  it('has no end of its own where somebody has ended it before', () => {
    const ended: UnitEvent = { type: 'UnitShareEnded', data: { tenant_id: 'bob', cause: 'requested' } };
    const log = rented()
      .write('a', T1 + 1, shared('bob', END))
      .write('a', T1 + 2, ended);
    expect(entriesOf(log, END + HOUR)).toHaveLength(2);
  });

  it('changes nothing more when it is cleared away', () => {
    const log = rented()
      .write('a', T1 + 1, shared('bob', END))
      .write('a', END + 1, { type: 'UnitShareEnded', data: { tenant_id: 'bob', cause: 'expired' } });
    expect(entriesOf(log, END + 1).at(-1)!.changes).toEqual({});
  });
});

describe('an entry of a unit that was made by mistake', () => {
  it('tells that it is retired, and back', () => {
    const log = new RecordedLog().write('a', T1, registered('a'));
    log.write('a', T1 + 1, { type: 'UnitRetired', data: {} });
    log.write('a', T1 + 2, { type: 'UnitRevived', data: {} });
    const changes = log
      .timeline('a', T1 + 3)
      .slice(1)
      .map((entry) => presentEntry(entry).changes);
    expect(changes).toEqual([{ retired: { from: false, to: true } }, { retired: { from: true, to: false } }]);
  });
});

describe('a change that only the calendar caused', () => {
  it('stands where grace ran out, and not before its instant', () => {
    const log = rented().write('a', T1 + HOUR, facts(OWES));
    expect(log.timeline('a', GRACE_ENDS - 1)).toHaveLength(3);
    const entries = log.timeline('a', GRACE_ENDS);
    expect(presentEntry(entries.at(-1)!)).toEqual({
      revision: null,
      type: 'AccessChanged',
      occurred_at: '2025-06-07T05:00:00.000Z',
      actor: { kind: 'system', id: 'calendar', name: null },
      command_id: null,
      request_id: null,
      changes: {},
      access: {
        from: { state: 'tenant_permitted', reason: 'active' },
        to: { state: 'tenant_denied', reason: 'delinquent' },
      },
      hash: null,
      cause: { kind: 'calendar' },
    });
  });

  it('stands where a lease began and where an override ended, between the events', () => {
    const log = new RecordedLog()
      .write('a', T1, registered('a'), movedIn('ada', '2025-06-04'))
      .write('a', T1 + 80 * HOUR, override('lockout', T1 + 81 * HOUR))
      .write('a', T1 + 82 * HOUR, { type: 'UnitRenamed', data: { unit_name: 'A-1' } });
    expect(lines(log.timeline('a', T1 + 90 * HOUR))).toEqual([
      '2025-06-02T15:00:00.000Z UnitRegistered -> vacant',
      '2025-06-02T15:00:00.000Z TenantMovedIn -> future_move_in',
      '2025-06-04T05:00:00.000Z by calendar -> active',
      '2025-06-05T23:00:00.000Z AccessOverridden -> system_lockout',
      '2025-06-06T00:00:00.000Z by calendar -> active',
      '2025-06-06T01:00:00.000Z UnitRenamed',
    ]);
  });

  it('comes before an event of the very same instant', () => {
    const log = rented()
      .write('a', T1 + HOUR, facts(OWES))
      .write('a', GRACE_ENDS, facts({ balance_due: 0 }));
    expect(lines(log.timeline('a', GRACE_ENDS)).slice(-2)).toEqual([
      '2025-06-07T05:00:00.000Z by calendar -> delinquent',
      '2025-06-07T05:00:00.000Z UnitFactsChanged -> active',
    ]);
  });

  it('is not told where only further reasons have changed', () => {
    const log = rented().write('a', T1 + HOUR, facts({ ...OWES, pms_lockout: true }));
    expect(lines(log.timeline('a', GRACE_ENDS + HOUR)).at(-1)).toBe(
      '2025-06-02T16:00:00.000Z UnitFactsChanged -> pms_lockout',
    );
  });
});

describe('a change that another unit of the tenant caused', () => {
  const other = () => rented().write('b', T1 + 1, registered('b'), movedIn());

  it('names the unit and its revision', () => {
    const log = other().write('b', T1 + HOUR, facts({ balance_due: 1, paid_through_date: '2025-03-31' }));
    const entry = presentEntry(log.timeline('a', T1 + HOUR).at(-1)!);
    expect(entry).toMatchObject({
      type: 'AccessChanged',
      revision: null,
      occurred_at: '2025-06-02T16:00:00.000Z',
      actor: { kind: 'system', id: 'unit' },
      cause: { kind: 'unit', unit_id: 'b', crm_unit_id: 'B', revision: 2 },
      access: { to: { state: 'tenant_denied', reason: 'blanket_delinquency' } },
    });
  });

  it('comes from the calendar where the other unit ran out of grace', () => {
    const log = other().write('b', T1 + HOUR, facts(OWES));
    expect(lines(log.timeline('a', GRACE_ENDS)).at(-1)).toBe(
      '2025-06-07T05:00:00.000Z by calendar -> blanket_delinquency',
    );
    expect(log.timeline('a', GRACE_ENDS).at(-1)).toMatchObject({
      cause: { kind: 'calendar', unit_id: 'b', crm_unit_id: 'B' },
    });
  });

  it("comes from the calendar where an operator's exemption of the other unit ended, which owes", () => {
    const log = other()
      .write('b', T1 + 2, override('exempt', T1 + 2 * HOUR))
      .write('b', T1 + HOUR, facts({ balance_due: 1, paid_through_date: '2025-03-31' }));
    const entry = log.timeline('a', T1 + 3 * HOUR).at(-1);
    expect(entry).toMatchObject({
      instant: T1 + 2 * HOUR,
      cause: { kind: 'calendar', unit_id: 'b', crm_unit_id: 'B' },
    });
  });

  it('ends when the other unit is vacated, and never shows the middle of a write', () => {
    const log = other()
      .write(
        'b',
        T1 + HOUR,
        override('exempt', null),
        facts({ balance_due: 1, paid_through_date: '2025-03-31' }),
      )
      .write('b', T1 + 2 * HOUR, { type: 'AccessOverrideCleared', data: { cause: 'move_out' } }, movedOut());
    expect(log.timeline('a', T1 + 3 * HOUR)).toHaveLength(2);
  });

  it('is told of each write, of two at one instant and of two of one command', () => {
    const owes = facts({ balance_due: 1, paid_through_date: '2025-03-31' });
    const writes = (second: number) =>
      other()
        .write('b', T1 + HOUR, owes)
        .write('b', second, facts({ balance_due: 0 }));
    const told = ['2025-06-02T16:00:00.000Z by unit -> blanket_delinquency'];
    expect(lines(writes(T1 + HOUR).timeline('a', T1 + 3 * HOUR)).slice(2)).toEqual([
      ...told,
      '2025-06-02T16:00:00.000Z by unit -> active',
    ]);
    const record = writes(T1 + 2 * HOUR).recordOf('a');
    const ofOneCommand = record.siblings.map((events) =>
      events.map((event) => ({ ...event, metadata: { ...event.metadata, command_id: 'one' } })),
    );
    const timeline = timelineOf({ ...record, siblings: ofOneCommand }, T1 + 3 * HOUR, calendar);
    expect(lines(finished(timeline)).slice(2)).toEqual([
      ...told,
      '2025-06-02T17:00:00.000Z by unit -> active',
    ]);
  });

  it('concerns nobody but the tenant of the unit at that time', () => {
    const log = other()
      .write('c', T1 + 2, registered('c'), movedIn('bob'))
      .write('c', T1 + HOUR, facts({ balance_due: 1, paid_through_date: '2025-03-31' }))
      .write('a', T1 + 2 * HOUR, movedOut(), movedIn('bob'));
    expect(lines(log.timeline('a', T1 + 3 * HOUR)).slice(2)).toEqual([
      '2025-06-02T17:00:00.000Z TenantMovedOut -> vacant',
      '2025-06-02T17:00:00.000Z TenantMovedIn -> blanket_delinquency',
    ]);
  });
});

describe("a change that the location's policy caused", () => {
  it('names the location and the revision of the policy', () => {
    const log = rented()
      .write('a', T1 + HOUR, facts(OWES))
      .changePolicy(T1 + 2 * HOUR, { grace_period_days: 0 });
    expect(presentEntry(log.timeline('a', T1 + 2 * HOUR).at(-1)!)).toMatchObject({
      actor: { kind: 'system', id: 'policy' },
      cause: { kind: 'policy', location_id: 'location', revision: 1 },
      access: { to: { reason: 'delinquent' } },
    });
  });

  it('names the unit that owes by the new policy', () => {
    const log = rented()
      .write('b', T1 + 1, registered('b'), movedIn())
      .write('b', T1 + HOUR, facts(OWES))
      .changePolicy(T1 + 2 * HOUR, { grace_period_days: 0 });
    expect(log.timeline('a', T1 + 2 * HOUR).at(-1)).toMatchObject({
      cause: { kind: 'policy', location_id: 'location', unit_id: 'b', crm_unit_id: 'B' },
    });
  });

  it('moves the boundaries that are still to come', () => {
    const log = rented()
      .write('a', T1 + HOUR, facts(OWES))
      .changePolicy(T1 + 2 * HOUR, { timezone: 'UTC' });
    expect(lines(log.timeline('a', GRACE_ENDS)).slice(3)).toEqual([
      '2025-06-07T00:00:00.000Z by calendar -> delinquent',
    ]);
  });
});

describe('a part of a history', () => {
  /** Of a unit whose tenant runs out of grace, between writes before and after. */
  const log = () =>
    rented()
      .write('a', T1 + HOUR, facts(OWES))
      .write('a', GRACE_ENDS + HOUR, facts({ balance_due: 0 }));
  /** The work at each step, without that of putting the steps in order. */
  const part = (window: Window) =>
    [...timelineOf(log().recordOf('a'), GRACE_ENDS + 9 * HOUR, calendar, window)].slice(1);
  const told = (window: Window) =>
    lines(finished(timelineOf(log().recordOf('a'), GRACE_ENDS + 9 * HOUR, calendar, window)));

  it('is what lies between two of its entries, those that the calendar brought as well', () => {
    const whole = log().timeline('a', GRACE_ENDS + 9 * HOUR);
    expect(whole).toHaveLength(5);
    for (const [first, after] of [EVER.after, ...whole].entries())
      for (const [last, before] of [...whole, EVER.before].entries())
        if (first <= last) expect(told({ after, before })).toEqual(lines(whole.slice(first, last)));
  });

  it('takes no work for what comes after it', () => {
    const [registration, moveIn] = log().timeline('a', T1);
    expect(part({ after: EVER.after, before: registration! })).toEqual([1]);
    expect(part({ after: EVER.after, before: moveIn! })).toEqual([1, 1]);
    expect(part({ after: moveIn!, before: EVER.before })).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('a unit that was registered "before" its location, by another clock', () => {
  it('goes by the first policy all the same', () => {
    const record = rented().recordOf('a');
    const location = record.location.map((event) => ({ ...event, instant: T1 + HOUR }));
    const entries = finished(timelineOf({ ...record, location }, T1 + 2 * HOUR, calendar));
    expect(lines(entries)).toEqual([
      '2025-06-02T15:00:00.000Z UnitRegistered -> vacant',
      '2025-06-02T15:00:00.000Z TenantMovedIn -> active',
    ]);
  });
});

describe('a long history', () => {
  /** A unit of Ada, then others of hers, each with these facts, and the work of telling the first one's history. */
  function workWith(others: number, debt: Parameters<typeof facts>[0]): number {
    const log = rented();
    for (let number = 0; number < others; number += 1) {
      const unit = `other ${number}`;
      log.write(unit, T1 + number, registered(unit), movedIn(), facts(debt));
    }
    const work = timelineOf(log.recordOf('a'), T1 + HOUR, calendar);
    return [...work].reduce((sum, step) => sum + step, 0);
  }

  it('takes no more work for each other unit of the tenant, however many there are', () => {
    const paid = { balance_due: 0, paid_through_date: '2025-06-01' };
    const forEach = (others: number) => workWith(others, paid) / others;
    expect(forEach(400)).toBeLessThanOrEqual(forEach(100));
  });

  it('says at each step how much it was: the more, the more units owe', () => {
    // Each debt that comes is decided with all before it.
    expect(workWith(100, OWES)).toBeGreaterThan((100 * 100) / 2);
  });

  it('is told whole', () => {
    const log = rented().write('b', T1 + 1, registered('b'), movedIn());
    for (let day = 0; day < 2_500; day += 1) {
      const date = new Date(T1 + day * 24 * HOUR).toISOString().slice(0, 10);
      const instant = T1 + day * 24 * HOUR + 2;
      log.write('a', instant, facts({ balance_due: 100, paid_through_date: date }));
      log.write('b', instant + 1, facts({ balance_due: day, paid_through_date: date }));
      log.write('a', instant + 2, facts({ balance_due: 0 }));
    }
    expect(log.timeline('a', T1 + 3_000 * 24 * HOUR).length).toBeGreaterThanOrEqual(5_002);
  });
});
