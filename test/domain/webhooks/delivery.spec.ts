import {
  type Attempt,
  type DeliveryProgress,
  MOST_TRIES,
  recordAttempt,
  restartDelivery,
  startDelivery,
} from '#domain/webhooks/core/delivery.js';
import { judgeHealth } from '#domain/webhooks/core/disabling.js';

const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;
const DAY = 24 * HOUR;

const attempt = (status: number | null): Attempt => ({ at: 0, status, answer: '' });
const refused = attempt(500);

/** Tries at the instants that the schedule names, none of them received. */
function failAll(jitter: number): { readonly waits: readonly number[]; readonly last: DeliveryProgress } {
  const waits: number[] = [];
  let now = 0;
  let progress = startDelivery(now);
  while (progress.next_try_at !== null) {
    waits.push(progress.next_try_at - now);
    now = progress.next_try_at;
    progress = recordAttempt(progress, refused, { now, jitter });
  }
  return { waits, last: progress };
}

describe('a message', () => {
  test('is tried after the waits that the contract names', () => {
    const seconds = failAll(0).waits.map((wait) => wait / SECOND);
    expect(seconds).toEqual([0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  test('waits up to a tenth longer, so that messages spread', () => {
    expect(failAll(1).waits[1]).toBe(5_500);
  });

  test('has failed after the last try', () => {
    const { last } = failAll(0);
    expect(last).toMatchObject({ state: 'failed', tries: MOST_TRIES, next_try_at: null });
  });

  test.each([200, 204, 299])('is delivered by a %i', (status) => {
    const after = recordAttempt(startDelivery(0), attempt(status), { now: 5, jitter: 0 });
    expect(after).toMatchObject({ state: 'delivered', next_try_at: null, expires_at: 5 + 30 * DAY });
  });

  test.each([199, 301, 404, 500, null])('is not delivered by %p', (status) => {
    expect(recordAttempt(startDelivery(0), attempt(status), { now: 0, jitter: 0 }).state).toBe('pending');
  });

  test('is given up after a 410', () => {
    expect(recordAttempt(startDelivery(0), attempt(410), { now: 0, jitter: 0 }).state).toBe('failed');
  });

  test('that is sent again has all its tries, and keeps the attempts before', () => {
    const again = restartDelivery(failAll(0).last, 7);
    expect(again).toMatchObject({ state: 'pending', tries: 0, next_try_at: 7 });
    expect(again.attempts).toHaveLength(MOST_TRIES);
  });

  test('keeps its last 30 attempts', () => {
    let progress: DeliveryProgress = startDelivery(0);
    for (let at = 1; at <= 40; at += 1)
      progress = recordAttempt(restartDelivery(progress, 0), { ...refused, at }, { now: at, jitter: 0 });
    expect(progress.attempts.map(({ at }) => at)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 11),
    );
  });
});

describe('a webhook', () => {
  test('is switched off by a 410', () => {
    const change = judgeHealth({ failing_since: null }, attempt(410), 0);
    expect(change).toEqual({ kind: 'disabled', reason: 'gone' });
  });

  test('notes its first failure', () => {
    const change = judgeHealth({ failing_since: null }, refused, 9);
    expect(change).toEqual({ kind: 'failing_since', failing_since: 9 });
  });

  test('stays on until five days without one success are over', () => {
    expect(judgeHealth({ failing_since: 0 }, refused, 5 * DAY - 1)).toEqual({ kind: 'unchanged' });
  });

  test('is switched off after five days without one success', () => {
    const change = judgeHealth({ failing_since: 0 }, refused, 5 * DAY);
    expect(change).toEqual({ kind: 'disabled', reason: 'failing' });
  });

  test('forgets its failures with one success', () => {
    const change = judgeHealth({ failing_since: 0 }, attempt(200), 9 * DAY);
    expect(change).toEqual({ kind: 'failing_since', failing_since: null });
  });
});
