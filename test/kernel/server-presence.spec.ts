import { presenceOfAll, ServerPresence } from '#kernel/server-presence.js';
import { ManualClock } from '../support/manual-clock.js';

describe('the presence of a server', () => {
  const answer = (end: PromiseSettledResult<unknown>) => end.status === 'fulfilled';

  it('is asked since the first call that was not answered, and ends with any answer', async () => {
    const clock = new ManualClock();
    const presence = new ServerPresence(clock);
    const began = clock.now();
    let release: () => void = () => undefined;
    const slow = presence.watch(() => new Promise<void>((resolve) => (release = resolve)), answer);
    clock.advance(6_000);
    expect(presence.awaySince()).toBe(began);
    await presence.watch(() => Promise.reject(new Error('no connection')), answer).catch(() => undefined);
    expect(presence.awaySince()).toBe(began);
    await presence.watch(() => Promise.resolve(), answer);
    // The slow one may be slow for reasons of its own.
    expect(presence.awaySince()).toBe(clock.now());
    release();
    await slow;
    expect(presence.awaySince()).toBeUndefined();
  });

  it('of several is that of the one that is away longest', () => {
    const away = (since: number | undefined) => ({ awaySince: () => since });
    expect(presenceOfAll([away(undefined), away(7), away(5)]).awaySince()).toBe(5);
    expect(presenceOfAll([away(undefined)]).awaySince()).toBeUndefined();
  });
});
