import { StreamedDownload } from '../page/page.js';

export type Cell = string | number | boolean | null | undefined;

/** Positions at which a spreadsheet may begin a formula. Some spreadsheets also split cells at semicolons. */
const FORMULAS = /(?<=^|;)(?=\s*[=+\-@＝＋－＠]|[\t\r])/g;

/** A line of CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(String(cell ?? '')))).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = text.replace(FORMULAS, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A page of a file. */
interface CsvPage {
  readonly lines: readonly (readonly Cell[])[];
  readonly next_cursor: string | null;
}

/** A whole list as a file, read page by page as it is sent. The first page is read at once, so that a refusal is an error. */
export async function csvFile(
  name: string,
  head: readonly string[],
  read: (cursor?: string) => Promise<CsvPage>,
): Promise<StreamedDownload> {
  const chunks = chunksOf(head, await read(), read);
  return new StreamedDownload(`${name}.csv`, 'text/csv; charset=utf-8', chunks);
}

async function* chunksOf(
  head: readonly string[],
  first: CsvPage,
  read: (cursor: string) => Promise<CsvPage>,
): AsyncGenerator<string> {
  yield csvRow(head) + first.lines.map(csvRow).join('');
  for (let { next_cursor } = first; next_cursor !== null;) {
    const page = await read(next_cursor);
    yield page.lines.map(csvRow).join('');
    next_cursor = page.next_cursor;
  }
}
