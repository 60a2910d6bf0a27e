import type { Clock } from '../../config/clock.js';
import type { Ids } from '../../config/ids.js';
import { pause } from '../../config/pause.js';
import { isBeyond } from '../../http/json-bounds.js';
import { waitBeforeRetry } from '../core/retry.js';
import { PullFault } from './pull-fault.js';
import type { PullAnswer, PullHttp, PullRequest } from './pull-http.js';

/** A page of a source's document. */
export interface SourcePage {
  /** As they came: nothing is known of them. */
  readonly units: readonly unknown[];
  /** The page that follows; null after the last. */
  readonly next: string | null;
}

/** Of one page: 50,000 units with every field have fewer. */
const PAGE_BOUNDS = { depth: 64, values: 2_000_000 };
const LONGEST_URL = 2_048;

/** Asks for a page until it comes or there is no hope in this run. */
export class PageReader {
  constructor(
    private readonly http: PullHttp,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** @throws PullFault */
  async read(request: PullRequest): Promise<PullAnswer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.http.get(request);
      } catch (error) {
        if (!(error instanceof PullFault) || error.retry === undefined) throw error;
        const wait = waitBeforeRetry(tries, this.#chance(), error.retry.after);
        if (wait === undefined) throw error;
        await pause(this.clock, wait, request.signal);
      }
    }
  }

  #chance(): number {
    return Number(this.ids.code(6)) / 1_000_000;
  }
}

/** Reads a page's body. @param url where it stood. @throws PullFault */
export function readPage(body: Uint8Array, url: string): SourcePage {
  const document = parsed(body);
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw invalid('The document is not an object.');
  const { units, next = null } = document as { readonly units?: unknown; readonly next?: unknown };
  if (!Array.isArray(units)) throw invalid('The document has no array of units.');
  return { units, next: next === null || next === '' ? null : nextUrl(next, url) };
}

function parsed(body: Uint8Array): unknown {
  if (isBeyond(body, PAGE_BOUNDS))
    throw invalid('The document is nested deeper than 64, or holds more than 2,000,000 values.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own message quotes what came.
    throw new PullFault('not_json', 'The answer is not JSON, or was cut off.');
  }
}

function nextUrl(next: unknown, url: string): string {
  if (typeof next !== 'string' || !URL.canParse(next, url)) throw invalid('next is not a URL.');
  const to = new URL(next, url);
  const isWeb = to.protocol === 'https:' || to.protocol === 'http:';
  if (!isWeb || to.username !== '' || to.password !== '' || to.href.length > LONGEST_URL)
    throw invalid(
      'next is not an http or https URL without user name and password, of at most 2048 characters.',
    );
  return to.href;
}

function invalid(message: string): PullFault {
  return new PullFault('document_invalid', message);
}
