import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { AccountChanges } from './account-changes.js';
import { GuestAccounts } from './guest-accounts.js';
import { type ClaimedAccount, PhoneClaims } from './phone-claims.js';
import {
  byHandId,
  changedFields,
  guestId,
  isOwnId,
  isPassHolderId,
  newAccount,
  passHolderId,
  type TenantAccount,
  type TenantKey,
  withDetails,
  withNameShown,
} from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { WriteTenants } from './write-tenants.js';

type Place = Pick<TenantKey, 'company_id' | 'location_id'>;

interface Person {
  readonly place: Place;
  readonly name: string;
  readonly phone: string;
  /** A tenant has typed the name, and the number is not proven to be this person's. */
  readonly isNameHidden?: boolean;
}

/** A kind of accounts of which a location, or a company, has one for each phone. */
interface OwnKind {
  readonly idOf: (tenant_id: string) => string;
  /** What has one account for a phone. */
  readonly scopeOf: (place: Place) => string;
  /** Whether an account of the company with the phone is one of these. */
  readonly isMeant: (account: TenantAccount, place: Place) => boolean;
  readonly isErasedWhenIdle: boolean;
}

const GUEST: OwnKind = {
  idOf: guestId,
  scopeOf: ({ location_id }) => `guest ${location_id}`,
  isMeant: (account, { location_id }) =>
    account.location_id === location_id && !isPassHolderId(account.pms_tenant_id),
  isErasedWhenIdle: true,
};

const PASS_HOLDER: OwnKind = {
  idOf: passHolderId,
  scopeOf: ({ company_id }) => `pass ${company_id}`,
  isMeant: ({ pms_tenant_id }) => isPassHolderId(pms_tenant_id),
  isErasedWhenIdle: true,
};

const BY_HAND: OwnKind = {
  idOf: byHandId,
  scopeOf: ({ location_id }) => `hand ${location_id}`,
  isMeant: (account, { location_id }) =>
    account.location_id === location_id && !isOwnId(account.pms_tenant_id),
  isErasedWhenIdle: false,
};

/**
 * Accounts of people whom no PMS knows, by their phones. Those who look for the same phone at the same time, in whichever
 * processes, get the same account. Every method throws StoreUnavailableError.
 */
@Injectable()
export class OwnAccounts {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly changes: AccountChanges,
    private readonly commands: CommandBus,
    private readonly clocks: CompanyClocks,
    private readonly guests: GuestAccounts,
    private readonly claims: PhoneClaims,
  ) {}

  /**
   * Creates an account for somebody with whom a unit is shared. `taken`: an account of the location has the phone. One that
   * holds passes does not count.
   */
  async createGuest(guest: Person, context: WriteContext): Promise<TenantAccount | 'taken'> {
    const account = await this.#findOrCreate(GUEST, guest, context);
    return account.tenant_id === context.command_id ? account : 'taken';
  }

  /** The location's first account with the phone, but for those that hold passes. If there is none, a new one, with the name. */
  findOrCreateGuest(guest: Person, context: WriteContext): Promise<TenantAccount> {
    return this.#findOrCreate(GUEST, guest, context);
  }

  /**
   * The person has proven to be the one whom a tenant calls so. Another name stays hidden: another tenant may have typed it for
   * somebody else, with a wrong digit.
   */
  async showName(tenant_id: string, typed: string | null): Promise<void> {
    await untilItHolds(async () => {
      const [before] = await this.accounts.byTenantId([tenant_id]);
      if (before?.is_name_hidden !== true || before.name !== typed) return undefined;
      const after = { ...withNameShown(before), version: before.version + 1 };
      const [isStored] = await this.changes.store([{ before, after }]);
      return isStored ? undefined : OVERTAKEN;
    });
  }

  /** The account that holds the passes of a phone in a company. It is made at the location if there is none. */
  findOrCreatePassHolder(holder: Person, context: WriteContext): Promise<TenantAccount> {
    return this.#findOrCreate(PASS_HOLDER, holder, context);
  }

  /** The account that `findOrCreateGuest` finds. Undefined: it makes one. */
  async findGuest(place: Place, phone: string): Promise<TenantAccount | undefined> {
    const [first] = await this.#list(GUEST, place, phone);
    return first;
  }

  /** The tenants of the location with the phone, oldest first, without guests and holders of passes. */
  listTenants(place: Place, phone: string): Promise<TenantAccount[]> {
    return this.#list(BY_HAND, place, phone);
  }

  /** The first of `listTenants`. If there is none, a new one, with the name. */
  findOrCreateByHand(tenant: Person, context: WriteContext): Promise<TenantAccount> {
    return this.#findOrCreate(BY_HAND, tenant, context);
  }

  /**
   * A new account has the id of the command, unless another one has begun to make it. A retry of the command gets the account
   * that it made, even if that has lost the phone or was erased since: the caller decides what becomes of it.
   */
  #findOrCreate(kind: OwnKind, person: Person, context: WriteContext): Promise<TenantAccount> {
    const { place, phone } = person;
    const wanted = { tenant_id: context.command_id, location_id: place.location_id };
    return untilItHolds(async () => {
      const [known] = await this.#list(kind, place, phone);
      if (known !== undefined) return known;
      const claim = await this.claims.claim(phone, kind.scopeOf(place), wanted);
      if (claim === undefined) return OVERTAKEN;
      const [claimed] = await this.accounts.byTenantId([claim.tenant_id]);
      if (claimed === undefined) return this.#create(kind, person, claim, context);
      const isOfThisCommand = claimed.tenant_id === wanted.tenant_id;
      if (claimed.phone === phone || isOfThisCommand) return claimed;
      await this.claims.replace(claim, wanted);
      return OVERTAKEN;
    });
  }

  async #list({ isMeant }: OwnKind, place: Place, phone: string): Promise<TenantAccount[]> {
    const known = await this.accounts.withPhone(place.company_id, phone);
    return known.filter((account) => isMeant(account, place));
  }

  /** Its event is stored once, whichever processes create it. */
  async #create(
    kind: OwnKind,
    { place: { company_id }, name, phone, isNameHidden = false }: Person,
    { tenant_id, location_id }: ClaimedAccount,
    context: WriteContext,
  ): Promise<TenantAccount | typeof OVERTAKEN> {
    // Before the account: so each guest is found that is to be erased some day.
    if (kind.isErasedWhenIdle) await this.guests.add({ _id: tenant_id, company_id });
    const key = { company_id, location_id, pms_tenant_id: kind.idOf(tenant_id) };
    const account = newAccount(key, tenant_id, await this.clocks.now(company_id));
    const named = withDetails(account, { name, phone });
    const after: TenantAccount = isNameHidden ? { ...named, is_name_hidden: true } : named;
    const fields = changedFields(undefined, after);
    const command = { type: 'RecordFirstDetails', company_id, location_id, fields } as const;
    await this.commands.execute(new WriteTenants(company_id, [{ tenant_id, command }], context));
    const [isStored] = await this.changes.store([{ before: undefined, after }]);
    return isStored ? after : OVERTAKEN;
  }
}
