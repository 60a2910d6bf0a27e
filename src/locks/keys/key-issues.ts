import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RECORDS } from '../../config/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '../../documents/document-store.js';
import { wholeList } from '../../documents/pages.js';
import { untilAllHold } from '../../documents/until-it-holds.js';

/** That a tenant was given a key to a lock (or entry point) until an instant. The key itself is never kept. */
export interface KeyIssue {
  readonly lock_id: string;
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly expires_at: number;
  /** The units that the right comes from. */
  readonly unit_ids: readonly string[];
}

/** A key that still works offline, whatever has been decided since. */
export type OutstandingKey = Omit<KeyIssue, 'unit_ids'>;

export interface KeyIssueDocument extends StoredDocument, KeyIssue {
  readonly version: number;
  /** The instant of the first issue. `unit_ids` are those of every issue. */
  readonly issued_at: number;
  /** When a later issue brought a unit (milliseconds); a unit that is not named came with the first. */
  readonly joined_at?: Readonly<Record<string, number>>;
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

/**
 * Which keys were given out, one record per lock, tenant and expiry with every unit that one was given out for (decisions on
 * keys: docs/decisions.md).
 */
@Injectable()
export class KeyIssues {
  /** Units of issues that are known to be recorded, so that reading again writes nothing. */
  private readonly recorded = new LRUCache<string, ReadonlySet<string>>({ max: REMEMBERED });

  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /**
   * Records issues of an instant (milliseconds), in one write where they are new. They are durable when the promise resolves: keys may leave only then.
   * @throws StoreUnavailableError
   */
  async record(issues: readonly KeyIssue[], issued_at: number): Promise<void> {
    const news = issues
      .map((issue) => this.documentOf(issue, issued_at))
      .filter(({ _id, unit_ids }) => bringsMore(unit_ids, this.recorded.get(_id)));
    if (news.length === 0) return;
    await this.issues();
    // Most are new: only those that were recorded before cost a read.
    const open = await this.write(news);
    if (open.length === 0) return;
    await untilAllHold(open, async (known) => this.write(await this.added(known)));
  }

  /** Answers those that are to be read and written again. */
  private async write(documents: readonly KeyIssueDocument[]): Promise<KeyIssueDocument[]> {
    if (documents.length === 0) return [];
    const outcomes = await this.records.write(documents.map(replace));
    return documents.filter((document, place) => {
      const isWritten = outcomes[place]!.kind === 'written';
      if (isWritten) this.remember(document);
      return !isWritten;
    });
  }

  /** The records with the units of these issues added, without those that gain no unit. */
  private async added(issues: readonly KeyIssueDocument[]): Promise<KeyIssueDocument[]> {
    const known = await (await this.issues()).getMany(issues.map(({ _id }) => _id));
    return issues.flatMap((issue, place) => {
      const before = known[place];
      if (before === undefined) return [{ ...issue, version: 1 }];
      const further = issue.unit_ids.filter((unit_id) => !before.unit_ids.includes(unit_id));
      if (further.length > 0) return [joined(before, further, issue.issued_at)];
      this.remember(before);
      return [];
    });
  }

  private remember({ _id, unit_ids }: KeyIssueDocument): void {
    this.recorded.set(_id, new Set(unit_ids));
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

  /**
   * The keys that worked at an instant (milliseconds), as {@link outstandingForUnit}, and had been given out for the unit by
   * then; undefined where it is `now` too long ago for all of them to be known still.
   * @throws StoreUnavailableError
   */
  async heldForUnit(unit_id: string, at: number, now: number): Promise<OutstandingKey[] | undefined> {
    if (at + KEPT_AFTER_END < now) return undefined;
    const issues = await this.from('unit_expiry', unit_id, at + 1);
    return this.longest(
      issues.filter(({ issued_at, joined_at }) => (joined_at?.[unit_id] ?? issued_at) <= at),
    );
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
    return wholeList(await this.issues(), index, { equals: [id], from: end });
  }

  private documentOf(
    { lock_id, tenant_id, expires_at, unit_ids }: KeyIssue,
    issued_at: number,
  ): KeyIssueDocument {
    const _id = `${lock_id}|${tenant_id}|${expires_at}`;
    const forget_at = expires_at + KEPT_AFTER_END;
    return {
      _id,
      version: 1,
      lock_id,
      tenant_id,
      expires_at,
      unit_ids,
      issued_at,
      forget_at,
    };
  }

  private issues(): Promise<Collection<KeyIssueDocument>> {
    return this.records.collection(KEY_ISSUES);
  }
}

function joined(before: KeyIssueDocument, unit_ids: readonly string[], at: number): KeyIssueDocument {
  return {
    ...before,
    version: before.version + 1,
    unit_ids: [...before.unit_ids, ...unit_ids],
    joined_at: { ...before.joined_at, ...Object.fromEntries(unit_ids.map((unit_id) => [unit_id, at])) },
  };
}

function bringsMore(unit_ids: readonly string[], recorded: ReadonlySet<string> | undefined): boolean {
  return recorded === undefined || unit_ids.some((unit_id) => !recorded.has(unit_id));
}

function replace(document: KeyIssueDocument): DocumentWrite {
  const expected = document.version === 1 ? null : document.version - 1;
  return { kind: 'compare_and_set', collection: KEY_ISSUES.name, expected, document };
}
