import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refusalError } from '#api/push/index.js';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import {
  acceptedText,
  InvitationCodes,
  OwnShares,
  ShareRecords,
  SharesInErasure,
  ShareTexts,
} from '#domain/sharing/index.js';
import { OwnAccounts, TenantAccounts } from '#domain/tenants/index.js';
import {
  findTenantShare,
  type UnitOutcome,
  type UnitRefusal,
  type UnitState,
  WriteUnits,
} from '#domain/units/index.js';
import { type ApiError, errorOf, invalidField } from '#kernel/errors/api-error.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { timestampOrNull } from '#kernel/timestamp.js';
import type { RequestContext } from '#web/request-context.js';
import type { AcceptanceBody } from './shares.dto.js';

type Done = Extract<UnitOutcome, { kind: 'done' }>;

/** Somebody who was invited enters the code, and has the unit (decisions §13). */
@Injectable()
export class ShareAcceptance {
  constructor(
    private readonly shares: OwnShares,
    private readonly locations: LocationDirectory,
    private readonly accounts: TenantAccounts,
    private readonly ownAccounts: OwnAccounts,
    private readonly codes: InvitationCodes,
    private readonly records: ShareRecords,
    private readonly texts: ShareTexts,
    private readonly inErasure: SharesInErasure,
    private readonly commands: CommandBus,
  ) {}

  /** @throws ApiError 404, 409, 422 */
  async acceptShare(share_id: string, { code }: AcceptanceBody, context: RequestContext<TenantPrincipal>) {
    const { principal } = context;
    const found = await this.shares.findShare(share_id, principal);
    if (found === undefined) throw errorOf('share_not_found');
    const { company_id, crm_unit_id, unit_id } = found.unit;
    const location = await this.#locationOf(found.unit);
    const command = {
      ...({ type: 'AcceptShare', share_id, tenant_id: principal.id } as const),
      isCodeRight: this.codes.isRight(share_id, code),
      isSharingOn: location.tenant_sharing,
    };
    const writes = [{ crm_unit_id, command }] as const;
    const [outcome] = await this.commands.execute(new WriteUnits(company_id, writes, context));
    if (outcome.kind === 'rejected') throw acceptanceError(outcome.refusal);
    assertRightCode(outcome);
    const record = await this.records.readShare(share_id);
    await this.ownAccounts.showName(principal.id, record?.name ?? null);
    if (await this.inErasure.endIfErased(found.unit, principal.id, context)) throw errorOf('share_not_found');
    const unit = outcome.after!.state;
    const until = untilOf(unit, share_id, outcome.applied_at);
    if (outcome.changed) await this.#tellTenant(unit, share_id, location, until);
    return { share_id, unit_id, until: timestampOrNull(until) };
  }

  async #locationOf({ location_id }: Pick<UnitState, 'location_id'>): Promise<LocationDocument> {
    const location = await this.locations.location(location_id);
    if (location === undefined) throw new Error(`Location ${location_id} has units but no document.`);
    return location;
  }

  /** The share stands, whatever becomes of the text. */
  async #tellTenant(
    { tenancy, company_id, unit_name }: UnitState,
    share_id: string,
    { name: site, policy: { timezone } }: LocationDocument,
    until: number | null,
  ): Promise<void> {
    if (tenancy === null || until === null) return;
    const [tenant] = await this.accounts.byTenantId([tenancy.tenant_id]);
    const phone = tenant?.phone ?? null;
    if (phone === null) return;
    const body = acceptedText({ site, timezone, unit_name, until });
    await this.texts.sendAcceptedOnce(share_id, { to: phone, body, company_id });
  }
}

function acceptanceError(refusal: UnitRefusal): ApiError {
  if (refusal.code === 'tenant_is_primary') return invalidField('share_id', 'not_allowed', OWN_UNIT);
  return refusalError(refusal, 'standalone');
}

const OWN_UNIT = 'You rent the unit, and need no share of it.';

/** @throws ApiError 422 */
function assertRightCode({ result: { tries_left } }: Done): void {
  if (tries_left === undefined) return;
  if (tries_left === 0) throw refusalError({ code: 'offer_locked' }, 'standalone');
  const left = tries_left === 1 ? '1 try is left' : `${tries_left} tries are left`;
  throw invalidField('code', 'unknown_value', `The code is wrong. ${left}.`);
}

function untilOf(unit: UnitState, share_id: string, at: number): number | null {
  const found = findTenantShare(unit, share_id, at);
  return found?.kind === 'share' ? found.share.until : null;
}
