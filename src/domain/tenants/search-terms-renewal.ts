import { Inject, Injectable } from '@nestjs/common';
import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, LOGGER, RECORDS } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { searchTerms } from './core/search-terms.js';
import { TENANT_ACCOUNTS, type TenantAccount } from './tenant-account.js';

/**
 * Raise it when stored names are to be found by more. Records are not rebuilt from the log, so their terms are made anew.
 * A process of an earlier version that changes a name afterwards stores old terms: an upgrade must stop all such first.
 */
const TERMS_FORMAT = 2;

interface Renewed extends StoredDocument {
  readonly format: number;
}

const RENEWED: CollectionDeclaration<Renewed> = { name: 'search_terms_renewed', indexes: {} };
const ID = 'tenant_accounts';

/** Milliseconds between two tries. */
const TRY_EVERY_MS = 10 * 60_000;
const ACCOUNTS_AT_ONCE = 500;

/** Makes the search terms of the accounts that an earlier version has stored anew, once. */
@Injectable()
export class SearchTermsRenewal {
  readonly #renewing: RepeatedWork;
  #isDone = false;

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const failed = (error: unknown) =>
      logger.warn({ error }, 'Search terms of tenants could not be renewed; trying again.');
    this.#renewing = new RepeatedWork({ clock, failed, interval: TRY_EVERY_MS }, () => this.renewTerms());
  }

  start(): void {
    this.#renewing.start();
  }

  stop(): Promise<void> {
    return this.#renewing.stop();
  }

  /** Does nothing if they were renewed. @throws StoreUnavailableError */
  async renewTerms(): Promise<void> {
    if (this.#isDone) return;
    const renewed = await (await this.records.collection(RENEWED)).get(ID);
    if ((renewed?.format ?? 0) < TERMS_FORMAT) await this.#renewAll();
    this.#isDone = !this.#renewing.isOver;
  }

  async #renewAll(): Promise<void> {
    let cursor: string | null = null;
    do {
      cursor = await this.#renewPage(cursor);
      if (this.#renewing.isOver) return;
    } while (cursor !== null);
    const document: Renewed = { _id: ID, format: TERMS_FORMAT };
    await writeOne(this.records, RENEWED, { kind: 'put', document });
  }

  /** @returns the cursor of the next page; null after the last one */
  #renewPage(cursor: string | null): Promise<string | null> {
    return untilItHolds(async () => {
      const accounts = await this.records.collection(TENANT_ACCOUNTS);
      const range = { equals: [], limit: ACCOUNTS_AT_ONCE, cursor: cursor ?? undefined };
      const page = await accounts.find('tenant_id', range);
      const outcomes = await this.records.write(page.documents.flatMap(renewal));
      // Whoever has changed one of the accounts meanwhile may have kept its old terms.
      return outcomes.every(({ kind }) => kind === 'written') ? page.next_cursor : OVERTAKEN;
    });
  }
}

function renewal(account: TenantAccount): DocumentWrite | [] {
  const search_terms = searchTerms(account);
  if (search_terms.join('\n') === account.search_terms.join('\n')) return [];
  const document = { ...account, search_terms, version: account.version + 1 };
  return { kind: 'compare_and_set', collection: TENANT_ACCOUNTS.name, expected: account.version, document };
}
