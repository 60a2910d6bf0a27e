import { TURNS } from '#kernel/turns.js';
import { type Deadline, runYielding, Yielder } from '#kernel/yielder.js';
import { type Mapping, renamed } from './core/mapping.js';
import { readPage, type SourcePage } from './fetching/page-reader.js';

/** A page as its source sent it. */
interface FetchedPage {
  readonly body: Uint8Array;
  readonly url: string;
}

/**
 * Parses a page. Others go on in between: a large one takes hundreds of milliseconds.
 * @throws PullFault. @throws GivenUpError after the deadline
 */
export async function parsePage(
  { body, url }: FetchedPage,
  now: number,
  deadline?: Deadline,
): Promise<SourcePage> {
  await TURNS.next();
  return runYielding(readPage(body, url, now), new Yielder(deadline));
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
