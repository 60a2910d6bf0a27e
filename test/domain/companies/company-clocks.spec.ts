import { CompanyClocks, type CompanyDirectory } from '#domain/companies/index.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { ManualClock } from '../../support/manual-clock.js';

const clock = new ManualClock();
/** The content of the views: nothing of `unknown`. */
const COMPANIES: Readonly<Record<string, object>> = {
  ordinary: { _id: 'ordinary' },
  sandbox: { _id: 'sandbox', ahead_seconds: 60 },
};

function clocksOver(companies: Readonly<Record<string, object>>): CompanyClocks {
  const named = (ids: readonly string[]) => Promise.resolve(ids.map((id) => companies[id]));
  return new CompanyClocks(clock, { named } as unknown as CompanyDirectory);
}

describe('the clock of a company', () => {
  it('is the world’s, or a sandbox’s own', async () => {
    const clocks = await clocksOver(COMPANIES).findClocks(['sandbox', 'ordinary', 'sandbox']);
    const told = [...clocks].map(([id, one]) => [id, one.isSandbox, one.now() - clock.now()]);
    expect(told).toEqual([
      ['sandbox', true, 60_000],
      ['ordinary', false, 0],
    ]);
  });

  it('of which the views know nothing is none, so that no key is made as if it were no sandbox', async () => {
    const clocks = clocksOver(COMPANIES);
    await clocks.findClock('ordinary');
    for (const asked of [['unknown'], ['ordinary', 'unknown'], ['unknown', 'sandbox']]) {
      const failed = await clocks.findClocks(asked).catch((error: unknown) => error);
      expect(failed instanceof StoreUnavailableError).toBe(true);
    }
    await expect(clocks.now('unknown')).rejects.toThrow('The views do not contain the company unknown.');
  });
});
