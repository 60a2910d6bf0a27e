import { pauseAfter, USUAL_RETRIES } from '../../packages/client/src/core/backoff.js';
import { retryAfter } from '../../packages/client/src/retry-after.js';

describe('the pause after a failure', () => {
  const pauses = (chance: number) =>
    [1, 2, 3, 4, 5].map((n) => pauseAfter(n, undefined, USUAL_RETRIES, chance));

  it('doubles, within half and whole of that by chance, and ends with the attempts', () => {
    expect(pauses(0)).toEqual([250, 500, 1000, 2000, undefined]);
    expect(pauses(0.5)).toEqual([375, 750, 1500, 3000, undefined]);
  });

  it('does not grow beyond its bound', () => {
    const many = { ...USUAL_RETRIES, attempts: 100 };
    expect(pauseAfter(50, undefined, many, 0)).toBe(15_000);
  });

  it('is never shorter than Retry-After asks for, and nothing is waited for beyond all patience', () => {
    expect(pauseAfter(1, 7_000, USUAL_RETRIES, 0)).toBe(7_000);
    expect(pauseAfter(1, 7_000, USUAL_RETRIES, 0.5)).toBe(7_250);
    expect(pauseAfter(1, 120_000, USUAL_RETRIES, 0)).toBe(120_000);
    expect(pauseAfter(1, 120_001, USUAL_RETRIES, 0)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T12:00:00Z');

  it.each([
    ['30', 30_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('of %p is %p milliseconds', (header, milliseconds) => {
    expect(retryAfter(header, now)).toBe(milliseconds);
  });
});
