import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refusalError } from '#api/push/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { InvitationCodes, OwnShares, ShareRecords } from '#domain/sharing/index.js';
import {
  isOfferLocked,
  isTenantShare,
  MOST_WRONG_CODES,
  openOffers,
  sharesInForce,
  type UnitDocument,
  WriteUnits,
} from '#domain/units/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { RequestContext } from '#web/request-context.js';

/** What a tenant shares and is invited to, and the end of it (decisions §13). */
@Injectable()
export class OwnShareList {
  constructor(
    private readonly shares: OwnShares,
    private readonly records: ShareRecords,
    private readonly codes: InvitationCodes,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    private readonly commands: CommandBus,
  ) {}

  async readShares(principal: TenantPrincipal) {
    const now = await this.clocks.now(principal.company_id);
    const given = (await this.shares.listRented(principal.id)).flatMap((unit) => this.#given(unit, now));
    const names = await this.records.namesOf(given.map(({ share_id }) => share_id));
    return {
      shares: given.map((share) => ({ ...share, name: names.get(share.share_id) ?? null })),
      invitations: await this.#invitations(principal),
    };
  }

  /** By the tenant who gave it, or by the person who has it or is invited. @throws ApiError 404 */
  async endShare(share_id: string, context: RequestContext<TenantPrincipal>) {
    const { principal } = context;
    const found = await this.shares.findShare(share_id, principal);
    if (found === undefined) return this.#endedBefore(share_id, principal);
    const { company_id, crm_unit_id } = found.unit;
    const isInvited = found.kind === 'offer' && found.unit.tenancy?.tenant_id !== principal.id;
    // A person with several accounts declines by any of them.
    const by = isInvited ? found.offer.tenant_id : principal.id;
    const writes = [{ crm_unit_id, command: { type: 'EndTenantShare', share_id, by } }] as const;
    const [outcome] = await this.commands.execute(new WriteUnits(company_id, writes, context));
    if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, 'standalone');
    return { share_id };
  }

  /** A repeat of what was answered. @throws ApiError 404 */
  async #endedBefore(share_id: string, { id }: TenantPrincipal) {
    const record = await this.records.readShare(share_id);
    if (record?.tenant_id !== id && record?.guest_id !== id) throw errorOf('share_not_found');
    return { share_id };
  }

  #given({ unit_id, unit_name, offers, shares }: UnitDocument, now: number) {
    const offered = openOffers(offers, now).map((offer) => {
      const { share_id, until, expires_at } = offer;
      const state = isOfferLocked(offer) ? ('locked' as const) : ('offered' as const);
      const code = state === 'offered' ? this.codes.codeOf(share_id) : null;
      const ends = { until: toTimestamp(until), accept_by: toTimestamp(expires_at) };
      return { share_id, unit_id, unit_name, state, ...ends, code };
    });
    const accepted = sharesInForce(shares, now)
      .filter(isTenantShare)
      .map(({ share_id, until }) => {
        const ends = { until: timestampOrNull(until), accept_by: null, code: null };
        return { share_id, unit_id, unit_name, state: 'accepted' as const, ...ends };
      });
    return [...offered, ...accepted];
  }

  /** Of locations that let tenants share. */
  async #invitations(principal: TenantPrincipal) {
    const received = await this.shares.listReceived(principal);
    if (received.length === 0) return [];
    const location = await this.locations.location(principal.location_id);
    if (location?.tenant_sharing !== true) return [];
    const { _id: id, name, policy } = location;
    return received.map(({ offer: { share_id, until, expires_at, wrong_codes } }) => ({
      share_id,
      location: { id, name, timezone: policy.timezone },
      until: toTimestamp(until),
      accept_by: toTimestamp(expires_at),
      tries_left: MOST_WRONG_CODES - wrong_codes,
    }));
  }
}
