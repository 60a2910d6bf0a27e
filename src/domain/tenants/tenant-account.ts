import type {
  CollectionDeclaration,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { searchTerms } from './core/search-terms.js';
import { DETAIL_FIELDS, type DetailField } from './core/tenant.events.js';

/** The identity of an account: a PMS tenant at a location of a company. */
export interface TenantKey {
  readonly company_id: string;
  readonly location_id: string;
  readonly pms_tenant_id: string;
}

/** A tenant account. Only this record contains the personal details. */
export interface TenantAccount extends StoredDocument, TenantKey {
  /** ULID. Events, views and the app use it. Never changes, not even by an erasure. */
  readonly tenant_id: string;
  /** null if no write has given a name yet, and after an erasure. */
  readonly name: string | null;
  /**
   * The name is what a tenant typed to invite somebody by phone. The number may be mistyped, so its owner does not read the
   * name before the code was entered. Absent: the owner reads it.
   */
  readonly is_name_hidden?: true;
  readonly email: string | null;
  /** International, with a leading `+`. Several accounts may share one. */
  readonly phone: string | null;
  /** Empty while there are no personal details. */
  readonly search_terms: readonly string[];
  /**
   * The newest instant (milliseconds) of which a bulk spoke that changed the details. Absent if none did, and in records of
   * earlier versions.
   */
  readonly details_stated_at?: number;
  /**
   * The last call about a lockout; whether it still holds depends on the day. Null: it was taken back. Absent: none, and in
   * records of earlier versions.
   */
  readonly called?: TenantCall | null;
  /** As in `called`, for the index. */
  readonly called_at?: number | null;
  /** Instant of the erasure (milliseconds); null: not erased. */
  readonly erased_at: number | null;
  readonly created_at: number;
  readonly version: number;
}

/** An operator has called the person. */
export interface TenantCall {
  /** Milliseconds, by the company's clock. */
  readonly at: number;
  /** The operator's id. */
  readonly by: string;
}

/** New personal details. An absent field does not change; null clears it. */
export interface PersonalDetails {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  /** Absent: an operator gives the details. */
  readonly statement?: SourceStatement;
}

/** What a source says of the time of its details. */
export interface SourceStatement {
  /** The instant of which it speaks, in milliseconds. */
  readonly at: number;
  /** True: the source says when it took the state, so details of a later instant stay. */
  readonly isSnapshot: boolean;
}

export interface TenantDetails extends PersonalDetails {
  readonly key: TenantKey;
  readonly name: string;
}

export const TENANT_ACCOUNTS: CollectionDeclaration<TenantAccount> = {
  name: 'tenant_accounts',
  indexes: {
    tenant_id: { fields: ['tenant_id'], unique: true },
    phone: { fields: ['phone', 'company_id'], sparse: true },
    by_call: { fields: ['company_id', 'called_at'], sparse: true },
    by_location: { fields: ['location_id', 'tenant_id'] },
    by_term: { fields: ['company_id', 'search_terms', 'tenant_id'], list: 'search_terms' },
  },
};

/**
 * The natural key as a document id. The first two parts are ULIDs without `/`, so no `pms_tenant_id` can make two keys
 * equal.
 */
export function accountId(key: TenantKey): string {
  return `${key.company_id}/${key.location_id}/${key.pms_tenant_id}`;
}

const GUEST = /^guest-[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The identifier of an account that no PMS has made. */
export function guestId(tenant_id: string): string {
  return `guest-${tenant_id}`;
}

/** Whether an account is of somebody with whom units are shared, and whom no PMS knows. */
export function isGuestId(pms_tenant_id: string): boolean {
  return GUEST.test(pms_tenant_id);
}

const PASS_HOLDER = /^pass-[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The identifier of an account that holds passes: one for each phone in a company. */
export function passHolderId(tenant_id: string): string {
  return `pass-${tenant_id}`;
}

export function isPassHolderId(pms_tenant_id: string): boolean {
  return PASS_HOLDER.test(pms_tenant_id);
}

/** Whether an account is of a guest or of a holder of passes. */
export function isOwnId(pms_tenant_id: string): boolean {
  return isGuestId(pms_tenant_id) || isPassHolderId(pms_tenant_id);
}

const BY_HAND = /^hand-[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The identifier of a tenant whom an operator moved in by name and phone. */
export function byHandId(command_id: string): string {
  return `hand-${command_id}`;
}

/** Whether an identifier is the service's own: pages do not show it as one of the PMS. */
export function isInNoPms(pms_tenant_id: string): boolean {
  return isOwnId(pms_tenant_id) || BY_HAND.test(pms_tenant_id);
}

/** Name of the lock that commands hold while they create or complete accounts (`CommandRunner.alone`). */
export function tenantName(company_id: string, pms_tenant_id: string): string {
  return `tenant ${company_id} ${pms_tenant_id}`;
}

export function accountInsert(document: TenantAccount): DocumentWrite {
  return { kind: 'insert', collection: TENANT_ACCOUNTS.name, document };
}

export function newAccount(key: TenantKey, tenant_id: string, now: number): TenantAccount {
  return {
    _id: accountId(key),
    company_id: key.company_id,
    location_id: key.location_id,
    pms_tenant_id: key.pms_tenant_id,
    tenant_id,
    name: null,
    email: null,
    phone: null,
    search_terms: [],
    erased_at: null,
    created_at: now,
    version: 0,
  };
}

export function changedFields(before: TenantAccount | undefined, after: TenantAccount): DetailField[] {
  return DETAIL_FIELDS.filter((field) => (before?.[field] ?? null) !== after[field]);
}

/**
 * The account with new details and its next version; the same object if nothing differs. Details after an erasure end the
 * erased state: the caller must refuse writers that may not do that.
 */
export function withDetails(account: TenantAccount, details: PersonalDetails): TenantAccount {
  const name = details.name === undefined ? account.name : details.name;
  const email = details.email === undefined ? account.email : details.email;
  const phone = details.phone === undefined ? account.phone : details.phone;
  if (changedFields(account, { ...account, name, email, phone }).length === 0) return account;
  const hasDetails = name !== null || email !== null || phone !== null;
  const erased_at = hasDetails ? null : account.erased_at;
  const search_terms = searchTerms({ name, email, phone });
  const shown = details.name === undefined ? account : withNameShown(account);
  const changed = { ...shown, name, email, phone, search_terms, erased_at, version: account.version + 1 };
  return details.statement === undefined ? changed : withStatement(changed, details.statement);
}

/** The name as the app of the account reads it. */
export function nameToOwner({ name, is_name_hidden }: TenantAccount): string {
  return is_name_hidden === true ? '' : (name ?? '');
}

/** The account as it is, but for its version. */
export function withNameShown({ is_name_hidden: _, ...account }: TenantAccount): TenantAccount {
  return account;
}

/** The instant never goes back. */
function withStatement(account: TenantAccount, { at }: SourceStatement): TenantAccount {
  return { ...account, details_stated_at: Math.max(account.details_stated_at ?? 0, at) };
}

/** True if details were changed by what is newer than the snapshot that these come from (decisions §3). */
export function isSuperseded(account: TenantAccount, { statement }: PersonalDetails): boolean {
  return statement?.isSnapshot === true && (account.details_stated_at ?? 0) > statement.at;
}

/** The account without personal details, with its next version; the same object if it is erased already. */
export function erased(account: TenantAccount, now: number): TenantAccount {
  if (account.erased_at !== null) return account;
  const noDetails = { name: null, email: null, phone: null, search_terms: [] };
  return { ...withNameShown(account), ...noDetails, erased_at: now, version: account.version + 1 };
}

/** The account with another call, or without one, and its next version. */
export function withCall(account: TenantAccount, called: TenantCall | null): TenantAccount {
  return { ...account, called, called_at: called?.at ?? null, version: account.version + 1 };
}

/** The accounts that the same command has created, by `_id`. */
export type CreatedAccounts = ReadonlyMap<string, TenantAccount>;
