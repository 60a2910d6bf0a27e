import { Inject, Injectable } from '@nestjs/common';
import type {
  Collection,
  CollectionDeclaration,
  DocumentPage,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { NoticeKind } from './core/notice-kind.js';
import type { NoticeOutcome } from './notice-outcome.js';

/** A text that was sent to a tenant, or could not be. `_id` is its ULID. */
export interface NoticeRecord {
  readonly _id: string;
  readonly version: number;
  readonly company_id: string;
  readonly location_id: string;
  readonly tenant_id: string;
  readonly unit_ids: readonly string[];
  readonly kind: NoticeKind;
  /** By the company's clock, in milliseconds. */
  readonly at: number;
  readonly outcome: NoticeOutcome;
  /** The location if the text did not go out for sure; otherwise null. */
  readonly trouble_at: string | null;
  /** Null after an erasure. */
  readonly body: string | null;
  readonly expires_at: number;
}

const NOTICES: CollectionDeclaration<NoticeRecord> = {
  name: 'notices',
  indexes: {
    by_tenant: { fields: ['tenant_id', 'at'] },
    by_unit: { fields: ['unit_ids', 'at'], list: 'unit_ids' },
    by_trouble: { fields: ['trouble_at', 'at'], sparse: true },
  },
  expiry: 'expires_at',
};

const DAY_MS = 24 * 60 * 60_000;
/** The event of a text stays for ever. */
const KEPT_MS = 365 * DAY_MS;

/** @param now the real instant, in milliseconds */
export function expiryOf(now: number): number {
  return now + KEPT_MS;
}

/** The texts of the last year. Every method throws StoreUnavailableError. */
@Injectable()
export class NoticeRecords {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** Does nothing if it is stored already. */
  async insertNotice(document: NoticeRecord): Promise<void> {
    await writeOne(this.records, NOTICES, { kind: 'insert', document });
  }

  /** Newest first. @throws InvalidCursorError */
  async listOfTenant(tenant_id: string, limit: number, cursor?: string): Promise<DocumentPage<NoticeRecord>> {
    return this.#list('by_tenant', tenant_id, limit, cursor);
  }

  /** Newest first. @throws InvalidCursorError */
  async listOfUnit(unit_id: string, limit: number, cursor?: string): Promise<DocumentPage<NoticeRecord>> {
    return this.#list('by_unit', unit_id, limit, cursor);
  }

  /** Texts of a location that did not go out for sure, newest first. @param from milliseconds */
  async listTroubles(location_id: string, from: number, limit: number): Promise<NoticeRecord[]> {
    const range = { equals: [location_id], from, descending: true, limit };
    return (await (await this.#open()).find('by_trouble', range)).documents;
  }

  /** Removes the texts to a tenant. What they were about stays. */
  async eraseTexts(tenant_id: string): Promise<void> {
    const all = await wholeList(await this.#open(), 'by_tenant', { equals: [tenant_id] });
    for (const { _id, body } of all) if (body !== null) await this.#eraseText(_id);
  }

  #eraseText(notice_id: string): Promise<void> {
    return untilItHolds(async () => {
      const before = await (await this.#open()).get(notice_id);
      if (before === undefined) return undefined;
      const document: NoticeRecord = { ...before, body: null, version: before.version + 1 };
      const write = { kind: 'compare_and_set', expected: before.version, document } as const;
      return (await writeOne(this.records, NOTICES, write)) === 'written' ? undefined : OVERTAKEN;
    });
  }

  async #list(index: string, id: string, limit: number, cursor: string | undefined) {
    return (await this.#open()).find(index, { equals: [id], descending: true, limit, cursor });
  }

  #open(): Promise<Collection<NoticeRecord>> {
    return this.records.collection(NOTICES);
  }
}
