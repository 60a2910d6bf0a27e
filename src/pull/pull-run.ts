import { Inject, Injectable } from '@nestjs/common';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import { type ApiError, isApiError } from '../http/api-error.js';
import { type BulkResult, BulkSync } from '../push/index.js';
import type { WriteContext } from '../writing/write-context.js';
import { renamed } from './core/mapping.js';
import { PageReader, readPage } from './fetching/page-reader.js';
import { PullFault } from './fetching/pull-fault.js';
import { type KnownPage, KnownPages } from './known-pages.js';
import { NOTHING_PULLED, type PullCounts } from './pull-runs.js';
import type { PullSourceRecord } from './pull-sources.js';
import { SecretBox } from './secret-box.js';

const MOST_PAGES = 2_000;
/** Of a run's errors, and of the faults of a whole page, those that are kept. */
const ERRORS_KEPT = 100;
const FAULTS_TOLD = 5;

/** By what a run is let run. */
export interface RunPermit {
  readonly run_id: string;
  /** Ends the run. */
  readonly signal: AbortSignal;
  /**
   * Demands that this process is still the one that runs the source; asked of the store before anything is written.
   * @throws PullFault @throws StoreUnavailableError
   */
  demand(): Promise<void>;
  /** Whether what `demand` found may be outdated: nothing is appended any more. */
  readonly isOver: boolean;
}

/** Reads a source's document once, page after page, and applies each before the next is asked for. */
@Injectable()
export class PullRun {
  constructor(
    private readonly reader: PageReader,
    private readonly bulk: BulkSync,
    private readonly known: KnownPages,
    private readonly secrets: SecretBox,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /**
   * @param progressed called after each page with what was done so far
   * @throws PullFault @throws StoreUnavailableError, WriteContendedError: what was applied until then stays
   */
  async run(
    source: PullSourceRecord,
    permit: RunPermit,
    progressed: (counts: PullCounts) => Promise<void>,
  ): Promise<void> {
    const auth_header = this.#credentialOf(source);
    const credential_origin = new URL(source.url).origin;
    const known = await this.known.of(source);
    const { signal } = permit;
    const kept: KnownPage[] = [];
    const seen = new Set<string>();
    let counts = NOTHING_PULLED;
    let url: string | null = source.url;
    while (url !== null) {
      demandFurther(url, seen);
      const before: KnownPage | undefined = known.get(url);
      const etag = before?.etag ?? null;
      const answer = await this.reader.read({ url, auth_header, credential_origin, etag, signal });
      if (answer.kind === 'not_modified') {
        kept.push(before!);
        counts = { ...counts, pages: counts.pages + 1, pages_not_modified: counts.pages_not_modified + 1 };
        url = before!.next;
      } else {
        const { units, next } = readPage(answer.body, answer.url);
        const result = await this.#apply(source, units, permit);
        if (answer.etag !== null && result.errors.length === 0) kept.push({ url, etag: answer.etag, next });
        counts = plus(counts, result);
        url = next;
      }
      await permit.demand();
      await progressed(counts);
    }
    await this.known.keep(source, kept);
  }

  /** In parts; before each it is asked who may write. */
  async #apply(
    { _id: id, company_id, mapping }: PullSourceRecord,
    units: readonly unknown[],
    permit: RunPermit,
  ): Promise<AppliedPage> {
    if (units.length === 0) return { ...NOTHING_PULLED, errors: [] };
    const entries = mapping === null ? units : units.map((entry) => renamed(entry, mapping));
    const nextContext = async (): Promise<WriteContext> => {
      await permit.demand();
      return {
        command_id: this.ids.ulid(),
        request_id: permit.run_id,
        actor: { kind: 'pull', id },
        recovering: false,
        deadline: permit,
      };
    };
    try {
      return await this.bulk.syncAll({ company_id, source: 'pull' }, { units: entries }, nextContext);
    } catch (error) {
      throw isApiError(error) ? documentFault(error) : error;
    }
  }

  #credentialOf({ _id, sealed_auth }: PullSourceRecord): string | null {
    if (sealed_auth === null) return null;
    const secret = this.secrets.open(sealed_auth, _id);
    if (secret !== undefined) return secret;
    const message = 'The kept auth_header belongs to another KEY_MASTER_SECRET: it has to be given again.';
    throw new PullFault('secret_unreadable', message);
  }
}

type AppliedPage = Pick<BulkResult, 'total' | 'created' | 'updated' | 'unchanged' | 'errors'>;

function demandFurther(url: string, seen: Set<string>): void {
  if (seen.has(url)) throw new PullFault('page_loop', 'The pages lead back to one that was read before.');
  if (seen.size === MOST_PAGES) throw new PullFault('too_many_pages', 'There are more than 2000 pages.');
  seen.add(url);
}

function plus(counts: PullCounts, page: AppliedPage): PullCounts {
  return {
    ...counts,
    total: counts.total + page.total,
    created: counts.created + page.created,
    updated: counts.updated + page.updated,
    unchanged: counts.unchanged + page.unchanged,
    error_count: counts.error_count + page.errors.length,
    errors: [...counts.errors, ...page.errors].slice(0, ERRORS_KEPT),
    pages: counts.pages + 1,
  };
}

/** What makes a page malformed as a whole, by the places of its entries. */
function documentFault({ message, errors = {} }: ApiError): PullFault {
  const faults = Object.entries(errors).slice(0, FAULTS_TOLD);
  const told = faults.map(([path, [text]]) => `${path}: ${text}`);
  return new PullFault('document_invalid', [message, ...told].join(' '));
}
