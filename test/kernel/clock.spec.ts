import { systemClock } from '#kernel/clock.js';

const LONGEST_TIMER = 2 ** 31 - 1;

/** Timers in place of Node's, which end when they are told to. */
class Timers {
  delays: number[] = [];
  #next: (() => void) | undefined;

  constructor() {
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((task: () => void, delay: number) => {
      this.delays.push(delay);
      this.#next = task;
      return { unref: () => undefined };
    }) as never);
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation(() => void (this.#next = undefined));
  }

  end(): void {
    const next = this.#next;
    this.#next = undefined;
    next?.();
  }
}

describe("the machine's clock", () => {
  afterEach(() => jest.restoreAllMocks());

  it('waits out a delay that is longer than any timer of Node', () => {
    const timers = new Timers();
    let fired = 0;
    systemClock.after(2 * LONGEST_TIMER + 1_000, () => (fired += 1));
    timers.end();
    timers.end();
    expect([timers.delays, fired]).toEqual([[LONGEST_TIMER, LONGEST_TIMER, 1_000], 0]);
    timers.end();
    expect(fired).toBe(1);
  });

  it('can be told not to, whichever timer it has come to', () => {
    const timers = new Timers();
    let fired = 0;
    const cancel = systemClock.after(LONGEST_TIMER + 1, () => (fired += 1));
    timers.end();
    cancel();
    timers.end();
    expect([timers.delays, fired]).toEqual([[LONGEST_TIMER, 1], 0]);
  });
});
