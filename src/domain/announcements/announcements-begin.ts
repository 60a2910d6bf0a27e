import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, EVENT_STORE, RECORDS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { realTimeOf } from '#eventsourcing/log/real-time.js';
import type { UnitDocument } from '#domain/units/index.js';

interface BeginRecord extends StoredDocument {
  /** Milliseconds. */
  readonly begun_at: number;
}

const BEGINS: CollectionDeclaration<BeginRecord> = { name: 'announcement_begins', indexes: {} };
const ID = 'access';

/** Knows since when this store announces changes: units that are older begin with a baseline. */
@Injectable()
export class AnnouncementsBegin {
  #begun_at: number | undefined;

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(EVENT_STORE) private readonly log: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Records the first begin, in whichever process. @throws StoreUnavailableError */
  async begin(): Promise<void> {
    if (this.#begun_at !== undefined) return;
    const begins = await this.records.collection(BEGINS);
    const document: BeginRecord = { _id: ID, begun_at: this.clock.now() };
    if ((await begins.get(ID)) === undefined)
      await writeOne(this.records, BEGINS, { kind: 'insert', document });
    this.#begun_at = (await begins.get(ID))!.begun_at;
  }

  /** Whether the unit was registered before. @throws StoreUnavailableError */
  async isOlder({ _id, last_at }: UnitDocument): Promise<boolean> {
    const begun_at = this.#begun_at!;
    // A sandbox's clock is never behind.
    if (last_at < begun_at) return true;
    const [first] = await this.log.readStream(_id, { limit: 1 });
    return first === undefined || realTimeOf(first) < begun_at;
  }
}
