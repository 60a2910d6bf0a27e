import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { everyDocument } from '#eventsourcing/documents/pages.js';
import {
  type DamageCause,
  type DamageKeeper,
  isStray,
  type StreamDamage,
} from '#eventsourcing/log/damaged-streams.js';
import { describeDamage } from '#eventsourcing/log/describe-damage.js';

/** A damaged or stray stream, by its name. Storage format: add, never change. */
interface DamageDocument extends StoredDocument {
  readonly revision: number;
  readonly cause: DamageCause;
}

const DAMAGED_STREAMS: CollectionDeclaration<DamageDocument> = { name: 'damaged_streams', indexes: {} };
const COLLECTION = DAMAGED_STREAMS.name;
const PAGE = 500;

/** Keeps the damaged streams in the views, for all processes. A rebuild finds them again in the log. */
export class DamageRecords implements DamageKeeper {
  /** @param tell gets one line about each damaged stream, from the process that found it first */
  constructor(
    private readonly views: DocumentStore,
    private readonly tell: (line: string) => void,
  ) {}

  async keep(damage: StreamDamage): Promise<void> {
    const { stream: _id, revision, cause } = damage;
    const document: DamageDocument = { _id, revision, cause };
    await this.views.collection(DAMAGED_STREAMS);
    const [inserted] = await this.views.write([{ kind: 'insert', collection: COLLECTION, document }]);
    if (inserted!.kind !== 'written')
      await this.views.write([{ kind: 'put', collection: COLLECTION, document }]);
    else if (!isStray(damage)) this.tell(describeDamage(damage));
  }

  async forget(stream: string): Promise<void> {
    await this.views.collection(DAMAGED_STREAMS);
    await this.views.write([{ kind: 'delete', collection: COLLECTION, id: stream }]);
  }

  /** @throws StoreUnavailableError */
  async all(): Promise<StreamDamage[]> {
    const damages: StreamDamage[] = [];
    for await (const page of everyDocument(await this.views.collection(DAMAGED_STREAMS), PAGE))
      for (const { _id: stream, revision, cause } of page) damages.push({ stream, revision, cause });
    return damages;
  }
}
