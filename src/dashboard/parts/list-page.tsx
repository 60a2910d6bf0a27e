import type { ComponentChild, VNode } from 'preact';
import { LARGEST_PAGE } from '#web/validation/page-query.js';
import type { StreamedDownload } from '../page/page.js';
import { type Cell, csvFile } from './csv.js';
import { type ColumnFit, type ColumnSort, CsvLink, Empty, NextPage, Table } from './layout.js';
import { withQuery } from '../links/with-query.js';

const USUAL_PAGE = 100;

/** The part of a list to read: at most `limit` rows behind a cursor. */
export interface ListRange {
  readonly limit: number;
  readonly cursor?: string;
}

export interface RowsPage<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

type MemberOf<Row> = { [Name in keyof Row]-?: Row[Name] extends Cell ? Name : never }[keyof Row] & string;

/** A column of the table, of the file, or of both. */
export type Column<Row> = {
  /** Head in the table. Absent: the column is only in the file. */
  readonly title?: string;
  /** How the column gives way on a narrow page. */
  readonly fit?: ColumnFit;
  /** The content of the table's cell. Absent: the value. */
  readonly cell?: (row: Row) => ComponentChild;
} & (
  | {
      /** Name in the file and member of the row. Absent: the column is only in the table. */
      readonly name?: MemberOf<Row>;
    }
  | { readonly name: string; readonly value: (row: Row) => Cell }
);

interface ListOptions<Row, P extends RowsPage<Row>> {
  /** For people who do not see the table. */
  readonly caption: string;
  /** The file's name. */
  readonly name: string;
  readonly path: string;
  /** Address of the file. */
  readonly file: string;
  /** Filters of the list. Links to the next page and to the file repeat them. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly read: (range: ListRange) => Promise<P>;
  /** Reads the rows of the file. Absent: like the pages. */
  readonly readFile?: (range: ListRange) => Promise<RowsPage<Row>>;
  /** Text of an empty list, or an `EmptyState`. */
  readonly empty: ComponentChild;
  /** Most rows of a page. */
  readonly limit?: number;
  /** The cursor's name in addresses, where a page shows several lists. */
  readonly cursorName?: string;
  /** The link that sorts by a column. */
  readonly sortOf?: ((title: string) => ColumnSort | undefined) | undefined;
  /** False: the page has the link to the file elsewhere. */
  readonly hasFileLink?: boolean;
  /** Replaces the table. */
  readonly body?: (page: P) => ComponentChild;
}

/** A list of the dashboard: its pages, and the whole of it as a file. */
export interface ListPage<P> {
  /**
   * A page of the list, read and shown.
   * @param cursor as the address gives it
   * @throws InvalidCursorError, StoreUnavailableError
   */
  show(cursor?: unknown): Promise<{ readonly page: P; readonly view: VNode }>;
  /** Reads the list page by page as the file is sent. @throws StoreUnavailableError */
  csv(): Promise<StreamedDownload>;
}

export function listPage<Row, P extends RowsPage<Row> = RowsPage<Row>>(
  list: ListOptions<Row, P>,
): ListPage<P> {
  const { columns, name, read, readFile = read, limit = USUAL_PAGE } = list;
  return {
    async show(cursor) {
      const page = await read({ limit, ...(typeof cursor === 'string' && cursor !== '' && { cursor }) });
      return { page, view: <ListView list={list} page={page} /> };
    },
    csv: () => columnFile(name, columns, readFile),
  };
}

/** A list as a file, of the columns that have a name. It is read page by page as it is sent. */
export function columnFile<Row>(
  name: string,
  columns: readonly Column<Row>[],
  read: (range: ListRange) => Promise<RowsPage<Row>>,
): Promise<StreamedDownload> {
  const filed = columns.filter((column) => column.name !== undefined);
  const head = filed.map((column) => column.name!);
  return csvFile(name, head, async (cursor) => {
    const { rows, next_cursor } = await read({
      limit: LARGEST_PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    return { lines: rows.map((row) => filed.map((column) => valueOf(column, row))), next_cursor };
  });
}

interface ListViewProps<Row, P extends RowsPage<Row>> {
  readonly list: ListOptions<Row, P>;
  readonly page: P;
}

function ListView<Row, P extends RowsPage<Row>>({ list, page }: ListViewProps<Row, P>) {
  const { path, file, query = {}, empty, body, cursorName, hasFileLink = true } = list;
  const { rows, next_cursor } = page;
  const isEmpty = rows.length === 0;
  const shown = body === undefined ? <RowTable {...list} rows={rows} /> : body(page);
  return (
    <>
      {isEmpty ? <Nothing>{next_cursor === null ? empty : 'No match on this page.'}</Nothing> : shown}
      <NextPage path={withQuery(path, query)} cursor={next_cursor} of={cursorName} />
      {isEmpty || !hasFileLink ? null : <CsvLink path={withQuery(file, query)} />}
    </>
  );
}

function Nothing({ children }: { readonly children: ComponentChild }) {
  return typeof children === 'string' ? <Empty>{children}</Empty> : <>{children}</>;
}

type RowTableProps<Row> = Pick<ListOptions<Row, RowsPage<Row>>, 'caption' | 'columns' | 'sortOf'> & {
  // Preact keeps `key` to itself.
  readonly keyOf: (row: Row) => string;
  readonly rows: readonly Row[];
};

/** A table of rows, by the columns that have a title. */
export function RowTable<Row>({ columns, caption, keyOf, rows, sortOf }: RowTableProps<Row>) {
  const shown = columns.filter(({ title }) => title !== undefined);
  return (
    <Table
      caption={caption}
      sortOf={sortOf}
      head={shown.map(({ title }) => title!)}
      fits={Object.fromEntries(shown.flatMap(({ title, fit }) => (fit === undefined ? [] : [[title!, fit]])))}
      rows={rows.map((row) => ({
        key: keyOf(row),
        cells: shown.map((column) => column.cell?.(row) ?? valueOf(column, row)),
      }))}
    />
  );
}

function valueOf<Row>(column: Column<Row>, row: Row): Cell {
  if ('value' in column) return column.value(row);
  return column.name === undefined ? undefined : (row[column.name] as Cell);
}
