import { Inject, Injectable } from '@nestjs/common';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import { RECORDS } from '#kernel/injection-tokens.js';

/** What became of a mail. `unknown`: it may have been sent, and is not sent again. */
export const SUMMARY_OUTCOMES = ['sent', 'refused', 'unknown'] as const;
export type SummaryOutcome = (typeof SUMMARY_OUTCOMES)[number];

/** An operator gets a mail each morning about a company. `_id` comes from both ids. */
export interface SummarySubscription {
  readonly _id: string;
  readonly version: number;
  readonly operator_id: string;
  readonly company_id: string;
  /** When it was switched on, in milliseconds. */
  readonly since: number;
  /** When to look at it next, in milliseconds. */
  readonly look_at: number;
  /** The last mail that was begun. It is stored as `unknown` before it is sent. */
  readonly last: { readonly date: CalendarDate; readonly outcome: SummaryOutcome } | null;
}

const SUBSCRIPTIONS: CollectionDeclaration<SummarySubscription> = {
  name: 'summary_subscriptions',
  indexes: { by_look_at: { fields: ['look_at'] }, by_operator: { fields: ['operator_id', 'company_id'] } },
};

export type NamedSubscription = Pick<SummarySubscription, 'operator_id' | 'company_id'>;

export function subscriptionId({ operator_id, company_id }: NamedSubscription): string {
  return `${operator_id}.${company_id}`;
}

/** Who gets a mail. Every method throws StoreUnavailableError. */
@Injectable()
export class SummarySubscriptions {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async readSubscription(id: string): Promise<SummarySubscription | undefined> {
    return (await this.#open()).get(id);
  }

  async listOfOperator(operator_id: string): Promise<SummarySubscription[]> {
    return (await this.#open()).findAny('by_operator', [operator_id]);
  }

  /** Those that are due, the longest first. */
  async listDue(now: number, limit: number): Promise<SummarySubscription[]> {
    return (await (await this.#open()).find('by_look_at', { equals: [], to: now, limit })).documents;
  }

  /** Does nothing if it is stored already. */
  async addSubscription(named: NamedSubscription, since: number): Promise<void> {
    const document: SummarySubscription = {
      _id: subscriptionId(named),
      version: 1,
      operator_id: named.operator_id,
      company_id: named.company_id,
      since,
      look_at: since,
      last: null,
    };
    await writeOne(this.records, SUBSCRIPTIONS, { kind: 'insert', document });
  }

  async removeSubscription(id: string): Promise<void> {
    await writeOne(this.records, SUBSCRIPTIONS, { kind: 'delete', id });
  }

  /** @returns the stored record; undefined if another writer was faster */
  async replaceSubscription(
    before: SummarySubscription,
    changes: Partial<Pick<SummarySubscription, 'look_at' | 'last'>>,
  ): Promise<SummarySubscription | undefined> {
    const document = { ...before, ...changes, version: before.version + 1 };
    const write = { kind: 'compare_and_set', expected: before.version, document } as const;
    return (await writeOne(this.records, SUBSCRIPTIONS, write)) === 'written' ? document : undefined;
  }

  /** @returns how many there were */
  async removeAll(): Promise<number> {
    const all = await wholeList(await this.#open(), 'by_look_at', { equals: [] });
    for (const { _id } of all) await this.removeSubscription(_id);
    return all.length;
  }

  #open(): Promise<Collection<SummarySubscription>> {
    return this.records.collection(SUBSCRIPTIONS);
  }
}

/** A copied store sends no mails: the service that was copied may still send them. @returns how many were on */
export function switchOffSummaries(records: DocumentStore): Promise<number> {
  return new SummarySubscriptions(records).removeAll();
}
