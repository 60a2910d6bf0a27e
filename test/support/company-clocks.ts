import { CompanyClocks, type CompanyDirectory } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';

/** Clocks where there is every company, and none is a sandbox. */
export function worldsClock(clock: Clock): CompanyClocks {
  const everybody = {
    named: (ids: readonly string[]) => Promise.resolve(ids.map((_id) => ({ _id }))),
    ahead: () => Promise.resolve([]),
  };
  return new CompanyClocks(clock, everybody as unknown as CompanyDirectory);
}
