import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '#kernel/injection-tokens.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { DisabledReason, WebhookHealth } from './core/disabling.js';

/** A secret that an operator has replaced. Messages are signed with it, too, until `until` (milliseconds). */
interface FormerSecret {
  readonly sealed: string;
  readonly until: number;
}

/** A webhook (decisions §11). `_id` is its ULID. Instants are in milliseconds. */
export interface WebhookRecord extends WebhookHealth {
  readonly _id: string;
  readonly version: number;
  readonly company_id: string;
  readonly url: string;
  /** Types of events. Null: all. */
  readonly types: readonly string[] | null;
  readonly description: string | null;
  /** Null while it is off. */
  readonly enabled_since: number | null;
  /** Why the service switched it off. Null if it is on, or if an operator switched it off. */
  readonly disabled_reason: DisabledReason | null;
  readonly created_at: number;
  /** Encrypted. */
  readonly sealed_secret: string;
  readonly former_secret: FormerSecret | null;
  /** The command that made the secret. A repeat of it shows the same secret. */
  readonly secret_made_by: string;
  /** The position in the log up to which messages were made. Null: its beginning. */
  readonly cursor: string | null;
}

const WEBHOOKS: CollectionDeclaration<WebhookRecord> = {
  name: 'webhooks',
  indexes: {
    by_company: { fields: ['company_id', 'created_at'] },
    by_enabled_since: { fields: ['enabled_since'] },
  },
};

/** The records of webhooks. Every method throws StoreUnavailableError. */
@Injectable()
export class Webhooks {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async readWebhook(webhook_id: string): Promise<WebhookRecord | undefined> {
    return isPossibleId(webhook_id) ? (await this.#open()).get(webhook_id) : undefined;
  }

  /** Oldest first. */
  async listOfCompany(company_id: string): Promise<WebhookRecord[]> {
    return wholeList(await this.#open(), 'by_company', { equals: [company_id] });
  }

  async listEnabled(): Promise<WebhookRecord[]> {
    return wholeList(await this.#open(), 'by_enabled_since', { equals: [], from: 0 });
  }

  /** Does nothing if the webhook is stored already. */
  async insertWebhook(document: WebhookRecord): Promise<void> {
    await writeOne(this.records, WEBHOOKS, { kind: 'insert', document });
  }

  /**
   * Changes a webhook, and retries on a conflict.
   * @param change returns the changed fields, or undefined for no change
   * @returns the webhook after the change; undefined if it does not exist
   */
  changeWebhook(
    webhook_id: string,
    change: (webhook: WebhookRecord) => Partial<WebhookRecord> | undefined,
  ): Promise<WebhookRecord | undefined> {
    return untilItHolds(async () => {
      const before = await this.readWebhook(webhook_id);
      if (before === undefined) return undefined;
      const changes = change(before);
      if (changes === undefined) return before;
      const document = { ...before, ...changes, version: before.version + 1 };
      const write = { kind: 'compare_and_set', expected: before.version, document } as const;
      return (await writeOne(this.records, WEBHOOKS, write)) === 'written' ? document : OVERTAKEN;
    });
  }

  async removeWebhook(webhook_id: string): Promise<void> {
    await writeOne(this.records, WEBHOOKS, { kind: 'delete', id: webhook_id });
  }

  #open(): Promise<Collection<WebhookRecord>> {
    return this.records.collection(WEBHOOKS);
  }
}
