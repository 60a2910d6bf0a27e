import { CompanyClocks, type CompanyDirectory } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';

/** Clocks where there is every company, and none is a sandbox but these. */
export function worldsClock(clock: Clock, sandboxes: readonly string[] = []): CompanyClocks {
  const companyOf = (_id: string) => (sandboxes.includes(_id) ? { _id, ahead_seconds: 0 } : { _id });
  const everybody = {
    named: (ids: readonly string[]) => Promise.resolve(ids.map(companyOf)),
    ahead: () => Promise.resolve([]),
  };
  return new CompanyClocks(clock, everybody as unknown as CompanyDirectory);
}
