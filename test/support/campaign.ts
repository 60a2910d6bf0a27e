/** What `npm run test:campaigns` draws from; without it, as in `npm test`, always the same. */
const named = process.env['CAMPAIGN_SEED'];

export const SEED = Number(named ?? 20260101);

/** Whether a campaign plays the tests. */
export const IN_CAMPAIGN = named !== undefined;

/** How much is played: little where people wait for it, more in a campaign. */
export function upTo<T>(usually: T, inCampaigns: T): T {
  return IN_CAMPAIGN ? inCampaigns : usually;
}

/** How often a property is tried, and from which seed. */
export function runs(usually: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: upTo(usually, 20 * usually), seed: SEED };
}
