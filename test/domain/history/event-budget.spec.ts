import { EventBudget } from '#domain/history/backtest/event-budget.js';

const stream = (name: string, events: number) => ({ stream: name, revision: events - 1 });

describe('a budget of events', () => {
  it('plans what fits, and counts a stream once', () => {
    const budget = new EventBudget(10);
    expect(budget.plan([stream('a', 6)], false)).toBe(true);
    expect(budget.plan([stream('a', 6), stream('b', 4)], false)).toBe(true);
    expect(budget.isLeft).toBe(false);
    expect(budget.plan([stream('a', 6)], false)).toBe(true);
    expect(budget.plan([stream('c', 1)], false)).toBe(false);
  });

  it('plans more than is left where it is to be read anyway, and nothing new after it', () => {
    const budget = new EventBudget(10);
    expect(budget.plan([stream('a', 6)], true)).toBe(true);
    expect(budget.plan([stream('b', 9)], false)).toBe(false);
    expect(budget.plan([stream('b', 9)], true)).toBe(true);
    expect(budget.isLeft).toBe(false);
    expect(budget.plan([stream('c', 1)], false)).toBe(false);
    expect(budget.plan([stream('a', 6), stream('b', 9)], false)).toBe(true);
    expect(budget.plan([], false)).toBe(true);
  });

  it('tells what is more than it ever was', () => {
    const budget = new EventBudget(10);
    expect(budget.isTooMuch([stream('a', 10)])).toBe(false);
    expect(budget.isTooMuch([stream('a', 10), stream('b', 1)])).toBe(true);
  });
});
