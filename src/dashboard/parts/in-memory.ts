import type { ListRange, RowsPage } from './list-page.js';

/** Reads pages of a list in memory. Begins again at the first row if the row of the cursor is gone. */
export function inMemory<Row>(all: readonly Row[], key: (row: Row) => string) {
  return ({ limit, cursor }: ListRange): Promise<RowsPage<Row>> => {
    const from = cursor === undefined ? 0 : all.findIndex((row) => key(row) === cursor) + 1;
    const rows = all.slice(from, from + limit);
    const last = rows.at(-1);
    const next_cursor = last === undefined || from + limit >= all.length ? null : key(last);
    return Promise.resolve({ rows, next_cursor });
  };
}
