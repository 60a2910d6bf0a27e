import { Inject, Injectable } from '@nestjs/common';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, RECORDS } from '#kernel/injection-tokens.js';

export interface IdleTime {
  /** Milliseconds. */
  readonly since: number;
  /** The revisions of all that the account ever had: they tell whether it had something for a time since. */
  readonly had: string;
}

/** An account that no PMS knows, of a guest or a holder of passes, as far as it is not known to be erased. `_id` is its tenant_id. */
export interface GuestAccount {
  readonly _id: string;
  readonly version: number;
  readonly company_id: string;
  /** When somebody looks next whether it shares anything, in milliseconds of the real time. */
  readonly look_at: number;
  /** Since when it has nothing, by the company's clock. Null: it had something when somebody looked last. */
  readonly idle: IdleTime | null;
}

const GUEST_ACCOUNTS: CollectionDeclaration<GuestAccount> = {
  name: 'guest_accounts',
  indexes: { by_look: { fields: ['look_at'] } },
};

/** Milliseconds between two looks at an account. */
const LOOK_EVERY_MS = 24 * 60 * 60_000;

/** The list of guests, of whom those who have nothing any more are erased. Every method throws StoreUnavailableError. */
@Injectable()
export class GuestAccounts {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Does nothing if it is listed. */
  async add({ _id, company_id }: Pick<GuestAccount, '_id' | 'company_id'>): Promise<void> {
    const document: GuestAccount = { _id, company_id, look_at: this.#nextLook(), idle: null, version: 1 };
    await writeOne(this.records, GUEST_ACCOUNTS, { kind: 'insert', document });
  }

  /** Those that are to be looked at now, the longest waiting first. */
  async listDue(limit: number): Promise<GuestAccount[]> {
    const range = { equals: [], to: this.clock.now(), limit };
    return (await (await this.#open()).find('by_look', range)).documents;
  }

  /** If another process was first, its look counts. */
  async keepLook(before: GuestAccount, idle: GuestAccount['idle']): Promise<void> {
    const document = { ...before, idle, look_at: this.#nextLook(), version: before.version + 1 };
    const write = { kind: 'compare_and_set', expected: before.version, document } as const;
    await writeOne(this.records, GUEST_ACCOUNTS, write);
  }

  /** Nothing is left to erase. */
  async remove({ _id }: GuestAccount): Promise<void> {
    await writeOne(this.records, GUEST_ACCOUNTS, { kind: 'delete', id: _id });
  }

  #nextLook(): number {
    return this.clock.now() + LOOK_EVERY_MS;
  }

  #open(): Promise<Collection<GuestAccount>> {
    return this.records.collection(GUEST_ACCOUNTS);
  }
}
