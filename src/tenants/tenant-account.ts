import { searchTerms } from './core/search-terms.js';
import { DETAIL_FIELDS, type DetailField } from './core/tenant.events.js';
import type { CollectionDeclaration, DocumentWrite, StoredDocument } from '../documents/document-store.js';

/** What makes a tenant account one account: the same PMS tenant at the same location of the same company. */
export interface TenantKey {
  readonly company_id: string;
  readonly location_id: string;
  readonly pms_tenant_id: string;
}

/** A tenant account with its personal details, which live here and nowhere else. */
export interface TenantAccount extends StoredDocument, TenantKey {
  /** ULID by which events, views and the app name the tenant. Fixed for ever, erasure included. */
  readonly tenant_id: string;
  /** null while only a flat push write has named the tenant, and after an erasure. */
  readonly name: string | null;
  readonly email: string | null;
  /** International, with a leading `+`. Several accounts may share one. */
  readonly phone: string | null;
  /** Empty while there are no personal details. */
  readonly search_terms: readonly string[];
  /** Milliseconds: when the personal details were erased; null while they stand. */
  readonly erased_at: number | null;
  readonly created_at: number;
  readonly version: number;
}

/** Personal details as a write states them: an absent field leaves what is stored, null clears it. */
export interface PersonalDetails {
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Personal details of one account, as whoever names its person states them. */
export interface TenantDetails extends PersonalDetails {
  readonly key: TenantKey;
  readonly name: string;
}

export const TENANT_ACCOUNTS: CollectionDeclaration<TenantAccount> = {
  name: 'tenant_accounts',
  indexes: {
    tenant_id: { fields: ['tenant_id'], unique: true },
    phone: { fields: ['phone', 'company_id'], sparse: true },
    by_location: { fields: ['location_id', 'tenant_id'] },
    by_term: { fields: ['company_id', 'search_terms', 'tenant_id'], list: 'search_terms' },
  },
};

/**
 * The natural key as a document id. The first two parts are ULIDs, which hold no `/`, so whatever the PMS calls its
 * tenant cannot make two keys meet.
 */
export function accountId(key: TenantKey): string {
  return `${key.company_id}/${key.location_id}/${key.pms_tenant_id}`;
}

/** Held while a command may create or complete accounts of this name (`CommandRunner.alone`). */
export function tenantName(company_id: string, pms_tenant_id: string): string {
  return `tenant ${company_id} ${pms_tenant_id}`;
}

export function accountInsert(document: TenantAccount): DocumentWrite {
  return { kind: 'insert', collection: TENANT_ACCOUNTS.name, document };
}

/** An account that a write names for the first time. */
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

/** The details of which the accounts differ. */
export function changedFields(before: TenantAccount | undefined, after: TenantAccount): DetailField[] {
  return DETAIL_FIELDS.filter((field) => (before?.[field] ?? null) !== after[field]);
}

/**
 * The account with new details, at its next version; the same object where nothing differs. Details that are given
 * after an erasure make the account a person's again: whose word does not do that is the caller's to know.
 */
export function withDetails(account: TenantAccount, details: PersonalDetails): TenantAccount {
  const name = details.name === undefined ? account.name : details.name;
  const email = details.email === undefined ? account.email : details.email;
  const phone = details.phone === undefined ? account.phone : details.phone;
  if (name === account.name && email === account.email && phone === account.phone) return account;
  const someone = name !== null || email !== null || phone !== null;
  const erased_at = someone ? null : account.erased_at;
  const search_terms = searchTerms({ name, email, phone });
  return { ...account, name, email, phone, search_terms, erased_at, version: account.version + 1 };
}

/** The account without a person, at its next version; the same object where it already is. */
export function erased(account: TenantAccount, now: number): TenantAccount {
  if (account.erased_at !== null) return account;
  const nobody = { name: null, email: null, phone: null, search_terms: [] };
  return { ...account, ...nobody, erased_at: now, version: account.version + 1 };
}
