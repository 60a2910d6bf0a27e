import { Inject, Injectable } from '@nestjs/common';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { ShareNames } from '#domain/access/index.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, RECORDS } from '#kernel/injection-tokens.js';

/** `sending`: stored before it is sent. After a crash nobody can say whether it was, so it is not sent again. */
export type TextState = 'sending' | 'sent' | 'failed';

/** What no event may hold of a tenant's share. `_id` is its share_id. */
export interface ShareRecord {
  readonly _id: string;
  readonly version: number;
  /** Who shares. */
  readonly tenant_id: string;
  /** Who was invited. */
  readonly guest_id: string;
  /** As the tenant has typed it. It never tells what the account of the phone is called. Null after an erasure. */
  readonly name: string | null;
  /** The text that invites. Null: not begun. */
  readonly invited: TextState | null;
  /** The text to the tenant that it was accepted. Null: not begun. */
  readonly told: TextState | null;
  readonly expires_at: number;
}

/** The texts about a share, by the fields of their states. */
export type ShareTextKind = 'invited' | 'told';

const SHARE_RECORDS: CollectionDeclaration<ShareRecord> = {
  name: 'tenant_shares',
  indexes: { by_tenant: { fields: ['tenant_id'] }, by_guest: { fields: ['guest_id'] } },
  expiry: 'expires_at',
};

const DAY_MS = 24 * 60 * 60_000;
/** Staff may let a share end a year after the last day of a tenant's. */
const KEPT_MS = 460 * DAY_MS;

/** Every method throws StoreUnavailableError. */
@Injectable()
export class ShareRecords implements ShareNames {
  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Does nothing if there is one. */
  async insertShare(share: Pick<ShareRecord, '_id' | 'tenant_id' | 'guest_id' | 'name'>): Promise<void> {
    const expires_at = this.clock.now() + KEPT_MS;
    const document: ShareRecord = { ...share, invited: null, told: null, version: 1, expires_at };
    await writeOne(this.records, SHARE_RECORDS, { kind: 'insert', document });
  }

  async readShare(share_id: string): Promise<ShareRecord | undefined> {
    return (await this.#open()).get(share_id);
  }

  /** Those of the shares that were offered: each has a record then. */
  async offeredOf(share_ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.namesOf(share_ids)).keys());
  }

  async namesOf(share_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (share_ids.length === 0) return new Map();
    const found = await (await this.#open()).getMany(share_ids);
    return new Map(found.flatMap((one) => (one === undefined ? [] : [[one._id, one.name] as const])));
  }

  /** @returns true for the one caller who sends the text */
  async beginText(share_id: string, kind: ShareTextKind): Promise<boolean> {
    let isFirst = false;
    await this.#change(share_id, (share) => {
      isFirst = share[kind] === null;
      return isFirst ? { [kind]: 'sending' } : undefined;
    });
    return isFirst;
  }

  async finishText(share_id: string, kind: ShareTextKind, state: TextState): Promise<void> {
    await this.#change(share_id, () => ({ [kind]: state }));
  }

  /** Removes the names of the account's shares, given and had. */
  async eraseNames(tenant_id: string): Promise<void> {
    const shares = await this.#open();
    const found = await Promise.all([
      shares.findAny('by_tenant', [tenant_id]),
      shares.findAny('by_guest', [tenant_id]),
    ]);
    for (const { _id, name } of found.flat())
      if (name !== null) await this.#change(_id, () => ({ name: null }));
  }

  #change(
    share_id: string,
    changeOf: (share: ShareRecord) => Partial<ShareRecord> | undefined,
  ): Promise<void> {
    return untilItHolds(async () => {
      const before = await this.readShare(share_id);
      const change = before && changeOf(before);
      if (change === undefined) return undefined;
      const document: ShareRecord = { ...before!, ...change, version: before!.version + 1 };
      const write = { kind: 'compare_and_set', expected: before!.version, document } as const;
      return (await writeOne(this.records, SHARE_RECORDS, write)) === 'written' ? undefined : OVERTAKEN;
    });
  }

  #open(): Promise<Collection<ShareRecord>> {
    return this.records.collection(SHARE_RECORDS);
  }
}
