type Cell = string | number | boolean | null | undefined;

/** What is listed, by the names of its columns. */
type Row<Column extends string> = Readonly<Record<Column, Cell>>;

/** A line of CSV (RFC 4180); a cell that a spreadsheet would take for a formula is made text. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A page of a list, of whatever it lists. */
interface ListPage {
  readonly next_cursor: string | null;
}

/** A whole list as CSV, read page by page as it is sent. The first page is there before, so that what is refused is no file. */
export async function* pagesAsCsv<P extends ListPage>(
  head: readonly string[],
  first: P,
  { more, rows }: { more: (cursor: string) => Promise<P>; rows: (page: P) => string },
): AsyncGenerator<string> {
  yield csvRow(head) + rows(first);
  for (let { next_cursor } = first; next_cursor !== null;) {
    const page = await more(next_cursor);
    yield rows(page);
    next_cursor = page.next_cursor;
  }
}

/** The lines of what is listed, each with these columns. */
export function rowsAsCsv<Column extends string>(
  columns: readonly Column[],
  of: readonly Row<Column>[],
): string {
  return of.map((one) => csvRow(columns.map((column) => one[column]))).join('');
}

/** A list that has no pages as CSV. */
export function listAsCsv<Column extends string>(
  columns: readonly Column[],
  of: readonly Row<Column>[],
): AsyncGenerator<string> {
  const whole = { next_cursor: null };
  return pagesAsCsv(columns, whole, {
    more: () => Promise.resolve(whole),
    rows: () => rowsAsCsv(columns, of),
  });
}
