import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../../src/config/clock.js';
import { flexibleLimiter, type RateLimiterFactory } from '../../../src/http/index.js';

interface Window {
  points: number;
  ends: number;
}

/** Counts in windows of the virtual clock. The counters are shared by all processes, as a server's are. */
export function virtualRateLimiters(clock: Pick<Clock, 'now'>): RateLimiterFactory {
  const shared = new Map<string, Window>();
  return (policy) => {
    const windowOf = (key: string): Window => {
      const name = `${policy.name} ${key}`;
      const known = shared.get(name);
      if (known !== undefined && known.ends > clock.now()) return known;
      const opened = { points: 0, ends: clock.now() + policy.windowSeconds * 1000 };
      shared.set(name, opened);
      return opened;
    };
    const resultOf = ({ points, ends }: Window) =>
      new RateLimiterRes(Math.max(0, policy.limit - points), ends - clock.now(), points);
    return flexibleLimiter(policy, {
      consume(key, points = 1) {
        const window = windowOf(key);
        window.points += points;
        const refused = window.points > policy.limit;
        // The library refuses with its result, which is no Error.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        return refused ? Promise.reject(resultOf(window)) : Promise.resolve(resultOf(window));
      },
      get: (key) => Promise.resolve(resultOf(windowOf(key))),
      reward(key, points) {
        const window = windowOf(key);
        window.points -= points;
        return Promise.resolve(resultOf(window));
      },
      delete: (key) => Promise.resolve(shared.delete(`${policy.name} ${key}`)),
    });
  };
}
