import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Ids } from '#kernel/ids.js';
import { IDS } from '#kernel/injection-tokens.js';
import { TURNS } from '#kernel/turns.js';
import { SecretBox } from '#kernel/secret-box.js';
import { BulkSync, LARGEST_BULK } from '#api/push/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { parsePage, renameRows } from './read-rows.js';
import { credentialOf } from './credential.js';
import { PageReader, type SourcePage } from './fetching/page-reader.js';
import { PullFault } from './fetching/pull-fault.js';
import { type KnownPage, KnownPages } from './known-pages.js';
import { NOTHING_PULLED, type PullCounts } from './pull-runs.js';
import type { PullSourceRecord } from './pull-sources.js';

const MOST_PAGES = 2_000;
/** The most errors whose texts are kept. All errors are counted (decisions §8). */
const ERRORS_OF_PAGE = 5;
const ERRORS_OF_RUN = 100;

/** Allows one run. It ends when this process may no longer run the source. */
export interface RunPermit {
  readonly run_id: string;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /**
   * Demands that the source's record still names this run. Call it before each write.
   * @throws PullFault @throws StoreUnavailableError
   */
  demand(): Promise<void>;
  /** True if the last `demand` is too old, or the run was ended. Then nothing may be appended. */
  readonly isOver: boolean;
}

/** Fetches a source's pages one after the other. Each page is applied before the next one is fetched. */
@Injectable()
export class PullRun {
  constructor(
    private readonly reader: PageReader,
    private readonly bulk: BulkSync,
    private readonly known: KnownPages,
    private readonly secrets: SecretBox,
    private readonly clocks: CompanyClocks,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /**
   * @param progressed called after each page, with the counts so far
   * @throws PullFault, StoreUnavailableError, WriteContendedError; the pages applied before stay applied
   */
  async run(
    source: PullSourceRecord,
    permit: RunPermit,
    progressed: (counts: PullCounts) => Promise<void>,
  ): Promise<void> {
    const auth_header = credentialOf(source, this.secrets);
    const credential_origin = new URL(source.url).origin;
    const known = await this.known.read(source);
    const { signal } = permit;
    const kept: KnownPage[] = [];
    const seen = new Set<string>();
    let counts = NOTHING_PULLED;
    let url: string | null = source.url;
    while (url !== null) {
      assertNewPage(url, seen);
      const before: KnownPage | undefined = known.get(url);
      const etag = before?.etag ?? null;
      const answer = await this.reader.read({ url, auth_header, credential_origin, etag, signal });
      if (answer.kind === 'not_modified') {
        kept.push(before!);
        counts = { ...counts, pages: counts.pages + 1, pages_not_modified: counts.pages_not_modified + 1 };
        url = before!.next;
      } else {
        const page = await parsePage(answer, await this.clocks.now(source.company_id));
        const { next } = page;
        const result = await this.#apply(source, page, permit);
        if (answer.etag !== null && result.error_count === 0) kept.push({ url, etag: answer.etag, next });
        counts = plus(counts, result, ERRORS_OF_RUN);
        url = next;
      }
      await permit.demand();
      await progressed(counts);
    }
    await this.known.keep(source, kept);
  }

  /** Writes 500 entries at a time. Other requests are served in between. */
  async #apply(
    { _id: id, company_id, mapping }: PullSourceRecord,
    { units, snapshot_at }: SourcePage,
    permit: RunPermit,
  ): Promise<PullCounts> {
    const writer = { company_id, source: 'pull' } as const;
    const seen = new Set<string>();
    let page: PullCounts = { ...NOTHING_PULLED, pages: 1 };
    for (let first = 0; first < units.length; first += LARGEST_BULK) {
      const sent = units.slice(first, first + LARGEST_BULK);
      const entries = await renameRows(sent, mapping);
      await permit.demand();
      const context: WriteContext = {
        command_id: this.ids.ulid(),
        request_id: permit.run_id,
        actor: { kind: 'pull', id },
        recovering: false,
        deadline: permit,
      };
      const part = { entries, first, seen, snapshot_at };
      const { errors, skipped, ...counts } = await this.bulk.syncPart(writer, part, context);
      const faults = { error_count: errors.length, errors };
      const done = { ...NOTHING_PULLED, ...counts, ...faults, skipped: skipped?.length ?? 0 };
      page = plus(page, done, ERRORS_OF_PAGE);
      await TURNS.next();
    }
    return page;
  }
}

function assertNewPage(url: string, seen: Set<string>): void {
  if (seen.has(url)) throw new PullFault('page_loop', 'The pages lead back to one that was read before.');
  if (seen.size === MOST_PAGES) throw new PullFault('too_many_pages', 'There are more than 2000 pages.');
  seen.add(url);
}

function plus(one: PullCounts, other: PullCounts, mostErrors: number): PullCounts {
  return {
    total: one.total + other.total,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    skipped: one.skipped + other.skipped,
    error_count: one.error_count + other.error_count,
    errors: [...one.errors, ...other.errors].slice(0, mostErrors),
    pages: one.pages + other.pages,
    pages_not_modified: one.pages_not_modified + other.pages_not_modified,
  };
}
