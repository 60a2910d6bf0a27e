import { Inject, Injectable } from '@nestjs/common';
import { RECORDS } from '#kernel/injection-tokens.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentPage,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { EntryError } from '#api/push/index.js';
import type { PullFaultCode } from './fetching/pull-fault.js';

export type PullRunState = 'queued' | 'running' | 'succeeded' | 'failed';

/** The progress of a run. */
export interface PullCounts {
  readonly total: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Entries that were older than another write of their unit, by the page's `snapshot_at`. */
  readonly skipped: number;
  /** Entries that were refused. `errors` holds the first of them. */
  readonly error_count: number;
  readonly errors: readonly EntryError[];
  readonly pages: number;
  /** Pages for which the source answered 304. Their units are not counted. */
  readonly pages_not_modified: number;
}

/** A run of a pull source. `_id` is its ULID. */
export interface PullRunRecord extends PullCounts {
  readonly _id: string;
  readonly version: number;
  readonly pull_source_id: string;
  readonly company_id: string;
  readonly state: PullRunState;
  /** Milliseconds, as all instants here. */
  readonly requested_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** Measured by the real clock. Null before the end, and if the process stopped. Absent in records of old versions. */
  readonly duration_ms?: number | null;
  readonly failure: { readonly code: PullFaultCode; readonly message: string } | null;
  /** The record is deleted then. */
  readonly expires_at: number;
}

const PULL_RUNS: CollectionDeclaration<PullRunRecord> = {
  name: 'pull_runs',
  indexes: { by_source: { fields: ['pull_source_id', 'requested_at'] } },
  expiry: 'expires_at',
};

const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1_000;

export const NOTHING_PULLED: PullCounts = {
  total: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  error_count: 0,
  errors: [],
  pages: 0,
  pages_not_modified: 0,
};

/** The records of runs, kept for 30 days. Every method that reads or writes throws StoreUnavailableError. */
@Injectable()
export class PullRuns {
  constructor(@Inject(RECORDS) private readonly records: DocumentStore) {}

  /** Makes the record of a run that has not begun. */
  draft(
    run_id: string,
    { _id: pull_source_id, company_id }: { readonly _id: string; readonly company_id: string },
    now: number,
  ): PullRunRecord {
    return {
      _id: run_id,
      version: 1,
      pull_source_id,
      company_id,
      state: 'queued',
      requested_at: now,
      started_at: null,
      finished_at: null,
      duration_ms: null,
      failure: null,
      expires_at: now + KEPT_FOR_MS,
      ...NOTHING_PULLED,
    };
  }

  async byId(run_id: string): Promise<PullRunRecord | undefined> {
    return (await this.#open()).get(run_id);
  }

  /** In the order of `run_ids`. Undefined for a run that was deleted. */
  async byIds(run_ids: readonly string[]): Promise<(PullRunRecord | undefined)[]> {
    return (await this.#open()).getMany(run_ids);
  }

  /** Newest first. @throws InvalidCursorError */
  async listRuns(
    pull_source_id: string,
    limit: number,
    cursor?: string,
  ): Promise<DocumentPage<PullRunRecord>> {
    const range = { equals: [pull_source_id], descending: true, limit, cursor };
    return (await this.#open()).find('by_source', range);
  }

  /** Does nothing if the run is stored already. */
  async insert(document: PullRunRecord): Promise<void> {
    await writeOne(this.records, PULL_RUNS, { kind: 'insert', document });
  }

  /** @returns the stored record; undefined if another process has changed it since */
  async replace(before: PullRunRecord, changes: Partial<PullRunRecord>): Promise<PullRunRecord | undefined> {
    const document = { ...before, ...changes, version: before.version + 1 };
    const write = { kind: 'compare_and_set', expected: before.version, document } as const;
    return (await writeOne(this.records, PULL_RUNS, write)) === 'written' ? document : undefined;
  }

  #open(): Promise<Collection<PullRunRecord>> {
    return this.records.collection(PULL_RUNS);
  }
}
