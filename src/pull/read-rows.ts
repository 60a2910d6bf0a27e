import { TURNS } from '#kernel/turns.js';
import { runYielding } from '#kernel/yielder.js';
import { type Mapping, renamed } from './core/mapping.js';
import { readPage, type SourcePage } from './fetching/page-reader.js';

/** A page as its source sent it. */
interface FetchedPage {
  readonly body: Uint8Array;
  readonly url: string;
}

/** Parses a page. Others go on in between: a large one takes hundreds of milliseconds. @throws PullFault */
export async function parsePage({ body, url }: FetchedPage, now: number): Promise<SourcePage> {
  await TURNS.next();
  return runYielding(readPage(body, url, now));
}

/** The rows with the names that the service knows. Others go on between them. */
export async function renameRows(rows: readonly unknown[], mapping: Mapping | null): Promise<unknown[]> {
  const entries: unknown[] = [];
  for (const row of rows) {
    entries.push(renamed(row, mapping ?? {}));
    await TURNS.pauseIfLong();
  }
  return entries;
}
