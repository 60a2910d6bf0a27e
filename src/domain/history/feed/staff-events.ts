import { Inject, Injectable } from '@nestjs/common';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { everyDocument } from '#eventsourcing/documents/pages.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, VIEWS } from '#kernel/injection-tokens.js';

/** An event of staff, and whose it is. */
export interface StaffEvent {
  /** `ALL_COMPANIES`: of all, also of those that are made later. */
  readonly company_id: string;
  readonly event: RecordedEvent;
}

/** In place of a company's id. */
export const ALL_COMPANIES = '*';

/** `_id` is its company and its position. */
interface StaffEventDocument extends StoredDocument {
  readonly company_id: string;
  /** With zeros in front, in the order of the log. */
  readonly position: string;
  /** The event as JSON: its names need not be those that a document may have. */
  readonly event: string;
  /** The version of the progress with which it was gathered. */
  readonly revision: number;
}

const STAFF_EVENTS: CollectionDeclaration<StaffEventDocument> = {
  name: 'staff_events',
  indexes: { by_company: { fields: ['company_id', 'position'] } },
};

const PAGE = 500;

/** How far the log was gone through. */
export interface StaffProgress extends StoredDocument {
  /** Rises with every write. 0: it is not stored. */
  readonly version: number;
  /** The position up to which the log was gone through. Null: all was forgotten. */
  readonly position: string | null;
  /** The service's last event up to there, to check that the log holds it. Null if there is none. */
  readonly last: LastEvent | null;
}

export interface LastEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
}

const PROGRESS: CollectionDeclaration<StaffProgress> = { name: 'staff_events_progress', indexes: {} };
const NOTHING: StaffProgress = { _id: 'gathered', version: 0, position: null, last: null };

/** The events of staff among the views, and how far they were gathered. Every method throws StoreUnavailableError. */
@Injectable()
export class StaffEvents {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async readProgress(): Promise<StaffProgress> {
    return (await (await this.views.collection(PROGRESS)).get(NOTHING._id)) ?? NOTHING;
  }

  /** @param progress with the version that was read @returns undefined if another one was written since */
  async writeProgress({ version, ...progress }: StaffProgress): Promise<StaffProgress | undefined> {
    const isFirst = version === 0;
    // The first version is beyond those of a progress that was lost, which was not written every millisecond.
    const document = { ...progress, version: isFirst ? this.clock.now() : version + 1 };
    const expected = isFirst ? null : version;
    const outcome = await writeOne(this.views, PROGRESS, { kind: 'compare_and_set', expected, document });
    return outcome === 'written' ? document : undefined;
  }

  /** Keeps events that were gathered with a progress of this version. */
  async keep(events: readonly StaffEvent[], version: number): Promise<void> {
    if (events.length === 0) return;
    const { name: collection } = STAFF_EVENTS;
    await this.views.collection(STAFF_EVENTS);
    await this.views.write(
      events.map(
        (one) => ({ kind: 'put_if_newer', collection, document: documentOf(one, version) }) as const,
      ),
    );
  }

  /** Removes the events that were gathered with a progress before this version, and none that others gather meanwhile. */
  async removeBefore(version: number): Promise<void> {
    const { name: collection } = STAFF_EVENTS;
    for await (const page of everyDocument(await this.views.collection(STAFF_EVENTS), PAGE)) {
      const older = page.filter(({ revision }) => revision < version);
      await this.views.write(
        older.map(
          ({ _id: id, revision }) =>
            ({ kind: 'delete', collection, id, expected: revision, field: 'revision' }) as const,
        ),
      );
    }
  }

  /** The events of the company, and of all companies, before a position, the newest first. */
  async listBefore(company_id: string, before: bigint, limit: number): Promise<RecordedEvent[]> {
    const collection = await this.views.collection(STAFF_EVENTS);
    const range = { to: keyOf(before - 1n), descending: true, limit };
    const found = await Promise.all(
      [company_id, ALL_COMPANIES].map((of) => collection.find('by_company', { equals: [of], ...range })),
    );
    return found
      .flatMap(({ documents }) => documents)
      .toSorted((one, other) => (one.position < other.position ? 1 : -1))
      .slice(0, limit)
      .map(eventOf);
  }
}

/** As long as the largest position, so that keys are in the order of positions. */
function keyOf(position: bigint): string {
  return String(position).padStart(20, '0');
}

function documentOf({ company_id, event }: StaffEvent, revision: number): StaffEventDocument {
  const { position, ...stored } = event;
  const key = keyOf(position);
  return {
    _id: `${company_id} ${key}`,
    company_id,
    position: key,
    event: JSON.stringify(stored),
    revision,
  };
}

function eventOf({ position, event }: StaffEventDocument): RecordedEvent {
  return { ...(JSON.parse(event) as Omit<RecordedEvent, 'position'>), position: BigInt(position) };
}
