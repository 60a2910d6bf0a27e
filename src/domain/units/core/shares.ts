/** Access of another account than the tenant's to a unit. It opens what the unit opens. */
export interface Share {
  readonly tenant_id: string;
  /** It ends by itself at this instant (milliseconds). Null: when an operator ends it, or with the tenancy. */
  readonly until: number | null;
  /** Given by the tenant of the unit. Absent: given by staff. */
  readonly share_id?: string;
}

const DAY_MS = 24 * 60 * 60_000;
/** A year. A longer share would outlive what anybody remembers. */
export const LONGEST_SHARE_MS = 366 * DAY_MS;

export function isShareInForce({ until }: Pick<Share, 'until'>, now: number): boolean {
  return until === null || now < until;
}

export function sharesInForce<One extends Share>(shares: readonly One[], now: number): One[] {
  return shares.filter((share) => isShareInForce(share, now));
}

/** The account's share, also one that has ended by itself. */
export function shareOf(shares: readonly Share[], tenant_id: string): Share | undefined {
  return shares.find((share) => share.tenant_id === tenant_id);
}

/** The first instant after `after` (milliseconds) at which a share ends by itself. Infinity: none does. */
export function nextShareEnd(shares: readonly Share[], after: number): number {
  const ends = shares.map(({ until }) => until ?? Infinity);
  return Math.min(Infinity, ...ends.filter((end) => end > after));
}

/** With the share. Of the account's share before, it replaces the fields that it has. */
export function withShare(shares: readonly Share[], share: Share): Share[] {
  const isKnown = shareOf(shares, share.tenant_id) !== undefined;
  if (!isKnown) return [...shares, share];
  return shares.map((one) => (one.tenant_id === share.tenant_id ? { ...one, ...share } : one));
}

export function withoutShare(shares: readonly Share[], tenant_id: string): Share[] {
  return shares.filter((share) => share.tenant_id !== tenant_id);
}
