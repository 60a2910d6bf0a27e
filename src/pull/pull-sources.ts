import { Inject, Injectable } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import { wholeList } from '#eventsourcing/documents/pages.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { Mapping } from './core/mapping.js';

/** The settings of a source that operators set. */
export interface PullSettings {
  readonly name: string;
  readonly url: string;
  /** True if an admin set the URL. A credential is sent only to such a URL. */
  readonly url_by_admin: boolean;
  /** The value of `Authorization`, encrypted. Null if none is sent. */
  readonly sealed_auth: string | null;
  readonly interval_seconds: number;
  readonly mapping: Mapping | null;
  /** False: it runs only when an operator requests a run. */
  readonly enabled: boolean;
}

/** A pull source (decisions §8). `_id` is its ULID. */
export interface PullSourceRecord extends PullSettings {
  readonly _id: string;
  readonly version: number;
  readonly company_id: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  /** Rises when URL, credential or mapping change. Then all pages are fetched whole again. */
  readonly turn: number;
  /** Instant of the next run. Null during a run, and if no run is planned. */
  readonly next_run_at: number | null;
  /** A run that an operator has requested and that has not begun. */
  readonly requested_run_id: string | null;
  /** The fence of the leader that runs the source. Null if no run is under way. */
  readonly running: number | null;
  /** The run under way, or the last one. */
  readonly run_id: string | null;
}

const PULL_SOURCES: CollectionDeclaration<PullSourceRecord> = {
  name: 'pull_sources',
  indexes: {
    by_company: { fields: ['company_id', 'created_at'] },
    by_next_run_at: { fields: ['next_run_at'] },
    by_running: { fields: ['running'] },
  },
};

/** The records of pull sources. Every method throws StoreUnavailableError. */
@Injectable()
export class PullSources {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  async byId(pull_source_id: string): Promise<PullSourceRecord | undefined> {
    return isPossibleId(pull_source_id) ? (await this.#open()).get(pull_source_id) : undefined;
  }

  /** Oldest first. */
  async listSources(company_id: string): Promise<PullSourceRecord[]> {
    return this.#all('by_company', { equals: [company_id] });
  }

  /** The due sources. The one that is due for the longest time comes first. */
  async due(now: number): Promise<PullSourceRecord[]> {
    return this.#all('by_next_run_at', { equals: [], from: 0, to: now });
  }

  /** The first instant after `instant` at which a source becomes due. */
  async firstDueAfter(instant: number): Promise<number | undefined> {
    const range = { equals: [], from: instant + 1, limit: 1 };
    const { documents } = await (await this.#open()).find('by_next_run_at', range);
    return documents[0]?.next_run_at ?? undefined;
  }

  /** Sources with a run under way, or with a run whose process has stopped. */
  async running(): Promise<PullSourceRecord[]> {
    return this.#all('by_running', { equals: [], from: 0 });
  }

  /** The names of sources, by their ids. */
  async namesOf(pull_source_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await (await this.#open()).getMany(pull_source_ids);
    return new Map(found.flatMap((source) => (source === undefined ? [] : [[source._id, source.name]])));
  }

  async insert(document: PullSourceRecord): Promise<WriteOutcome['kind']> {
    return writeOne(this.records, PULL_SOURCES, { kind: 'insert', document });
  }

  /**
   * Changes a source, and retries on a conflict.
   * @param change returns the changed fields, or undefined for no change
   * @returns the changed source, or undefined if it was not changed or does not exist
   */
  change(
    pull_source_id: string,
    change: (source: PullSourceRecord) => Partial<PullSourceRecord> | undefined,
  ): Promise<PullSourceRecord | undefined> {
    return untilItHolds(async () => {
      const before = await this.byId(pull_source_id);
      const changes = before && change(before);
      if (changes === undefined) return undefined;
      const document = { ...before!, ...changes, version: before!.version + 1 };
      const write = { kind: 'compare_and_set', expected: before!.version, document } as const;
      return (await writeOne(this.records, PULL_SOURCES, write)) === 'written' ? document : OVERTAKEN;
    });
  }

  async #all(
    index: string,
    range: { readonly equals: string[]; readonly from?: number; readonly to?: number },
  ): Promise<PullSourceRecord[]> {
    return wholeList(await this.#open(), index, range);
  }

  #open(): Promise<Collection<PullSourceRecord>> {
    return this.records.collection(PULL_SOURCES);
  }
}
