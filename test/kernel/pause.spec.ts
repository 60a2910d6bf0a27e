import { pause } from '#kernel/pause.js';
import { ManualClock } from '../support/manual-clock.js';

describe('a pause', () => {
  it('ends at once where its signal was aborted before, and leaves no timer', async () => {
    const clock = new ManualClock();
    await pause(clock, 60_000, AbortSignal.abort());
    expect(clock.pending).toBe(0);
  });

  it('ends when its signal is aborted, and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const paused = pause(clock, 60_000, controller.signal);
    expect(clock.pending).toBe(1);
    controller.abort();
    await paused;
    expect(clock.pending).toBe(0);
  });
});
