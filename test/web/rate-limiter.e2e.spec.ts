import { readEnvironment } from '#kernel/environment/environment.js';
import type { Counter } from '#kernel/rate-limiter.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { resultsAtOnce } from '../support/barrier.js';
import { ManualClock } from '../support/manual-clock.js';
import { Service } from '../support/service.js';
import { MemoryRecords } from './support/memory-records.js';

const HOUR = 60 * 60_000;
const POLICY = { name: 'a-day', limit: 3, windowSeconds: 24 * 60 * 60 };

describe('the limit of a day', () => {
  const clock = new ManualClock();
  const records = new MemoryRecords(clock);
  /** As a process makes it at its start. */
  const started = () => {
    const limits = new RateLimits(readEnvironment({}), records, clock);
    limits.define(POLICY);
    return limits;
  };

  it('keeps its count over a restart until the day is over', async () => {
    const taken = await started().consume(POLICY.name, 'key');
    expect(taken).toEqual({ allowed: true, limit: 3, remaining: 2, resetSeconds: 86_400 });
    clock.advance(HOUR);
    expect(await started().consume(POLICY.name, 'key')).toMatchObject({ remaining: 1, resetSeconds: 82_800 });
    expect(await started().peek(POLICY.name, 'key')).toMatchObject({ allowed: true, remaining: 1 });
    await started().consume(POLICY.name, 'key');
    expect(await started().peek(POLICY.name, 'key')).toMatchObject({ allowed: false, remaining: 0 });
    expect(await started().consume(POLICY.name, 'key')).toMatchObject({ allowed: false, remaining: 0 });
    expect(await started().consume(POLICY.name, 'other')).toMatchObject({ allowed: true });
    clock.advance(23 * HOUR);
    expect(await started().consume(POLICY.name, 'key')).toMatchObject({ allowed: true, remaining: 2 });
    await started().reset(POLICY.name, 'key');
    expect(await started().peek(POLICY.name, 'key')).toMatchObject({ remaining: 3 });
  });

  it('counts each of many requests at once', async () => {
    const limiter = started();
    const states = await resultsAtOnce(
      Array.from({ length: 10 }, () => () => limiter.consume(POLICY.name, 'many')),
    );
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(3);
  });

  it('of a login keeps its count over a restart, and its limit of minutes does not', async () => {
    const service = await Service.start();
    const counters: Counter[] = [
      ['otp-codes-a-day', 'phone'],
      ['otp-request', 'phone'],
    ];
    await service.part(RateLimits).count(counters);
    await service.restart();
    const left = counters.map(([policy, key]) => service.part(RateLimits).peek(policy, key));
    expect((await Promise.all(left)).map(({ remaining }) => remaining)).toEqual([19, 5]);
    await service.close();
  });
});
