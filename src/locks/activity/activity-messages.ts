import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '../../config/injection-tokens.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../../documents/document-store.js';

/** What an app wrote to a log entry in its own words. `_id` is the log's id. */
export interface ActivityMessage extends StoredDocument {
  readonly tenant_id: string;
  readonly text: string;
}

export const ACTIVITY_MESSAGES: CollectionDeclaration<ActivityMessage> = {
  name: 'activity_messages',
  indexes: { tenant_id: { fields: ['tenant_id'] } },
};

/** Free text of log entries, outside of the event log so that it can be erased. */
@Injectable()
export class ActivityMessages {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** Keeps a log entry's text; the first one stands. @throws StoreUnavailableError */
  async keep(log_id: string, tenant_id: string, text: string): Promise<void> {
    await this.records.collection(ACTIVITY_MESSAGES);
    const document: ActivityMessage = { _id: log_id, tenant_id, text };
    await this.records.write([{ kind: 'insert', collection: ACTIVITY_MESSAGES.name, document }]);
  }

  /** In the order of `log_ids`; undefined where there was no text, or it was erased. @throws StoreUnavailableError */
  async of(log_ids: readonly string[]): Promise<(string | undefined)[]> {
    if (log_ids.length === 0) return [];
    const found = await (await this.records.collection(ACTIVITY_MESSAGES)).getMany(log_ids);
    return found.map((message) => message?.text);
  }

  /** Removes every text of a tenant. Idempotent. @throws StoreUnavailableError */
  async erasePersonalData(tenant_id: string): Promise<void> {
    const messages = await this.records.collection(ACTIVITY_MESSAGES);
    const found = await messages.findAny('tenant_id', [tenant_id]);
    if (found.length === 0) return;
    await this.records.write(
      found.map(({ _id }) => ({ kind: 'delete', collection: ACTIVITY_MESSAGES.name, id: _id })),
    );
  }
}
