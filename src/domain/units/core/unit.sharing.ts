import {
  isOfferLocked,
  isOfferOpen,
  isTenantShare,
  LONGEST_TENANT_SHARE_MS,
  MOST_PEOPLE_OF_TENANT,
  offerEnd,
  openOffers,
  type ShareOffer,
  type TenantShare,
} from './offers.js';
import { isShareInForce, shareOf, sharesInForce } from './shares.js';
import type { UnitCommand, UnitRefusal } from './unit.commands.js';
import type { UnitDraft } from './unit.draft.js';
import type { UnitState } from './unit.state.js';
import { endOffer, endShare } from './unit.tenancy.js';

type OfferShare = Extract<UnitCommand, { readonly type: 'OfferShare' }>;
type AcceptShare = Extract<UnitCommand, { readonly type: 'AcceptShare' }>;
type EndTenantShare = Extract<UnitCommand, { readonly type: 'EndTenantShare' }>;

/** What a share by a tenant is now: still offered, or begun. Undefined: neither. */
export type FoundTenantShare =
  | { readonly kind: 'offer'; readonly offer: ShareOffer }
  | { readonly kind: 'share'; readonly share: TenantShare };

export function findTenantShare(
  { offers, shares }: Pick<UnitState, 'offers' | 'shares'>,
  share_id: string,
  now: number,
): FoundTenantShare | undefined {
  const offer = openOffers(offers, now).find((one) => one.share_id === share_id);
  if (offer !== undefined) return { kind: 'offer', offer };
  const share = sharesInForce(shares, now)
    .filter(isTenantShare)
    .find((one) => one.share_id === share_id);
  return share && { kind: 'share', share };
}

/** Why a tenant's share may not be offered, accepted or ended; undefined: it may, or the command is another one. */
export function refuseTenantShare(
  unit: UnitState,
  command: UnitCommand,
  now: number,
): UnitRefusal | undefined {
  switch (command.type) {
    case 'OfferShare':
      return refuseOffer(unit, command, now);
    case 'AcceptShare':
      return refuseAcceptance(unit, command, now);
    case 'EndTenantShare':
      return refuseEnd(unit, command, now);
    default:
      return undefined;
  }
}

/** An earlier offer to the same account is replaced. Those that have expired are cleared away. */
export function offerShare(
  draft: UnitDraft,
  unit: UnitState,
  { share_id, tenant_id, until }: OfferShare,
): void {
  if (findTenantShare(unit, share_id, draft.now) !== undefined) return;
  for (const offer of unit.offers ?? [])
    if (offer.tenant_id === tenant_id || !isOfferOpen(offer, draft.now)) endOffer(draft, offer, 'requested');
  const data = { share_id, tenant_id, until, expires_at: offerEnd(until, draft.now) };
  draft.emit({ type: 'UnitShareOffered', data });
}

/** An offer that another request is about to make. */
export type AwaitedOffer = Pick<ShareOffer, 'share_id' | 'tenant_id'>;

/**
 * Why a tenant may not offer the share; undefined: the tenant may.
 * @param awaited count for the bound of people, also those that the unit has by now
 */
export function refuseOffer(
  unit: Pick<UnitState, 'tenancy' | 'shares' | 'offers'>,
  { share_id, tenant_id, until, by, isSharingOn }: Omit<OfferShare, 'type'>,
  now: number,
  awaited: readonly AwaitedOffer[] = [],
): UnitRefusal | undefined {
  if (unit.tenancy?.tenant_id !== by) return { code: 'unit_of_another_tenant' };
  if (!isSharingOn) return { code: 'sharing_off' };
  if (tenant_id === by) return { code: 'offer_to_oneself' };
  if (until <= now) return { code: 'share_already_over' };
  if (until - now > LONGEST_TENANT_SHARE_MS) return { code: 'offer_too_long' };
  if (findTenantShare(unit, share_id, now) !== undefined) return undefined;
  const coming = awaited.filter((offer) => findTenantShare(unit, offer.share_id, now) === undefined);
  const people = new Set([...peopleOfTenant(unit, now), ...coming.map((offer) => offer.tenant_id)]);
  people.delete(tenant_id);
  return people.size >= MOST_PEOPLE_OF_TENANT ? { code: 'people_full' } : undefined;
}

/** The accounts that the tenant has invited or lets in. A locked offer lets nobody in. */
export function peopleOfTenant(
  { shares, offers }: Pick<UnitState, 'shares' | 'offers'>,
  now: number,
): string[] {
  const invited = openOffers(offers, now).filter((offer) => !isOfferLocked(offer));
  const sharing = sharesInForce(shares, now).filter(isTenantShare);
  return [...new Set([...sharing, ...invited].map(({ tenant_id }) => tenant_id))];
}

/**
 * The caller has checked that the account is the invited person's. It may be another account of the same phone, so the event
 * names the one that accepts.
 */
export function acceptShare(
  draft: UnitDraft,
  unit: UnitState,
  { share_id, tenant_id, isCodeRight }: AcceptShare,
): void {
  const found = findTenantShare(unit, share_id, draft.now);
  if (found?.kind !== 'offer') return;
  if (!isCodeRight) {
    draft.emit({ type: 'UnitShareCodeRefused', data: { share_id, tenant_id: found.offer.tenant_id } });
    return;
  }
  draft.emit({ type: 'UnitShareAccepted', data: { share_id, tenant_id, until: found.offer.until } });
}

/** An account that has accepted the share may do so again. */
function refuseAcceptance(unit: UnitState, command: AcceptShare, now: number): UnitRefusal | undefined {
  const { share_id, tenant_id, isSharingOn } = command;
  const found = findTenantShare(unit, share_id, now);
  if (found?.kind === 'share' && found.share.tenant_id === tenant_id) return undefined;
  if (found?.kind !== 'offer') return { code: 'share_not_found' };
  if (!isSharingOn) return { code: 'sharing_off' };
  return isOfferLocked(found.offer) ? { code: 'offer_locked' } : refusePerson(unit, tenant_id, now);
}

/** Whoever has the unit already needs no share. */
function refusePerson(unit: UnitState, tenant_id: string, now: number): UnitRefusal | undefined {
  if (unit.tenancy?.tenant_id === tenant_id) return { code: 'tenant_is_primary' };
  return isSharedByStaff(unit, tenant_id, now) ? { code: 'already_shared' } : undefined;
}

function isSharedByStaff({ shares }: UnitState, tenant_id: string, now: number): boolean {
  const share = shareOf(shares, tenant_id);
  return share !== undefined && isShareInForce(share, now) && !isTenantShare(share);
}

export function endTenantShare(draft: UnitDraft, unit: UnitState, share_id: string): void {
  const found = findTenantShare(unit, share_id, draft.now);
  if (found?.kind === 'offer') endOffer(draft, found.offer, 'requested');
  if (found?.kind === 'share') endShare(draft, found.share, 'requested');
}

/** A share that has ended before may be ended. */
function refuseEnd(
  unit: Pick<UnitState, 'tenancy' | 'shares' | 'offers'>,
  { share_id, by }: EndTenantShare,
  now: number,
): UnitRefusal | undefined {
  const found = findTenantShare(unit, share_id, now);
  if (found === undefined || by === unit.tenancy?.tenant_id) return undefined;
  const guest = found.kind === 'offer' ? found.offer.tenant_id : found.share.tenant_id;
  return by === guest ? undefined : { code: 'share_not_found' };
}

/** Ends the account's share, and all offers to it. */
export function endShareAndOffersTo(draft: UnitDraft, unit: UnitState, tenant_id: string): void {
  const share = shareOf(unit.shares, tenant_id);
  if (share !== undefined) endShare(draft, share, 'requested');
  for (const offer of unit.offers ?? [])
    if (offer.tenant_id === tenant_id) endOffer(draft, offer, 'requested');
}

/** Also ends what the account offers as tenant: nobody could tell the code any more. */
export function endSharesAndOwnOffers(draft: UnitDraft, unit: UnitState, tenant_id: string): void {
  endShareAndOffersTo(draft, unit, tenant_id);
  if (unit.tenancy?.tenant_id !== tenant_id) return;
  for (const offer of unit.offers ?? []) endOffer(draft, offer, 'requested');
}
