import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { untilAllHold } from '#eventsourcing/documents/until-it-holds.js';

/** A record that a tenant received a key to a lock or entry point. The key itself is never stored. */
export interface KeyIssue {
  readonly lock_id: string;
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly expires_at: number;
  /** Milliseconds. Absent: the key opens at once. */
  readonly valid_from?: number;
  /** The units that give the right to the key. A pass gives it for its units alone. */
  readonly unit_ids: readonly string[];
  /** The pass that gives the right. Absent: a tenancy or a share does. */
  readonly pass_id?: string;
}

/** A key that still works offline, even if access was denied since. */
export type OutstandingKey = Omit<KeyIssue, 'unit_ids' | 'valid_from'>;

/** Keys of one tenant that end after some instant. */
export interface TenantKeys {
  /** @param at milliseconds, not before that instant */
  hadKey(lock_id: string, at: number): boolean;
  /** The pass that gave the tenant a valid key. Null: none did. @param at as above */
  passOfKey(lock_id: string, at: number): string | null;
}

interface KeyIssueDocument extends StoredDocument, KeyIssue {
  readonly version: number;
  /** The instant of the first issue. `unit_ids` contains the units of all issues. */
  readonly issued_at: number;
  /** By unit id, the instant (milliseconds) of a later issue that added the unit. Other units are of the first issue. */
  readonly joined_at?: Readonly<Record<string, number>>;
  /** The document is deleted at this instant, 30 days after its key's end. */
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

const KEPT_AFTER_END_MS = 30 * 24 * 60 * 60_000;
const CACHED_ISSUES = 50_000;

/**
 * Records issued keys: one record for each lock, tenant, beginning, expiry and pass, with all units that gave the right
 * (docs/decisions.md).
 */
@Injectable()
export class KeyIssues {
  /** Units of recorded issues, so that repeated reads write nothing. */
  readonly #recorded = new LRUCache<string, ReadonlySet<string>>({ max: CACHED_ISSUES });

  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /**
   * Keys may be given out only after the promise resolves: the records are durable then.
   * @param issued_at milliseconds
   * @throws StoreUnavailableError
   */
  async record(issues: readonly KeyIssue[], issued_at: number): Promise<void> {
    const added = issues
      .map((issue) => this.#documentOf(issue, issued_at))
      .filter(({ _id, unit_ids }) => hasNewUnits(unit_ids, this.#recorded.get(_id)));
    if (added.length === 0) return;
    // Declares the collection, which a write needs.
    await this.#issues();
    // Most issues are new, so they are inserted without a read.
    const open = await this.#write(added);
    if (open.length === 0) return;
    await untilAllHold(open, async (known) => this.#write(await this.#withNewUnits(known)));
  }

  /** @returns the documents that were not written, because another version exists */
  async #write(documents: readonly KeyIssueDocument[]): Promise<KeyIssueDocument[]> {
    if (documents.length === 0) return [];
    const outcomes = await this.records.write(documents.map(replace));
    return documents.filter((document, index) => {
      const isWritten = outcomes[index]!.kind === 'written';
      if (isWritten) this.#cache(document);
      return !isWritten;
    });
  }

  /** Adds the units of these issues to the stored records. Leaves out records that gain no unit. */
  async #withNewUnits(issues: readonly KeyIssueDocument[]): Promise<KeyIssueDocument[]> {
    const known = await (await this.#issues()).getMany(issues.map(({ _id }) => _id));
    return issues.flatMap((issue, index) => {
      const before = known[index];
      if (before === undefined) return [{ ...issue, version: 1 }];
      const further = issue.unit_ids.filter((unit_id) => !before.unit_ids.includes(unit_id));
      if (further.length > 0) return [withUnits(before, further, issue.issued_at)];
      this.#cache(before);
      return [];
    });
  }

  #cache({ _id, unit_ids }: KeyIssueDocument): void {
    this.#recorded.set(_id, new Set(unit_ids));
  }

  /**
   * For each lock, the keys that end after `now`, also those that do not open yet. Only the key of each tenant that ends last.
   * @throws StoreUnavailableError
   */
  async outstanding(lock_ids: readonly string[], now: number): Promise<OutstandingKey[][]> {
    return Promise.all(
      lock_ids.map(async (lock_id) =>
        this.#endingLast(await this.#issuesEndingFrom('lock_expiry', lock_id, now + 1)),
      ),
    );
  }

  /**
   * Whether the tenant had a valid key to the lock at an instant (milliseconds). Known for 30 days after the key's end.
   * @throws StoreUnavailableError
   */
  async hadKey(lock_id: string, tenant_id: string, at: number): Promise<boolean> {
    return (await this.keysOfTenant(tenant_id, at)).hadKey(lock_id, at);
  }

  /** The tenant's keys that end after an instant (milliseconds). @throws StoreUnavailableError */
  async keysOfTenant(tenant_id: string, from: number): Promise<TenantKeys> {
    const byLock = new Map<string, KeyIssueDocument[]>();
    for (const issue of await this.#issuesEndingFrom('tenant_expiry', tenant_id, from + 1)) {
      const known = byLock.get(issue.lock_id);
      if (known === undefined) byLock.set(issue.lock_id, [issue]);
      else known.push(issue);
    }
    const validAt = (lock_id: string, at: number) =>
      (byLock.get(lock_id) ?? []).filter((issue) => issue.expires_at > at && opensFrom(issue) <= at);
    return {
      hadKey: (lock_id, at) => validAt(lock_id, at).length > 0,
      passOfKey: (lock_id, at) => validAt(lock_id, at).at(-1)?.pass_id ?? null,
    };
  }

  /**
   * The keys that end after `now`, also those that do not open yet, and that the right to a unit gave: to locks that were on
   * the unit, and to entry points.
   * Only the key of each lock and tenant that ends last.
   * @throws StoreUnavailableError
   */
  async outstandingForUnit(unit_id: string, now: number): Promise<OutstandingKey[]> {
    return this.#endingLast(await this.#issuesEndingFrom('unit_expiry', unit_id, now + 1));
  }

  /**
   * The keys that opened at an earlier instant (milliseconds) by the right to a unit. Undefined if records of that time may
   * have been deleted by `now`.
   * @throws StoreUnavailableError
   */
  async heldForUnit(unit_id: string, at: number, now: number): Promise<OutstandingKey[] | undefined> {
    if (at + KEPT_AFTER_END_MS < now) return undefined;
    const issues = await this.#issuesEndingFrom('unit_expiry', unit_id, at + 1);
    return this.#endingLast(
      issues.filter(
        (issue) => (issue.joined_at?.[unit_id] ?? issue.issued_at) <= at && opensFrom(issue) <= at,
      ),
    );
  }

  /** All keys of a tenant that end after `now`, also those that do not open yet. @throws StoreUnavailableError */
  async outstandingForTenant(tenant_id: string, now: number): Promise<OutstandingKey[]> {
    return this.#endingLast(await this.#issuesEndingFrom('tenant_expiry', tenant_id, now + 1));
  }

  #endingLast(documents: readonly KeyIssueDocument[]): OutstandingKey[] {
    const keys = new Map<string, OutstandingKey>();
    // The documents are sorted by expiry, so a later one replaces an earlier one.
    for (const { lock_id, tenant_id, pass_id, expires_at } of documents) {
      const key = { lock_id, tenant_id, expires_at, ...(pass_id !== undefined && { pass_id }) };
      keys.set(`${lock_id} ${tenant_id} ${pass_id}`, key);
    }
    return [...keys.values()];
  }

  /** Issues that end at `end` or later, sorted by their end. */
  async #issuesEndingFrom(index: string, id: string, end: number): Promise<KeyIssueDocument[]> {
    return wholeList(await this.#issues(), index, { equals: [id], from: end });
  }

  #documentOf(
    { lock_id, tenant_id, expires_at, valid_from, unit_ids, pass_id }: KeyIssue,
    issued_at: number,
  ): KeyIssueDocument {
    const begins = valid_from === undefined ? '' : `|${valid_from}`;
    const byPass = pass_id === undefined ? '' : `|${pass_id}`;
    const _id = `${lock_id}|${tenant_id}|${expires_at}${begins}${byPass}`;
    const forget_at = expires_at + KEPT_AFTER_END_MS;
    return {
      _id,
      version: 1,
      lock_id,
      tenant_id,
      expires_at,
      ...(valid_from !== undefined && { valid_from }),
      unit_ids,
      ...(pass_id !== undefined && { pass_id }),
      issued_at,
      forget_at,
    };
  }

  #issues(): Promise<Collection<KeyIssueDocument>> {
    return this.records.collection(KEY_ISSUES);
  }
}

/** The instant (milliseconds) from which a key opened. */
function opensFrom({ issued_at, valid_from = issued_at }: KeyIssueDocument): number {
  return Math.max(issued_at, valid_from);
}

function withUnits(before: KeyIssueDocument, unit_ids: readonly string[], at: number): KeyIssueDocument {
  return {
    ...before,
    version: before.version + 1,
    unit_ids: [...before.unit_ids, ...unit_ids],
    joined_at: { ...before.joined_at, ...Object.fromEntries(unit_ids.map((unit_id) => [unit_id, at])) },
  };
}

function hasNewUnits(unit_ids: readonly string[], recorded: ReadonlySet<string> | undefined): boolean {
  return recorded === undefined || unit_ids.some((unit_id) => !recorded.has(unit_id));
}

function replace(document: KeyIssueDocument): DocumentWrite {
  const expected = document.version === 1 ? null : document.version - 1;
  return { kind: 'compare_and_set', collection: KEY_ISSUES.name, expected, document };
}
