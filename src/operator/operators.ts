import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import { type Ids, hashOf } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
  WriteOutcome,
} from '../documents/document-store.js';
import { wholeList } from '../documents/pages.js';
import { unauthorized } from '../http/api-error.js';
import type { OperatorPrincipal } from '../http/authentication.js';
import type { OperatorState } from './core/operator.decide.js';
import type { OperatorRights } from './core/operator.events.js';
import type { SecondFactor } from './core/second-factor.js';

/** A person who runs facilities. `_id` is the operator's ULID, by which events name them. */
export interface OperatorRecord extends OperatorRights {
  readonly _id: string;
  readonly version: number;
  /** As it was given. */
  readonly email: string;
  /** The form in which e-mails are compared. */
  readonly email_key: string;
  /** argon2id, PHC format. */
  readonly password_hash: string;
  /** The same of the password that the environment named last; null where it never named this operator. */
  readonly environment_hash: string | null;
  readonly second_factor: SecondFactor | null;
  /** Rises with every change of password, second factor or rights: sessions that were opened before end. */
  readonly rights_version: number;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** The `command_id` that made it. Accounts of old have none. */
  readonly added_by?: string;
}

const OPERATORS: CollectionDeclaration<OperatorRecord> = {
  name: 'operators',
  indexes: { by_email: { fields: ['email_key'], unique: true }, by_created_at: { fields: ['created_at'] } },
};

/** `_id` is the hash of the e-mail of an operator who was removed: the environment does not bring them back. */
const REMOVED: CollectionDeclaration = { name: 'removed_operators', indexes: {} };

/** E-mails that differ only in case or surrounding space are one. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The hashes by which events name the stored credentials of an operator (decisions §7). */
export function credentialsOf({
  password_hash,
  second_factor: factor,
}: Pick<OperatorRecord, 'password_hash' | 'second_factor'>): Pick<
  OperatorState,
  'password_sha256' | 'factor_sha256'
> {
  return {
    password_sha256: hashOf(password_hash),
    factor_sha256:
      factor === null ? null : hashOf(JSON.stringify([factor.sealed_secret, factor.recovery_hashes])),
  };
}

/** The operators' accounts, as they are kept. @throws StoreUnavailableError from every method */
@Injectable()
export class Operators {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** A new account, which `insert` stores. */
  draft(
    details: OperatorRights &
      Pick<OperatorRecord, 'email' | 'password_hash' | 'environment_hash' | 'added_by'>,
  ): OperatorRecord {
    const made = { _id: this.ids.ulid(), version: 1, rights_version: 1, created_at: this.clock.now() };
    const second_factor = null;
    return { ...made, second_factor, ...details, email_key: emailKey(details.email) };
  }

  /** In the order they were made. */
  async all(): Promise<OperatorRecord[]> {
    return wholeList(await this.#open(), 'by_created_at', { equals: [] });
  }

  async byId(operator_id: string): Promise<OperatorRecord | undefined> {
    return (await this.#open()).get(operator_id);
  }

  /**
   * Reads the operator who asks. To be called again after every wait (decisions §6).
   * @throws ApiError 401 where password or rights were changed, or the operator removed, since they were admitted
   */
  async demandRights({ id, rights_version }: OperatorPrincipal): Promise<OperatorRecord> {
    const operator = await this.byId(id);
    if (operator === undefined || operator.disabled || operator.rights_version !== rights_version)
      throw unauthorized();
    return operator;
  }

  async byEmail(email: string): Promise<OperatorRecord | undefined> {
    const page = await (await this.#open()).find('by_email', { equals: [emailKey(email)], limit: 1 });
    return page.documents[0];
  }

  /** The names of operators for a history. One who is gone is absent. */
  async namesOf(operator_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await (await this.#open()).getMany(operator_ids);
    return new Map(
      found.flatMap((operator) => (operator === undefined ? [] : [[operator._id, operator.email]])),
    );
  }

  /** `duplicate` where there is one with this e-mail. */
  async insert(document: OperatorRecord): Promise<WriteOutcome['kind']> {
    return this.#write({ kind: 'insert', collection: OPERATORS.name, document });
  }

  /** Removes an account that was inserted without the right to. Another with its `_id` and version there is none. */
  async takeBack({ _id, version }: OperatorRecord): Promise<void> {
    await this.#write({ kind: 'delete', collection: OPERATORS.name, id: _id, expected: version });
  }

  /** Puts `after` in the place of `before`: `version_conflict` where that is not what stands there. */
  async replace(before: OperatorRecord, after: OperatorRecord): Promise<WriteOutcome['kind']> {
    const document = { ...after, version: before.version + 1 };
    if (before.email_key !== after.email_key) await this.#retire(before.email_key);
    return this.#write({
      kind: 'compare_and_set',
      collection: OPERATORS.name,
      expected: before.version,
      document,
    });
  }

  /** Removes the account as it was read: `version_conflict` where another stands there. */
  async remove({ _id, email_key, version }: OperatorRecord): Promise<WriteOutcome['kind']> {
    await this.#retire(email_key);
    return this.#write({ kind: 'delete', collection: OPERATORS.name, id: _id, expected: version });
  }

  async #retire(email_key: string): Promise<void> {
    await this.records.collection(REMOVED);
    const document: StoredDocument = { _id: hashOf(email_key) };
    await this.#write({ kind: 'put', collection: REMOVED.name, document });
  }

  /** Whether an operator with this e-mail was removed, or goes by another one since. */
  async wasRemoved(email: string): Promise<boolean> {
    return (await (await this.records.collection(REMOVED)).get(hashOf(emailKey(email)))) !== undefined;
  }

  async #write(write: DocumentWrite): Promise<WriteOutcome['kind']> {
    await this.#open();
    const [outcome] = await this.records.write([write]);
    return outcome!.kind;
  }

  #open(): Promise<Collection<OperatorRecord>> {
    return this.records.collection(OPERATORS);
  }
}
