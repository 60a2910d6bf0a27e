import { Inject, Injectable } from '@nestjs/common';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type { PassDetail } from './core/pass.events.js';

/** What only people need to know of a pass. `_id` is the pass's id. The phone is that of the holder's account. */
export interface PassRecord extends StoredDocument {
  /** The holder: an erasure finds the record by it. */
  readonly tenant_id: string;
  readonly name: string | null;
  readonly note: string | null;
}

export const PASS_RECORDS: CollectionDeclaration<PassRecord> = {
  name: 'pass_records',
  indexes: { tenant_id: { fields: ['tenant_id'] } },
};

/** Names and notes of passes, outside of the log, so that they can be erased. Every method throws StoreUnavailableError. */
@Injectable()
export class PassRecords {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async recordsOf(pass_ids: readonly string[]): Promise<ReadonlyMap<string, PassRecord>> {
    if (pass_ids.length === 0) return new Map();
    const found = await (await this.#records()).getMany(pass_ids);
    return new Map(found.flatMap((record) => (record === undefined ? [] : [[record._id, record]])));
  }

  async recordOf(pass_id: string): Promise<PassRecord | undefined> {
    return (await this.recordsOf([pass_id])).get(pass_id);
  }

  async keep(document: PassRecord): Promise<void> {
    await writeOne(this.records, PASS_RECORDS, { kind: 'put', document });
  }

  /** Removes every record of a holder. Idempotent. */
  async erasePersonalData(tenant_id: string): Promise<void> {
    const found = await (await this.#records()).findAny('tenant_id', [tenant_id]);
    const removals = found.map(
      ({ _id: id }) => ({ kind: 'delete', collection: PASS_RECORDS.name, id }) as const,
    );
    if (removals.length > 0) await this.records.write(removals);
  }

  #records(): Promise<Collection<PassRecord>> {
    return this.records.collection(PASS_RECORDS);
  }
}

/** The records of which another value is given. */
export function changedDetails(
  before: Pick<PassRecord, PassDetail>,
  given: Partial<Pick<PassRecord, PassDetail>>,
): PassDetail[] {
  return (['name', 'note'] as const).filter(
    (field) => given[field] !== undefined && given[field] !== before[field],
  );
}
