import { inBatches } from '#kernel/in-batches.js';
import { longestStretch, clockOfLongTurns } from '../support/turns.js';

afterEach(() => jest.restoreAllMocks());

describe('work in turns', () => {
  it('is on 16 at once, and answers in the order in which it was given', async () => {
    const all = Array.from({ length: 40 }, (_, number) => number);
    let working = 0;
    let most = 0;
    const results = await inBatches(all, async (number) => {
      most = Math.max(most, (working += 1));
      // The later ones of a turn end before the earlier ones.
      for (let turn = number % 16; turn < 16; turn += 1) await Promise.resolve();
      working -= 1;
      return number * 2;
    });
    expect(results).toEqual(all.map((number) => number * 2));
    expect(most).toBe(16);
  });

  it('leaves the event loop to others after 16 that took long and waited for nothing', async () => {
    let done = 0;
    const work = () => Promise.resolve((done += 1));
    jest.spyOn(performance, 'now').mockImplementation(clockOfLongTurns());
    const longest = await longestStretch(
      () => done,
      () => inBatches(Array.from({ length: 160 }), work),
    );
    expect(done).toBe(160);
    expect(longest).toBeLessThanOrEqual(32);
  });
});
