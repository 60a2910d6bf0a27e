import { Inject, Injectable } from '@nestjs/common';
import type { NoticesSince } from '#domain/locations/index.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
} from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilAllHold, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { DueNotice } from './core/due-notice.js';
import type { KnownUnit } from './core/known-unit.js';
import type { NoticeOutcome } from './notice-outcome.js';

/** A text that is being sent. It was stored before, so that nobody sends it again. */
export interface SendingNotice extends DueNotice {
  readonly notice_id: string;
  /** By the company's clock, in milliseconds. */
  readonly at: number;
  /** Null after an erasure. */
  readonly body: string | null;
  /** Null until it is known. */
  readonly outcome: NoticeOutcome | null;
}

/** What a tenant knows, and when to look at it again. `_id` is the tenant's id. */
export interface NoticeTenant {
  readonly _id: string;
  readonly version: number;
  readonly company_id: string;
  readonly location_id: string;
  /** Since when each text was on when the units were judged last. Null: they were not yet. */
  readonly since: NoticesSince | null;
  readonly units: readonly KnownUnit[];
  /** Milliseconds by the company's clock; 0: at once. Null: not until something changes. */
  readonly look_at: number | null;
  readonly sending: SendingNotice | null;
}

/** A tenant to look at soon. */
export type MarkedTenant = Pick<NoticeTenant, '_id' | 'company_id' | 'location_id'>;

const NOTICE_TENANTS: CollectionDeclaration<NoticeTenant> = {
  name: 'notice_tenants',
  indexes: {
    by_look_at: { fields: ['look_at'], sparse: true },
    by_company_and_look_at: { fields: ['company_id', 'look_at'], sparse: true },
  },
};

/** The records of what tenants know. Every method throws StoreUnavailableError. */
@Injectable()
export class NoticeTenants {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async readTenant(tenant_id: string): Promise<NoticeTenant | undefined> {
    return (await this.#open()).get(tenant_id);
  }

  async isEmpty(): Promise<boolean> {
    return (await (await this.#open()).page(undefined, 1)).length === 0;
  }

  /** The tenants whose instant has come, the earliest first. @param company_id only those of this company */
  async listDue(now: number, limit: number, company_id?: string): Promise<NoticeTenant[]> {
    const index = company_id === undefined ? 'by_look_at' : 'by_company_and_look_at';
    const equals = company_id === undefined ? [] : [company_id];
    return (await (await this.#open()).find(index, { equals, to: now, limit })).documents;
  }

  /**
   * Lets the worker look at tenants. Each record gets a new version, also if it is due already: a judgement that is under way
   * may not have seen the reason.
   */
  async markTenants(marked: readonly MarkedTenant[]): Promise<void> {
    if (marked.length > 0) await untilAllHold(marked, (open) => this.#mark(open));
  }

  /** @returns false if another writer was faster */
  async replaceTenant(before: NoticeTenant, changes: Partial<NoticeTenant>): Promise<boolean> {
    const document = { ...before, ...changes, version: before.version + 1 };
    const write = { kind: 'compare_and_set', expected: before.version, document } as const;
    return (await writeOne(this.records, NOTICE_TENANTS, write)) === 'written';
  }

  /**
   * Changes a record, and retries on a conflict.
   * @param change returns the changed fields, or undefined for no change
   * @returns the record after the change; undefined if there is none
   */
  changeTenant(
    tenant_id: string,
    change: (tenant: NoticeTenant) => Partial<NoticeTenant> | undefined,
  ): Promise<NoticeTenant | undefined> {
    return untilItHolds(async () => {
      const before = await this.readTenant(tenant_id);
      if (before === undefined) return undefined;
      const changes = change(before);
      if (changes === undefined) return before;
      const isWritten = await this.replaceTenant(before, changes);
      return isWritten ? { ...before, ...changes, version: before.version + 1 } : OVERTAKEN;
    });
  }

  /** @returns false if another writer was faster */
  async removeTenant({ _id: id, version: expected }: NoticeTenant): Promise<boolean> {
    return (await writeOne(this.records, NOTICE_TENANTS, { kind: 'delete', id, expected })) === 'written';
  }

  async #mark(marked: readonly MarkedTenant[]): Promise<MarkedTenant[]> {
    const found = await (await this.#open()).getMany(marked.map(({ _id }) => _id));
    const writes = marked.map(({ _id, company_id, location_id }, index): DocumentWrite => {
      const before = found[index];
      const version = (before?.version ?? 0) + 1;
      const document: NoticeTenant =
        before === undefined
          ? { _id, version, company_id, location_id, since: null, units: [], look_at: 0, sending: null }
          : { ...before, version, look_at: 0 };
      const expected = before?.version ?? null;
      return { kind: 'compare_and_set', collection: NOTICE_TENANTS.name, expected, document };
    });
    const outcomes = await this.records.write(writes);
    return marked.filter((_, index) => outcomes[index]!.kind !== 'written');
  }

  #open(): Promise<Collection<NoticeTenant>> {
    return this.records.collection(NOTICE_TENANTS);
  }
}
