import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refusalError } from '#api/push/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import {
  type Invitation,
  InvitationBudget,
  InvitationCodes,
  invitationText,
  type RoomCheck,
  ShareRecords,
  SharesInErasure,
  ShareTexts,
  type TakenInvitation,
} from '#domain/sharing/index.js';
import { isTestNumber, OwnAccounts, SandboxPhones, TenantAccounts } from '#domain/tenants/index.js';
import {
  findTenantShare,
  hasUnit,
  offerEnd,
  refuseOffer,
  type ShareOffer,
  UnitDirectory,
  type UnitDocument,
  type UnitRefusal,
  WriteUnits,
} from '#domain/units/index.js';
import { ApiError, invalidField } from '#kernel/errors/api-error.js';
import { derivedUlid } from '#kernel/derived-ulid.js';
import { LONGEST_REQUEST_MS } from '#kernel/longest-request.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { parseTimestamp, toTimestamp } from '#kernel/timestamp.js';
import type { RequestContext } from '#web/request-context.js';
import { phoneRule } from '#web/validation/rules.js';
import { phoneIn } from '../phone-number.dto.js';
import type { NewShareBody } from './shares.dto.js';

type TenantContext = RequestContext<TenantPrincipal>;

const UNKNOWN_UNIT = 'The selected unit id is invalid.';
const ONLY_SHARED = 'The unit is only shared with you. Only its tenant lets others in.';
const NO_NUMBER = 'The phone number field, with the country code, must be a valid phone number.';
const OWN_NUMBER = 'The phone number field is your own number.';
const TEST_NUMBER = 'The phone number field must not be a test number.';
const REAL_NUMBER =
  'The phone number field must be a test number of this sandbox, which sends no texts to others.';

const ERASED_MEANWHILE =
  'The details of this number were erased while the request ran, so nobody was invited. Send it again.';

/** A share that is asked for. */
interface WantedShare {
  readonly share_id: string;
  readonly unit: UnitDocument;
  readonly location: LocationDocument;
  readonly name: string;
  readonly phone: string;
  /** Milliseconds. */
  readonly until: number;
}

/** The offer to the unit, with the account as far as it is known. */
type WantedOffer = Parameters<typeof refuseOffer>[1];

/** A tenant invites somebody to share a unit (decisions §13). */
@Injectable()
export class ShareOffers {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    private readonly accounts: TenantAccounts,
    private readonly phones: SandboxPhones,
    private readonly ownAccounts: OwnAccounts,
    private readonly budget: InvitationBudget,
    private readonly codes: InvitationCodes,
    private readonly records: ShareRecords,
    private readonly texts: ShareTexts,
    private readonly inErasure: SharesInErasure,
    private readonly commands: CommandBus,
  ) {}

  /**
   * The request's command is the share: so its repeat is the same share, with the same code.
   * @throws ApiError 409, 422, 429
   */
  async offerShare(body: NewShareBody, context: TenantContext) {
    const { principal } = context;
    const wanted = await this.#readWanted(body, context);
    await this.#assertPhone(wanted, principal);
    const offer = await this.#readOffer(wanted, principal);
    // Whether an interrupted attempt was accepted, the log will tell.
    if (!context.recovering) await this.#assertOffer(wanted, offer);
    // Before the first write: a retry must be the same share, which has its points already.
    await context.reservation?.reserve();
    const invitation = invitationOf(wanted, offer);
    await this.#take(wanted, offer, invitation, context);
    const offered = await this.#offer(wanted, invitation, context);
    const { share_id, until } = wanted;
    await this.records.insertShare({
      _id: share_id,
      tenant_id: principal.id,
      guest_id: offered.tenant_id,
      name: wanted.name,
    });
    await this.#assertPersons(wanted, [principal.id, offered.tenant_id], context);
    const text = invitationText(wanted.location.name);
    return {
      share_id,
      code: this.codes.codeOf(share_id),
      until: toTimestamp(until),
      accept_by: toTimestamp(offered.expires_at),
      text_sent: await this.texts.sendOnce(share_id, 'invited', wanted.phone, text),
    };
  }

  /** Who invites, and who is invited. @throws ApiError 422 if one of them was erased meanwhile */
  async #assertPersons(
    { unit }: WantedShare,
    tenant_ids: readonly string[],
    context: TenantContext,
  ): Promise<void> {
    for (const tenant_id of tenant_ids) {
      if (!(await this.inErasure.endIfErased(unit, tenant_id, context))) continue;
      await this.records.eraseNames(tenant_id);
      throw invalidField('phone_number', 'not_allowed', ERASED_MEANWHILE);
    }
  }

  async #readWanted(body: NewShareBody, context: TenantContext): Promise<WantedShare> {
    const { unit_id, name } = body;
    const { principal } = context;
    const unit = await this.units.byUnitId(unit_id);
    const isHere = unit?.company_id === principal.company_id && unit.location_id === principal.location_id;
    if (!isHere) throw invalidField('unit_id', 'unknown_value', UNKNOWN_UNIT);
    const location = await this.locations.location(unit.location_id);
    if (location === undefined) throw new Error(`Location ${unit.location_id} has units but no document.`);
    const until = parseTimestamp(body.until)!;
    return { share_id: context.command_id, unit, location, name, phone: phoneIn(body), until };
  }

  /** @throws ApiError 422 */
  async #assertPhone(
    { phone, unit: { company_id } }: WantedShare,
    principal: TenantPrincipal,
  ): Promise<void> {
    if (phoneRule(phone) !== undefined) throw invalidField('phone_number', 'format', NO_NUMBER);
    const [own] = await this.accounts.byTenantId([principal.id]);
    if (own?.phone === phone) throw invalidField('phone_number', 'not_allowed', OWN_NUMBER);
    const { isSandbox } = await this.clocks.findClock(company_id);
    if (isSandbox !== isTestNumber(phone) || !(await this.phones.mayRecord(company_id, phone)))
      throw invalidField('phone_number', 'not_allowed', isSandbox ? REAL_NUMBER : TEST_NUMBER);
  }

  async #readOffer(wanted: WantedShare, { id: by }: TenantPrincipal): Promise<WantedOffer> {
    const { unit, location, phone, share_id, until } = wanted;
    const known = await this.ownAccounts.findGuest(unit, phone);
    const tenant_id = known?.tenant_id ?? share_id;
    return { share_id, tenant_id, until, by, isSharingOn: location.tenant_sharing };
  }

  /** Before anything is stored. The unit itself decides again. @throws ApiError 409, 422 */
  async #assertOffer({ unit }: WantedShare, offer: WantedOffer): Promise<void> {
    const now = await this.clocks.now(unit.company_id);
    const isOnlyShared = unit.tenancy?.tenant_id !== offer.by && hasUnit(unit, offer.by, now);
    if (isOnlyShared) throw invalidField('unit_id', 'not_allowed', ONLY_SHARED);
    assertAccepted(refuseOffer(unit, offer, now));
  }

  /** @throws ApiError 422, 429 */
  async #take(
    wanted: WantedShare,
    offer: WantedOffer,
    invitation: Invitation,
    context: TenantContext,
  ): Promise<void> {
    const { phone, unit, share_id } = wanted;
    const now = await this.clocks.now(unit.company_id);
    // An interrupted attempt has offered it.
    if (findTenantShare(unit, share_id, now) !== undefined) return;
    const assertRoom: RoomCheck = async (taken) => {
      if (!context.recovering) await this.#assertRoom(unit, offer, taken, now);
    };
    await this.budget.take(invitation, now, assertRoom);
    try {
      await this.texts.takeFromBudget(phone, unit.company_id);
    } catch (refusal) {
      await this.budget.giveBack(invitation);
      throw refusal;
    }
  }

  /** Also counts what requests that still run are about to offer. @throws ApiError 422 */
  async #assertRoom(
    { unit_id }: UnitDocument,
    offer: WantedOffer,
    taken: readonly TakenInvitation[],
    now: number,
  ): Promise<void> {
    const ofUnit = taken.filter((one) => one.unit_id === unit_id && now - one.at < LONGEST_REQUEST_MS);
    const offered = await this.records.offeredOf(ofUnit.map(({ share_id }) => share_id));
    const awaited = ofUnit.filter(({ share_id }) => !offered.has(share_id));
    // Read after the records: so the unit has all that was offered.
    const unit = await this.units.byUnitId(unit_id);
    const comingOffers = awaited.map(({ share_id, guest_id }) => ({ share_id, tenant_id: guest_id }));
    if (unit !== undefined) assertAccepted(refuseOffer(unit, offer, now, comingOffers));
  }

  async #offer(wanted: WantedShare, invitation: Invitation, context: TenantContext): Promise<OfferedTo> {
    try {
      return await this.#append(wanted, context);
    } catch (error) {
      // A retry under a key is the same share. Any other has to take its points again.
      const isRefused = error instanceof ApiError;
      if (isRefused || context.reservation === undefined)
        await this.budget.giveBack(invitation).catch(() => undefined);
      throw error;
    }
  }

  async #append(wanted: WantedShare, context: TenantContext): Promise<OfferedTo> {
    const { share_id, unit, location, name, phone, until } = wanted;
    const { principal } = context;
    const { company_id, crm_unit_id, location_id } = unit;
    const guest = await this.ownAccounts.findOrCreateGuest(
      { place: { company_id, location_id }, name, phone, isNameHidden: true },
      { ...context, command_id: derivedUlid(share_id, 'guest') },
    );
    const command = {
      ...({ type: 'OfferShare', share_id, tenant_id: guest.tenant_id, until, by: principal.id } as const),
      isSharingOn: location.tenant_sharing,
    };
    const writes = [{ crm_unit_id, command }] as const;
    const [outcome] = await this.commands.execute(new WriteUnits(company_id, writes, context));
    if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, 'standalone');
    const stored = outcome.after?.state.offers?.find((offer) => offer.share_id === share_id);
    return stored ?? { tenant_id: guest.tenant_id, expires_at: offerEnd(until, outcome.applied_at) };
  }
}

/** The account that was invited, and until when (milliseconds). */
type OfferedTo = Pick<ShareOffer, 'tenant_id' | 'expires_at'>;

function invitationOf({ phone, unit }: WantedShare, { share_id, tenant_id, by }: WantedOffer): Invitation {
  return { share_id, tenant_id: by, phone, unit_id: unit.unit_id, guest_id: tenant_id };
}

/** @throws ApiError 409, 422 */
function assertAccepted(refusal: UnitRefusal | undefined): void {
  if (refusal !== undefined) throw refusalError(refusal, 'standalone');
}
