import { periodAt, policyPeriods, startsIn } from '#domain/history/core/periods.js';
import { at, POLICY, RecordedLog } from './support/recorded.js';

const from = (...instants: number[]) => instants.map((instant) => ({ from: instant }));

describe('what holds at an instant', () => {
  const periods = from(10, 20, 30, 40);

  it('is what began at it or last before it', () => {
    const held = [10, 19, 20, 29, 30, 39, 40, 1_000].map((instant) => periodAt(periods, instant)?.from);
    expect(held).toEqual([10, 10, 20, 20, 30, 30, 40, 40]);
  });

  it('is nothing before the first, nor of an empty list', () => {
    expect(periodAt(periods, 9)).toBeUndefined();
    expect(periodAt([], 9)).toBeUndefined();
  });
});

describe('the instants at which something begins', () => {
  it('are in order, each once, with the beginning of the span and both its ends', () => {
    const starts = startsIn({ from: 9, until: 100 }, from(1, 9, 30, 100, 101), from(2, 10, 30, 99));
    expect(starts).toEqual([9, 10, 30, 99, 100]);
  });

  it('are the beginning of the span alone where nothing begins within it', () => {
    expect(startsIn({ from: 9, until: 10 }, from(8), from(11, 12), [])).toEqual([9]);
  });
});

describe("a location's policy as it was", () => {
  it('holds from the beginning on, whenever the location was opened, and until the next', () => {
    const instant = at('2025-06-02T15:00:00.000Z');
    const log = new RecordedLog()
      .write('location', instant, { type: 'LocationRenamed', data: { name: 'Main' } })
      .changePolicy(instant + 1, { grace_period_days: 9 })
      .changePolicy(instant + 2, {});
    const location = log.recordOf('a').location.map((event) => ({ ...event, instant: event.instant + 5 }));
    expect(policyPeriods(location)).toEqual([
      { from: -Infinity, policy: POLICY },
      { from: instant + 6, policy: { ...POLICY, grace_period_days: 9 } },
      { from: instant + 7, policy: POLICY },
    ]);
  });
});
