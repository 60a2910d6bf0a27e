import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, RECORDS } from '../config/injection-tokens.js';
import type { Logger } from '../config/logger.js';
import type { CollectionDeclaration, DocumentStore, StoredDocument } from '../documents/document-store.js';
import { everyPage } from '../documents/pages.js';
import { searchKeys } from './core/search-keys.js';
import { hasItsKeys, TENANT_ACCOUNTS, type TenantAccount } from './tenant-account.js';

/** That all accounts have the keys by which this build finds them. */
const SEARCH_KEYS: CollectionDeclaration<StoredDocument> = { name: 'tenant_search_keys', indexes: {} };
/** Another one for other keys, so that what an earlier build has filled is filled again. */
const MADE = 'v1';
const PAGE = 200;

/** Gives the accounts that an earlier build wrote what they are searched by, once, beside requests. */
@Injectable()
export class SearchBackfill implements OnModuleDestroy {
  #ended = false;
  #running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      this.logger.warn({ error }, 'Not all tenants can be searched for yet; the next start goes on.');
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  /** Resolves once it has ended, for better or worse. */
  ended(): Promise<void> {
    return this.#running;
  }

  async #run(): Promise<void> {
    const marks = await this.records.collection(SEARCH_KEYS);
    if ((await marks.get(MADE)) !== undefined) return;
    const accounts = await this.records.collection(TENANT_ACCOUNTS);
    const pages = everyPage((cursor) => accounts.find('tenant_id', { equals: [], limit: PAGE, cursor }));
    for await (const { documents } of pages) {
      // An account that was written meanwhile has its keys.
      await this.records.write(documents.filter((account) => !hasItsKeys(account)).map(withKeys));
      if (this.#ended) return;
    }
    await this.records.write([{ kind: 'put', collection: SEARCH_KEYS.name, document: { _id: MADE } }]);
  }
}

function withKeys(account: TenantAccount) {
  const document = { ...account, ...searchKeys(account.name, account.email), version: account.version + 1 };
  return {
    kind: 'compare_and_set',
    collection: TENANT_ACCOUNTS.name,
    expected: account.version,
    document,
  } as const;
}
