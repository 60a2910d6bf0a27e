import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../config/clock.js';
import { CLOCK, RECORDS } from '../../config/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  Page,
  StoredDocument,
} from '../../documents/document-store.js';
import { BoundedMap } from '../bounded-map.js';

/** That a tenant was given a key to a lock (or entry point) until an instant. The key itself is never kept. */
export interface KeyIssue {
  readonly lock_id: string;
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly expires_at: number;
  /** The units that the right came from when it was first given out. */
  readonly unit_ids: readonly string[];
}

/** A key that still works offline, whatever has been decided since. */
export type OutstandingKey = Omit<KeyIssue, 'unit_ids'>;

export interface KeyIssueDocument extends StoredDocument, KeyIssue {
  readonly issued_at: number;
  /** When the document may go: some time after its key's end, for whoever asks what happened. */
  readonly forget_at: number;
}

export const KEY_ISSUES: CollectionDeclaration<KeyIssueDocument> = {
  name: 'key_issues',
  indexes: {
    lock_expiry: { fields: ['lock_id', 'expires_at'] },
    tenant_expiry: { fields: ['tenant_id', 'expires_at'] },
    unit_expiry: { fields: ['unit_ids', 'expires_at'] },
  },
  expiry: 'forget_at',
};

const KEPT_AFTER_END = 30 * 24 * 60 * 60_000;
const REMEMBERED = 50_000;
const PAGE = 500;

/** Which keys were given out, recorded once per lock, tenant and expiry (decisions on keys: docs/decisions.md). */
@Injectable()
export class KeyIssues {
  /** Issues that are known to be recorded, so that reading again writes nothing. */
  private readonly recorded = new BoundedMap<true>(REMEMBERED);

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Records issues, in one write at most. They are durable when the promise resolves: keys may leave only then.
   * @throws StoreUnavailableError
   */
  async record(issues: readonly KeyIssue[]): Promise<void> {
    const documents = new Map<string, KeyIssueDocument>();
    for (const issue of issues) {
      const _id = `${issue.lock_id}|${issue.tenant_id}|${issue.expires_at}`;
      if (this.recorded.get(_id) === undefined) documents.set(_id, this.documentOf(_id, issue));
    }
    if (documents.size === 0) return;
    await this.issues();
    // An insert that is refused as a duplicate was recorded before: the first issue's time stands.
    await this.records.write(
      [...documents.values()].map((document) => ({ kind: 'insert', collection: KEY_ISSUES.name, document })),
    );
    for (const _id of documents.keys()) this.recorded.set(_id, true);
  }

  /**
   * For each lock, in the order of `lock_ids`, the keys that still work at `now`: one per tenant, the longest.
   * @throws StoreUnavailableError
   */
  async outstanding(lock_ids: readonly string[], now: number): Promise<OutstandingKey[][]> {
    return Promise.all(
      lock_ids.map(async (lock_id) => this.longest(await this.from('lock_expiry', lock_id, now + 1))),
    );
  }

  /**
   * Whether the tenant had a key to the lock at an instant (milliseconds) that had not ended then; known for 30 days after
   * the key's end.
   * @throws StoreUnavailableError
   */
  async hadKey(lock_id: string, tenant_id: string, at: number): Promise<boolean> {
    const issues = await this.from('tenant_expiry', tenant_id, at + 1);
    return issues.some((issue) => issue.lock_id === lock_id && issue.issued_at <= at);
  }

  /**
   * The keys that still work at `now` and that were given out for a unit: to locks that were on it, wherever those are now,
   * and to entry points. One per lock and tenant, the longest.
   * @throws StoreUnavailableError
   */
  async outstandingForUnit(unit_id: string, now: number): Promise<OutstandingKey[]> {
    return this.longest(await this.from('unit_expiry', unit_id, now + 1));
  }

  /** The same of a tenant: to whatever. @throws StoreUnavailableError */
  async outstandingForTenant(tenant_id: string, now: number): Promise<OutstandingKey[]> {
    return this.longest(await this.from('tenant_expiry', tenant_id, now + 1));
  }

  private longest(documents: readonly KeyIssueDocument[]): OutstandingKey[] {
    const keys = new Map<string, OutstandingKey>();
    // Ascending: a later expiry replaces an earlier one.
    for (const { lock_id, tenant_id, expires_at } of documents) {
      keys.set(`${lock_id} ${tenant_id}`, { lock_id, tenant_id, expires_at });
    }
    return [...keys.values()];
  }

  /** By their ends, those that end at an instant or after it. */
  private async from(index: string, id: string, end: number): Promise<KeyIssueDocument[]> {
    const issues = await this.issues();
    const found: KeyIssueDocument[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<KeyIssueDocument> = await issues.find(index, {
        equals: [id],
        from: end,
        limit: PAGE,
        cursor,
      });
      found.push(...page.documents);
      cursor = page.next_cursor;
    }
    return found;
  }

  private documentOf(_id: string, issue: KeyIssue): KeyIssueDocument {
    const { lock_id, tenant_id, expires_at, unit_ids } = issue;
    const forget_at = expires_at + KEPT_AFTER_END;
    return { _id, lock_id, tenant_id, expires_at, unit_ids, issued_at: this.clock.now(), forget_at };
  }

  private issues(): Promise<Collection<KeyIssueDocument>> {
    return this.records.collection(KEY_ISSUES);
  }
}
