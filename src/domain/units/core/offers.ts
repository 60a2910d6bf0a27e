import type { Share } from './shares.js';

/** A tenant's offer to share the unit. It opens nothing until its person enters the code that the tenant tells. */
export interface ShareOffer {
  readonly share_id: string;
  /** The account that was invited. */
  readonly tenant_id: string;
  /** When the share will end by itself, in milliseconds. */
  readonly until: number;
  /** From this instant on (milliseconds) nobody accepts it. */
  readonly expires_at: number;
  /** How often a wrong code was entered. */
  readonly wrong_codes: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** A tenant's share needs an end: nobody sees that a phone number has a new owner. */
export const LONGEST_TENANT_SHARE_MS = 90 * DAY_MS;
const LONGEST_OFFER_MS = 7 * DAY_MS;
/** So many wrong codes close an offer. */
export const MOST_WRONG_CODES = 5;
/** People whom the tenant of a unit may let in at once, invited ones included. */
export const MOST_PEOPLE_OF_TENANT = 5;

/** @param now milliseconds */
export function offerEnd(until: number, now: number): number {
  return Math.min(until, now + LONGEST_OFFER_MS);
}

/** Whether its person may still accept it, as far as time goes. */
export function isOfferOpen({ expires_at }: ShareOffer, now: number): boolean {
  return now < expires_at;
}

/** Whether wrong codes have closed it. */
export function isOfferLocked({ wrong_codes }: ShareOffer): boolean {
  return wrong_codes >= MOST_WRONG_CODES;
}

/** The offers of a unit that have not expired, locked ones included. */
export function openOffers(offers: readonly ShareOffer[] | undefined, now: number): ShareOffer[] {
  return offers?.filter((offer) => isOfferOpen(offer, now)) ?? [];
}

/** A share that the tenant has given, and not staff. */
export interface TenantShare extends Share {
  readonly share_id: string;
}

export function isTenantShare(share: Share): share is TenantShare {
  return share.share_id !== undefined;
}
