import { CompanyClocks, type CompanyDirectory } from '../../src/companies/index.js';
import type { Clock } from '../../src/config/clock.js';

/** Clocks where no company is a sandbox. */
export function worldsClock(clock: Clock): CompanyClocks {
  const nobody = {
    named: (ids: readonly string[]) => Promise.resolve(ids.map(() => undefined)),
    ahead: () => Promise.resolve([]),
  };
  return new CompanyClocks(clock, nobody as unknown as CompanyDirectory);
}
