import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { hashOf } from '#kernel/credential-hash.js';
import { CLOCK, IDS, RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { unauthorized } from '#kernel/errors/api-error.js';
import { isInScope, type OperatorPrincipal, type OperatorScope, type Site } from '#kernel/principals.js';
import type { OperatorState } from './core/operator.decide.js';
import type { CompanyRights, OperatorRights } from './core/operator.events.js';
import type { SecondFactor } from './core/second-factor.js';
import { type Invitation, invitationSha256 } from './invitation.js';
import type { SignInWays } from './sign-in-ways.js';

/** A person who runs facilities. `_id` is the operator's ULID, by which events name them. */
export interface OperatorRecord extends OperatorRights, SignInWays {
  readonly _id: string;
  readonly version: number;
  readonly email: string;
  /** The form in which e-mails are compared. */
  readonly email_key: string;
  /** argon2id, PHC format. */
  readonly password_hash: string;
  /** The hash of the last password that the environment named. Null if the environment never named this operator. */
  readonly environment_hash: string | null;
  /** The open invitation. Null if there is none. */
  readonly invitation: Invitation | null;
  readonly second_factor: SecondFactor | null;
  /** Rises with every change of password, second factor or rights. Sessions with a lower version are over. */
  readonly rights_version: number;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** The `command_id` that added the operator. Records of old versions have none. */
  readonly added_by?: string;
}

/**
 * The record as it is stored. A release that does not know `sites` reads `companies` alone, so that field holds
 * `NO_COMPANY` for an operator of sites: such a release shows these operators nothing, and shows them to no admin of some
 * companies. An empty list would show them to every admin.
 */
export type StoredOperator = Omit<OperatorRecord, 'sites' | keyof typeof BEFORE> &
  Partial<Pick<OperatorRecord, keyof typeof BEFORE>> & {
    readonly sites?: { readonly companies: readonly string[] | null; readonly locations: readonly Site[] };
    /** `subject_sha256` of `sign_on`, for the index. */
    readonly sign_on_key?: string;
  };

/** What records say that were stored before there were these fields. */
const BEFORE = {
  password_state: 'chosen',
  invitation: null,
  sign_on: null,
  password_allowed: false,
} as const;

/** An id that no company has. */
const NO_COMPANY: readonly string[] = ['0'.repeat(26)];

export const OPERATORS: CollectionDeclaration<StoredOperator> = {
  name: 'operators',
  indexes: {
    by_email: { fields: ['email_key'], unique: true },
    by_created_at: { fields: ['created_at'] },
    by_sign_on: { fields: ['sign_on_key'], unique: true },
  },
};

/** `_id` is the hash of the e-mail of a removed operator. The start of the service does not add this operator again. */
const REMOVED: CollectionDeclaration = { name: 'removed_operators', indexes: {} };

function storedOf({ sites, ...others }: OperatorRecord): StoredOperator {
  const { companies, sign_on } = others;
  const record = { ...others, ...(sign_on !== null && { sign_on_key: sign_on.subject_sha256 }) };
  if (sites === null) return record;
  return { ...record, companies: NO_COMPANY, sites: { companies, locations: sites } };
}

function recordOf({ sites, sign_on_key: _, ...stored }: StoredOperator): OperatorRecord {
  if (sites === undefined) return { ...BEFORE, ...stored, sites: null };
  return { ...BEFORE, ...stored, companies: sites.companies, sites: sites.locations };
}

/** What operators with these rights see. For those of sites, both `sites` and `companies` must hold. */
export function scopeOf({ companies, sites }: CompanyRights & Pick<OperatorRights, 'sites'>): OperatorScope {
  if (sites === null) return { companies, sites };
  return { companies: [], sites: sites.filter(({ company_id }) => isInScope({ companies }, company_id)) };
}

/** The operator as a caller, with the rights of now. */
export function principalOf(operator: OperatorRecord): OperatorPrincipal {
  const { _id: id, role, rights_version } = operator;
  return { kind: 'operator', id, role, ...scopeOf(operator), rights_version };
}

/** E-mails that differ only in case or surrounding space name the same operator. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The hashes that events hold of an operator's stored credentials (decisions §7). */
export function credentialsOf({
  password_hash,
  second_factor: factor,
  invitation,
  sign_on,
}: Pick<OperatorRecord, 'password_hash' | 'second_factor' | 'invitation' | 'sign_on'>): Pick<
  OperatorState,
  'password_sha256' | 'factor_sha256' | 'invitation_sha256' | 'sign_on_sha256'
> {
  return {
    password_sha256: hashOf(password_hash),
    factor_sha256:
      factor === null ? null : hashOf(JSON.stringify([factor.sealed_secret, factor.recovery_hashes])),
    invitation_sha256: invitation === null ? null : invitationSha256(invitation),
    sign_on_sha256: sign_on?.subject_sha256 ?? null,
  };
}

/** The records of operators. Every method that reads or writes throws StoreUnavailableError. */
@Injectable()
export class Operators {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** Makes a record, which `insert` then stores. */
  draft(
    details: OperatorRights &
      Pick<OperatorRecord, 'email' | 'password_hash' | 'password_state' | 'environment_hash' | 'added_by'>,
  ): OperatorRecord {
    const made = { _id: this.ids.ulid(), version: 1, rights_version: 1, created_at: this.clock.now() };
    const without = { second_factor: null, invitation: null, sign_on: null, password_allowed: false };
    return { ...made, ...without, ...details, email_key: emailKey(details.email) };
  }

  /** All operators, oldest first. */
  async all(): Promise<OperatorRecord[]> {
    return (await wholeList(await this.#open(), 'by_created_at', { equals: [] })).map(recordOf);
  }

  async byId(operator_id: string): Promise<OperatorRecord | undefined> {
    const stored = await (await this.#open()).get(operator_id);
    return stored && recordOf(stored);
  }

  /**
   * Reads the signed-in operator. Call it again after every wait (decisions §6).
   * @throws ApiError 401 if the operator was removed, or password or rights changed, since the request was admitted
   */
  async assertRights({ id, rights_version }: OperatorPrincipal): Promise<OperatorRecord> {
    const operator = await this.byId(id);
    if (operator === undefined || operator.disabled || operator.rights_version !== rights_version)
      throw unauthorized();
    return operator;
  }

  async byEmail(email: string): Promise<OperatorRecord | undefined> {
    const page = await (await this.#open()).find('by_email', { equals: [emailKey(email)], limit: 1 });
    const [stored] = page.documents;
    return stored && recordOf(stored);
  }

  /** @param subject_sha256 of the person at the provider of single sign-on */
  async bySignOn(subject_sha256: string): Promise<OperatorRecord | undefined> {
    const page = await (await this.#open()).find('by_sign_on', { equals: [subject_sha256], limit: 1 });
    const [stored] = page.documents;
    return stored && recordOf(stored);
  }

  /** The e-mails of operators, by their ids. Removed operators are absent. */
  async namesOf(operator_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await (await this.#open()).getMany(operator_ids);
    return new Map(
      found.flatMap((operator) => (operator === undefined ? [] : [[operator._id, operator.email]])),
    );
  }

  /** Returns `duplicate` if another operator has this e-mail, or is linked to the same person. */
  async insert(operator: OperatorRecord): Promise<WriteOutcome['kind']> {
    return writeOne(this.records, OPERATORS, { kind: 'insert', document: storedOf(operator) });
  }

  /** Deletes a record that was inserted after the lease had been lost. No other record has this `_id` and version. */
  async undoInsert({ _id, version }: OperatorRecord): Promise<void> {
    await writeOne(this.records, OPERATORS, { kind: 'delete', id: _id, expected: version });
  }

  /** Replaces `before` by `after`. Returns `version_conflict` if the record is no longer `before`. */
  async replace(before: OperatorRecord, after: OperatorRecord): Promise<WriteOutcome['kind']> {
    const document = storedOf({ ...after, version: before.version + 1 });
    if (before.email_key !== after.email_key) await this.#noteRemoved(before.email_key);
    const write = { kind: 'compare_and_set', expected: before.version, document } as const;
    return writeOne(this.records, OPERATORS, write);
  }

  /** Deletes the record. Returns `version_conflict` if it has changed since it was read. */
  async remove({ _id, email_key, version }: OperatorRecord): Promise<WriteOutcome['kind']> {
    await this.#noteRemoved(email_key);
    return writeOne(this.records, OPERATORS, { kind: 'delete', id: _id, expected: version });
  }

  async #noteRemoved(email_key: string): Promise<void> {
    const document: StoredDocument = { _id: hashOf(email_key) };
    await writeOne(this.records, REMOVED, { kind: 'put', document });
  }

  /** True if the operator with this e-mail was removed or got another e-mail. */
  async wasRemoved(email: string): Promise<boolean> {
    return (await (await this.records.collection(REMOVED)).get(hashOf(emailKey(email)))) !== undefined;
  }

  #open(): Promise<Collection<StoredOperator>> {
    return this.records.collection(OPERATORS);
  }
}
