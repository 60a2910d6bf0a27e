import { Inject, Injectable } from '@nestjs/common';
import { VIEWS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';

/** When the calendar changes a unit's access next. `_id` is the unit's stream. A unit without such an instant has none. */
export interface Look extends StoredDocument {
  readonly version: number;
  readonly company_id: string;
  /** By the company's clock, in milliseconds. */
  readonly look_at: number;
}

/**
 * Not checked by a rebuild: after it, the announcer looks at all units and writes these documents anew. So they are no fold of
 * the log.
 */
const LOOKS: CollectionDeclaration<Look> = {
  name: 'announcement_looks',
  indexes: {
    by_look_at: { fields: ['look_at'] },
    by_company_and_look_at: { fields: ['company_id', 'look_at'] },
  },
};

/** A look as it was read, and the instant of the next one. */
export interface PlannedLook {
  readonly stream: string;
  readonly company_id: string;
  readonly known: Look | undefined;
  /** Null: the calendar changes nothing. */
  readonly look_at: number | null;
}

/** Keeps when to look at each unit again. Throws StoreUnavailableError. */
@Injectable()
export class LookSchedule {
  constructor(@Inject(VIEWS) private readonly views: DocumentStore) {}

  /** In the order of the streams. */
  async readLooks(streams: readonly string[]): Promise<(Look | undefined)[]> {
    return (await this.views.collection(LOOKS)).getMany(streams);
  }

  /** The units whose instant has come, the earliest first. @param company_id only units of this company */
  async findDue(now: number, limit: number, company_id?: string): Promise<Look[]> {
    const looks = await this.views.collection(LOOKS);
    const index = company_id === undefined ? 'by_look_at' : 'by_company_and_look_at';
    const equals = company_id === undefined ? [] : [company_id];
    return (await looks.find(index, { equals, to: now, limit })).documents;
  }

  /** @returns the streams whose look another process has planned meanwhile */
  async planLooks(planned: readonly PlannedLook[]): Promise<string[]> {
    const changed = planned.filter(({ known, look_at }) => (known?.look_at ?? null) !== look_at);
    if (changed.length === 0) return [];
    await this.views.collection(LOOKS);
    const outcomes = await this.views.write(changed.map(toWrite));
    return changed.flatMap(({ stream }, index) => (outcomes[index]!.kind === 'written' ? [] : [stream]));
  }
}

function toWrite({ stream, company_id, known, look_at }: PlannedLook): DocumentWrite {
  const { name: collection } = LOOKS;
  if (look_at === null) return { kind: 'delete', collection, id: stream, expected: known!.version };
  const document: Look = { _id: stream, version: (known?.version ?? 0) + 1, company_id, look_at };
  return { kind: 'compare_and_set', collection, expected: known?.version ?? null, document };
}
