import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../companies/index.js';
import { SecretBox } from '../config/secret-box.js';
import { type FoundField, foundFields } from './core/found-fields.js';
import { credentialOf } from './credential.js';
import { readPage } from './fetching/page-reader.js';
import { PullFault, type PullFaultCode } from './fetching/pull-fault.js';
import { PULL_HTTP, type PullHttp } from './fetching/pull-http.js';
import type { PullSourceRecord } from './pull-sources.js';

/** Milliseconds. The request of the operator ends after ten seconds. */
const TEST_TIMEOUT = 8_000;

export interface PullSourceTested {
  /** Null if the first page could be read. */
  readonly failure: { readonly code: PullFaultCode; readonly message: string } | null;
  /** Entries of the first page. */
  readonly entries: number;
  readonly has_more_pages: boolean;
  readonly fields: readonly FoundField[];
}

type TestedSource = Pick<PullSourceRecord, 'company_id' | 'url' | 'mapping'>;

/** Fetches the first page of a source as a run does, without retries. Writes nothing. */
@Injectable()
export class PullSourceTest {
  constructor(
    @Inject(PULL_HTTP) private readonly http: PullHttp,
    private readonly secrets: SecretBox,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws StoreUnavailableError */
  run(source: PullSourceRecord): Promise<PullSourceTested> {
    return this.runUnsaved(source, () => credentialOf(source, this.secrets));
  }

  /**
   * Tests a source that may not be saved.
   * @param credential may throw PullFault
   * @throws StoreUnavailableError
   */
  async runUnsaved(source: TestedSource, credential: () => string | null): Promise<PullSourceTested> {
    const now = await this.clocks.now(source.company_id);
    try {
      const { units, next } = await this.#firstPage(source.url, credential(), now);
      const fields = foundFields(units, source.mapping);
      return { failure: null, entries: units.length, has_more_pages: next !== null, fields };
    } catch (error) {
      if (!(error instanceof PullFault)) throw error;
      const { code, message } = error;
      const hint = code === 'timeout' ? ' A run waits 30 seconds.' : '';
      return { failure: { code, message: message + hint }, entries: 0, has_more_pages: false, fields: [] };
    }
  }

  async #firstPage(url: string, auth_header: string | null, now: number) {
    const credential_origin = new URL(url).origin;
    const page = { url, auth_header, credential_origin, etag: null, within: TEST_TIMEOUT };
    const answer = await this.http.get(page);
    // 304 is wrong here: the request had no `If-None-Match`.
    if (answer.kind === 'not_modified') throw new PullFault('http_status', 'The source answered 304.');
    return readPage(answer.body, answer.url, now);
  }
}
