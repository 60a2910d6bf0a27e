import { EventBudget, StreamGroup } from '#domain/history/backtest/event-budget.js';

const stream = (name: string, events: number) => ({ stream: name, revision: events - 1 });
const alone = (name: string, events: number) => ({ own: stream(name, events), others: [] });
const names = (planned: ReturnType<EventBudget['plan']>) => planned?.map((one) => one.stream);

describe('a budget of events', () => {
  it('plans what fits, and counts a stream once', () => {
    const budget = new EventBudget(10);
    expect(names(budget.plan(alone('a', 6), false))).toEqual(['a']);
    const others = [new StreamGroup([stream('a', 6), stream('b', 4)])];
    expect(names(budget.plan({ own: stream('a', 6), others }, false))).toEqual(['b']);
    expect(budget.isLeft).toBe(false);
    expect(names(budget.plan(alone('a', 6), false))).toEqual([]);
    expect(budget.plan(alone('c', 1), false)).toBeUndefined();
  });

  it('plans more than is left where it is to be read anyway, and nothing new after it', () => {
    const budget = new EventBudget(10);
    expect(names(budget.plan(alone('a', 6), true))).toEqual(['a']);
    expect(budget.plan(alone('b', 9), false)).toBeUndefined();
    expect(names(budget.plan(alone('b', 9), true))).toEqual(['b']);
    expect(budget.isLeft).toBe(false);
    expect(budget.plan(alone('c', 1), false)).toBeUndefined();
    const others = [new StreamGroup([stream('b', 9)])];
    expect(names(budget.plan({ own: stream('a', 6), others }, false))).toEqual([]);
  });

  it('plans a group whose streams did not fit before', () => {
    const budget = new EventBudget(10);
    const others = [new StreamGroup([stream('a', 1), stream('b', 20)])];
    expect(budget.plan({ own: stream('a', 1), others }, false)).toBeUndefined();
    expect(names(budget.plan({ own: stream('a', 1), others }, true))).toEqual(['a', 'b']);
  });

  it('tells what is more than it ever was, a unit’s own stream counted once', () => {
    const budget = new EventBudget(10);
    expect(budget.isTooMuch(alone('a', 10))).toBe(false);
    const others = [
      new StreamGroup([stream('a', 7), stream('b', 1)]),
      new StreamGroup([stream('a', 7), stream('b', 1)]),
    ];
    expect(budget.isTooMuch({ own: stream('a', 9), others })).toBe(false);
    expect(budget.isTooMuch({ own: stream('a', 10), others })).toBe(true);
  });

  it('plans a unit that is not too much, although its own stream grew before its group was read', () => {
    const budget = new EventBudget(10);
    const need = { own: stream('a', 10), others: [new StreamGroup([stream('a', 11)])] };
    expect(budget.isTooMuch(need)).toBe(false);
    expect(names(budget.plan(need, false))).toEqual(['a']);
  });
});
