import { isObject } from '#kernel/core/is-object.js';
import { JsonBeyondBoundsError, JsonSyntaxError, parseInParts } from '#kernel/json-in-parts.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { pause } from '#kernel/pause.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { FURTHEST_AHEAD_MS } from '#api/push/index.js';
import { waitBeforeRetry } from '../core/retry.js';
import { PullFault } from './pull-fault.js';
import type { PullAnswer, PullHttp, PullRequest } from './pull-http.js';

/** A page of a source's document. */
export interface SourcePage {
  /** The entries, not validated. */
  readonly units: readonly unknown[];
  /** The instant of the source's data, in milliseconds. Undefined if the source does not say. */
  readonly snapshot_at: number | undefined;
  /** URL of the next page. Null after the last one. */
  readonly next: string | null;
}

/** Bounds of one page, checked while it is parsed. */
const PAGE_BOUNDS = { depth: 64, values: 1_000_000 };
/** The most entries of one page (decisions §8). */
const MOST_ENTRIES = 50_000;
/** The most fields of one row, with those of objects in it. */
const MOST_FIELDS_OF_ROW = 500;
const LONGEST_URL = 2_048;

/** Fetches a page, and tries again after transient faults. */
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

/**
 * Reads a page's body. Yields the amount of work at each step.
 * @param url from which the page was fetched
 * @param now by the company's clock, in milliseconds
 * @throws PullFault
 */
export function* readPage(body: Uint8Array, url: string, now: number): Generator<number, SourcePage> {
  const document = yield* parsed(body);
  const units = unitsIn(document);
  const { next = null, snapshot_at } = isObject(document) ? document : {};
  if (units.length > MOST_ENTRIES)
    throw new PullFault('too_large', 'The page has more than 50,000 entries. Split it into pages with next.');
  for (const unit of units) {
    if (hasTooManyFields(unit))
      throw invalid('A row has more than 500 fields. Ask your PMS for rows with the fields of units alone.');
    yield 1;
  }
  return {
    units,
    next: next === null || next === '' ? null : nextUrl(next, url),
    snapshot_at: snapshotIn(snapshot_at, now),
  };
}

const SHAPE = 'Ask your PMS for a document like { "units": [ … ] }, with a row for each unit.';
/** Other names may be data of the source, such as the names of persons. */
const NAME_OF_A_LIST = /^[A-Za-z_]{1,30}$/;
const MOST_LISTS = 5;
const DEEPEST_LIST = 3;

interface NamedList {
  /** Dots separate the names of nested objects. */
  readonly name: string;
  readonly list: readonly unknown[];
}

/**
 * The list `units`. A document without it may be a plain list of rows, or have exactly one such list under another name.
 * @throws PullFault
 */
function unitsIn(document: unknown): readonly unknown[] {
  const stated = isObject(document) ? document['units'] : undefined;
  if (Array.isArray(stated)) return stated;
  const lists = listsIn(document);
  const rows = lists.filter(({ list }) => list.length > 0 && list.every(isObject));
  if (stated === undefined && rows.length === 1) return rows[0]!.list;
  throw invalid(`${noUnitsText(document, lists)} ${SHAPE}`);
}

function noUnitsText(document: unknown, lists: readonly NamedList[]): string {
  if (Array.isArray(document)) return 'The answer is a list without rows.';
  if (!isObject(document)) return 'The answer is neither an object nor a list.';
  const named = lists.slice(0, MOST_LISTS).map(({ name }) => `“${name}”`);
  if (named.length === 0) return 'The answer has no list “units”.';
  const found = `${named.length === 1 ? 'list' : 'lists'} ${named.join(', ')}`;
  return `The answer has no list “units” at its top, but the ${found}.`;
}

function listsIn(value: unknown, path: readonly string[] = []): NamedList[] {
  if (Array.isArray(value)) return [{ name: path.join('.'), list: value }];
  if (!isObject(value) || path.length === DEEPEST_LIST) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    NAME_OF_A_LIST.test(name) ? listsIn(inner, [...path, name]) : [],
  );
}

function hasTooManyFields(row: unknown): boolean {
  const open = [row];
  let fields = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!isObject(value)) continue;
    const inner = Object.values(value);
    fields += inner.length;
    if (fields > MOST_FIELDS_OF_ROW) return true;
    open.push(...inner);
  }
  return false;
}

function snapshotIn(stated: unknown, now: number): number | undefined {
  if (stated === undefined || stated === null) return undefined;
  const snapshot_at = typeof stated === 'string' ? parseTimestamp(stated) : undefined;
  if (snapshot_at === undefined || snapshot_at > now + FURTHEST_AHEAD_MS)
    throw invalid('snapshot_at is not a timestamp, or is more than 5 minutes ahead.');
  return snapshot_at;
}

function* parsed(body: Uint8Array): Generator<number, unknown> {
  try {
    return yield* parseInParts(body, PAGE_BOUNDS);
  } catch (error) {
    if (error instanceof JsonBeyondBoundsError)
      throw invalid('The document is nested deeper than 64, or holds more than 1,000,000 values.');
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new PullFault('not_json', 'The answer is not JSON, or was cut off.');
  }
}

function nextUrl(next: unknown, url: string): string {
  if (typeof next !== 'string' || !URL.canParse(next, url)) throw invalid('next is not a URL.');
  const to = new URL(next, url);
  const isWeb = to.protocol === 'https:' || to.protocol === 'http:';
  if (!isWeb || to.username !== '' || to.password !== '' || to.href.length > LONGEST_URL)
    throw invalid(
      'next must begin with https:// or http://, with no user name and password, in at most 2048 characters.',
    );
  return to.href;
}

function invalid(message: string): PullFault {
  return new PullFault('document_invalid', message);
}
