import { crash } from './crash/crash.js';

describe('a service that is killed under load', () => {
  test('does every keyed request exactly once, and forgets no answer', async () => {
    const figures = await crash({ kills: 8, seconds: 60, writers: 16, seed: 7, answers: 12 });
    expect(figures.kills).toBeGreaterThan(0);
    expect(figures.answeredLater).toBeGreaterThan(0);
    expect(figures.replayed).toBe(figures.requests);
  });
});
