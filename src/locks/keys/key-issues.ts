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
}

/** A key that still works offline, whatever has been decided since. */
export type OutstandingKey = KeyIssue;

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
    return Promise.all(lock_ids.map((lock_id) => this.outstandingOf(lock_id, now)));
  }

  /**
   * Whether the tenant had a key to the lock at an instant (milliseconds) that had not ended then; known for 30 days after
   * the key's end.
   * @throws StoreUnavailableError
   */
  async hadKey(lock_id: string, tenant_id: string, at: number): Promise<boolean> {
    const issues = await this.issues();
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<KeyIssueDocument> = await issues.find('tenant_expiry', {
        equals: [tenant_id],
        from: at + 1,
        limit: PAGE,
        cursor,
      });
      if (page.documents.some((issue) => issue.lock_id === lock_id && issue.issued_at <= at)) return true;
      cursor = page.next_cursor;
    }
    return false;
  }

  /**
   * For each lock, in the order of `lock_ids`, when the last key given out ends (milliseconds); null where none was.
   * @throws StoreUnavailableError
   */
  async latestExpiryForLocks(lock_ids: readonly string[]): Promise<(number | null)[]> {
    const issues = await this.issues();
    const query = (lock_id: string) =>
      issues.find('lock_expiry', { equals: [lock_id], descending: true, limit: 1 });
    const pages = await Promise.all(lock_ids.map(query));
    return pages.map((page) => page.documents[0]?.expires_at ?? null);
  }

  private async outstandingOf(lock_id: string, now: number): Promise<OutstandingKey[]> {
    const issues = await this.issues();
    const byTenant = new Map<string, OutstandingKey>();
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page: Page<KeyIssueDocument> = await issues.find('lock_expiry', {
        equals: [lock_id],
        from: now + 1,
        limit: PAGE,
        cursor,
      });
      // Ascending: a tenant's later expiry replaces an earlier one.
      for (const { tenant_id, expires_at } of page.documents) {
        byTenant.set(tenant_id, { lock_id, tenant_id, expires_at });
      }
      cursor = page.next_cursor;
    }
    return [...byTenant.values()];
  }

  private documentOf(_id: string, issue: KeyIssue): KeyIssueDocument {
    const { lock_id, tenant_id, expires_at } = issue;
    const forget_at = expires_at + KEPT_AFTER_END;
    return { _id, lock_id, tenant_id, expires_at, issued_at: this.clock.now(), forget_at };
  }

  private issues(): Promise<Collection<KeyIssueDocument>> {
    return this.records.collection(KEY_ISSUES);
  }
}
