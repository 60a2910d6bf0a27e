import { ManualClock } from '../support/manual-clock.js';
import { RequestDeadline, RequestLateError } from '#web/pipeline/request-deadlines.js';

describe('a deadline', () => {
  const due = (change: (deadline: RequestDeadline) => void, now: number, away?: number) => {
    const deadline = new RequestDeadline({ now: () => 100_000 });
    change(deadline);
    return deadline.isDue(100_000 + now, away === undefined ? undefined : 100_000 + away);
  };
  const untouched = () => undefined;
  const waitsForFirst = (deadline: RequestDeadline) => deadline.waitForFirst();
  const isBounded = (deadline: RequestDeadline) => deadline.unbind();
  const isReceiving = (deadline: RequestDeadline) => void deadline.receive(new Promise(() => undefined));

  const isAnswered = (deadline: RequestDeadline) => deadline.answer();

  it.each([
    ['at 9.5 s', untouched, 9_500, undefined, false],
    ['at the last look before 10 s', untouched, 9_751, undefined, true],
    ['where a store has just gone', untouched, 2_000, 0, false],
    ['where it is away for long', untouched, 1_751, -60_000, true],
    ['where it is away for long, a second after it came', untouched, 1_000, -60_000, false],
    ['where it was away for 5 s when the request came', untouched, 1_751, -5_000, true],
    ['2 s after the store had been away for 5 s', untouched, 4_751, -2_000, true],
    ['1 s after that', untouched, 4_000, -2_000, false],
    ['of a twin, at 30 s', waitsForFirst, 30_000, -60_000, false],
    ['of a twin, in the end', waitsForFirst, 31_000, undefined, true],
    ['of one that is bounded by itself', isBounded, 29_000, -60_000, false],
    ['while the body is sent', isReceiving, 29_000, -60_000, false],
    ['of one that is answered', isAnswered, 29_000, -60_000, false],
  ] as const)('%s', (_case, change, now, away, isDue) => {
    expect(due(change, now, away)).toBe(isDue);
  });

  it('begins again for a twin that must do the work itself', () => {
    const clock = new ManualClock();
    const deadline = new RequestDeadline(clock);
    deadline.waitForFirst();
    clock.advance(20_000);
    deadline.stopWaiting();
    clock.advance(9_000);
    expect(deadline.isDue(clock.now(), undefined)).toBe(false);
    clock.advance(1_000);
    expect(deadline.isDue(clock.now(), undefined)).toBe(true);
  });

  it('ends the wait for the work that it is raced against', async () => {
    const deadline = new RequestDeadline(new ManualClock());
    const raced = deadline.race(new Promise(() => undefined));
    deadline.expire();
    await expect(raced).rejects.toBeInstanceOf(RequestLateError);
    expect(deadline.isOver).toBe(true);
  });

  it('lets work end in time', async () => {
    const deadline = new RequestDeadline(new ManualClock());
    expect(await deadline.race(Promise.resolve('done'))).toBe('done');
    deadline.answer();
    deadline.expire();
    expect([deadline.phase, deadline.isOver]).toEqual(['answered', false]);
  });

  it('starts nothing more for a request that lost its right to execute', () => {
    const deadline = new RequestDeadline(new ManualClock());
    deadline.giveUp();
    expect([deadline.phase, deadline.isOver]).toEqual(['working', true]);
  });
});
