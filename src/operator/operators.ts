import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, RECORDS } from '../config/injection-tokens.js';
import type { Collection, CollectionDeclaration, DocumentStore } from '../documents/document-store.js';
import { hashPassword, isPassword } from './passwords.js';

/** A person who runs facilities. `_id` is the operator's ULID, by which events and audit entries name them. */
export interface OperatorRecord {
  readonly _id: string;
  readonly version: number;
  /** As it was given. */
  readonly email: string;
  /** The form in which e-mails are compared. */
  readonly email_key: string;
  /** argon2id, PHC format. */
  readonly password_hash: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

const OPERATORS: CollectionDeclaration<OperatorRecord> = {
  name: 'operators',
  indexes: { by_email: { fields: ['email_key'], unique: true }, by_created_at: { fields: ['created_at'] } },
};

/** E-mails that differ only in case or surrounding space are one. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The operators' accounts and passwords. @throws StoreUnavailableError from every method */
@Injectable()
export class Operators {
  #decoy: Promise<string> | undefined;

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  async any(): Promise<OperatorRecord | undefined> {
    const page = await (await this.#open()).find('by_created_at', { equals: [], limit: 1 });
    return page.documents[0];
  }

  async byEmail(email: string): Promise<OperatorRecord | undefined> {
    const page = await (await this.#open()).find('by_email', { equals: [emailKey(email)], limit: 1 });
    return page.documents[0];
  }

  /** What each is called in a history; one who is gone is absent. */
  async namesOf(operator_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await (await this.#open()).getMany(operator_ids);
    return new Map(
      found.flatMap((operator) => (operator === undefined ? [] : [[operator._id, operator.email]])),
    );
  }

  /** The operator with this e-mail and password. An unknown e-mail costs the same work as a wrong password. */
  async withPassword(email: string, password: string): Promise<OperatorRecord | undefined> {
    this.#decoy ??= hashPassword(this.ids.secret());
    const decoy = await this.#decoy;
    const operator = await this.byEmail(email);
    const matches = await isPassword(password, operator?.password_hash ?? decoy);
    return matches ? operator : undefined;
  }

  /** False where another process made one with this e-mail first. */
  async create(email: string, password: string): Promise<boolean> {
    const document: OperatorRecord = {
      _id: this.ids.ulid(),
      version: 1,
      email,
      email_key: emailKey(email),
      password_hash: await hashPassword(password),
      created_at: this.clock.now(),
    };
    await this.#open();
    const [outcome] = await this.records.write([{ kind: 'insert', collection: OPERATORS.name, document }]);
    return outcome?.kind === 'written';
  }

  /** Gives the operator another password, unless another process has just done so. */
  async changePassword(operator: OperatorRecord, password: string): Promise<void> {
    const document = {
      ...operator,
      version: operator.version + 1,
      password_hash: await hashPassword(password),
    };
    await this.#open();
    await this.records.write([
      { kind: 'compare_and_set', collection: OPERATORS.name, expected: operator.version, document },
    ]);
  }

  #open(): Promise<Collection<OperatorRecord>> {
    return this.records.collection(OPERATORS);
  }
}
