import { Inject, Injectable } from '@nestjs/common';
import type { CollectionDeclaration, DocumentStore } from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { Clock } from '#kernel/clock.js';
import { hashOf } from '#kernel/credential-hash.js';
import { CLOCK, RECORDS } from '#kernel/injection-tokens.js';

/** What the account is to be that is made for a phone. */
export interface ClaimedAccount {
  readonly tenant_id: string;
  readonly location_id: string;
}

/** `_id` is a hash of the phone and of what has one account for it. */
export interface PhoneClaim extends ClaimedAccount {
  readonly _id: string;
  readonly version: number;
  /** Milliseconds. */
  readonly expires_at: number;
}

const PHONE_CLAIMS: CollectionDeclaration<PhoneClaim> = {
  name: 'phone_claims',
  indexes: {},
  expiry: 'expires_at',
};

/** Longer than a process may be suspended between its claim and its account. */
const CLAIMED_FOR_MS = 24 * 60 * 60_000;

/**
 * Accounts that are being made for a phone. The first claim decides what the account is: so processes that make one at the
 * same time make the same, and so does whoever comes after a process that ended in between. Every method throws
 * StoreUnavailableError.
 */
@Injectable()
export class PhoneClaims {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The claim that stands: this one, or an earlier one. Undefined if the earlier one has just expired. */
  async claim(phone: string, scope: string, account: ClaimedAccount): Promise<PhoneClaim | undefined> {
    const document = { _id: hashOf(`${scope} ${phone}`), ...account, version: 1, expires_at: this.#expiry() };
    const outcome = await writeOne(this.records, PHONE_CLAIMS, { kind: 'insert', document });
    if (outcome === 'written') return document;
    return (await this.records.collection(PHONE_CLAIMS)).get(document._id);
  }

  /** Puts another account into a claim. If another process was first, its claim stands. */
  async replace(claim: PhoneClaim, { tenant_id, location_id }: ClaimedAccount): Promise<void> {
    const version = claim.version + 1;
    const document = { ...claim, tenant_id, location_id, version, expires_at: this.#expiry() };
    const write = { kind: 'compare_and_set', expected: claim.version, document } as const;
    await writeOne(this.records, PHONE_CLAIMS, write);
  }

  #expiry(): number {
    return this.clock.now() + CLAIMED_FOR_MS;
  }
}
