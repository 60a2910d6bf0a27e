import { StreamedDownload } from '../frame/page.js';

type Cell = string | number | boolean | null | undefined;

/** What is listed, by the names of its columns. */
type Row<Column extends string> = Readonly<Record<Column, Cell>>;

/** Where a spreadsheet takes what follows for a formula: one that parts cells at semicolons does so after each of them. */
const FORMULAS = /(?<=^|;)(?=\s*[=+\-@＝＋－＠]|[\t\r])/g;

/** A line of CSV (RFC 4180); a text that a spreadsheet would take for a formula is made one that it does not. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : csvCell(String(cell ?? '')))).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = text.replace(FORMULAS, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A page of a list, of whatever it lists. */
interface ListPage {
  readonly next_cursor: string | null;
}

interface PagedRows<P extends ListPage, Column extends string> {
  readonly read: (cursor?: string) => Promise<P>;
  readonly rows: (page: P) => readonly Row<Column>[];
}

/** A whole list as a file, read page by page as it is sent. The first page is there before, so that what is refused is no file. */
export async function csvOfPages<P extends ListPage, Column extends string>(
  name: string,
  columns: readonly Column[],
  { read, rows }: PagedRows<P, Column>,
): Promise<StreamedDownload> {
  const first = await read();
  return csvFile(name, chunksOf(columns, first, { read, rows }));
}

/** A list that has no pages as a file. */
export function csvOfList<Column extends string>(
  name: string,
  columns: readonly Column[],
  of: readonly Row<Column>[],
): StreamedDownload {
  const whole = { next_cursor: null };
  const read = () => Promise.resolve(whole);
  return csvFile(name, chunksOf(columns, whole, { read, rows: () => of }));
}

async function* chunksOf<P extends ListPage, Column extends string>(
  columns: readonly Column[],
  first: P,
  { read, rows }: PagedRows<P, Column>,
): AsyncGenerator<string> {
  const linesOf = (page: P) =>
    rows(page)
      .map((row) => csvRow(columns.map((column) => row[column])))
      .join('');
  yield csvRow(columns) + linesOf(first);
  for (let { next_cursor } = first; next_cursor !== null;) {
    const page = await read(next_cursor);
    yield linesOf(page);
    next_cursor = page.next_cursor;
  }
}

function csvFile(name: string, chunks: AsyncIterable<string>): StreamedDownload {
  return new StreamedDownload(`${name}.csv`, 'text/csv; charset=utf-8', chunks);
}
