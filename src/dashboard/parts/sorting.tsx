import type { ColumnSort } from './layout.js';

/** How a table is sorted. The address writes it as the name of the column, after `-` if descending. */
export interface Order<Sort extends string> {
  readonly sort: Sort;
  readonly isDescending: boolean;
}

/** The columns that a table can be sorted by. */
export type SortColumns<Sort extends string> = readonly (readonly [title: string, sort: Sort])[];

/**
 * The order that an address asks for.
 * @param text as the address gives it, also several times
 * @param usual is meant by an unknown one
 */
export function orderOf<Sort extends string>(
  text: unknown,
  sorts: readonly Sort[],
  usual: Order<Sort> = { sort: sorts[0]!, isDescending: false },
): Order<Sort> {
  if (typeof text !== 'string') return usual;
  const isDescending = text.startsWith('-');
  const sort = sorts.find((one) => one === text.slice(isDescending ? 1 : 0));
  return sort === undefined ? usual : { sort, isDescending };
}

const COLLATOR = new Intl.Collator('en', { numeric: true });
/** Longer texts are compared by their beginnings, because thousands may be compared at once. */
const COMPARED = 60;
/** Behind every text. */
export const LAST = '\u{10FFFF}';

/** Compares by a text as people sort it: A-2 before A-10. Null comes last. */
export function byText<Row>(textOf: (row: Row) => string | null) {
  const keyOf = (row: Row) => (textOf(row) ?? LAST).slice(0, COMPARED);
  return (one: Row, other: Row) => COLLATOR.compare(keyOf(one), keyOf(other));
}

type Compare<Row> = (one: Row, other: Row) => number;

/** Compares rows as an order demands; equal ones by `byDefault`. */
export function comparing<Row, Sort extends string>(
  { sort, isDescending }: Order<Sort>,
  compares: Readonly<Record<Sort, Compare<Row>>>,
  byDefault: Compare<Row>,
): Compare<Row> {
  const sign = isDescending ? -1 : 1;
  return (one, other) => sign * compares[sort](one, other) || byDefault(one, other);
}

/** Sorts the rows of one site; equal ones by `byDefault`. */
export function inOrder<Row, Sort extends string>(
  rows: readonly Row[],
  order: Order<Sort>,
  compares: Readonly<Record<Sort, Compare<Row>>>,
  byDefault: Compare<Row>,
): Row[] {
  return rows.toSorted(comparing(order, compares, byDefault));
}

/** The links in a table's head. A click on the column that sorts turns the order around. */
export function sortLinks<Sort extends string>(
  columns: SortColumns<Sort>,
  { sort, isDescending }: Order<Sort>,
  hrefOf: (order: string) => string,
) {
  return (title: string): ColumnSort | undefined => {
    const own = columns.find(([named]) => named === title)?.[1];
    if (own === undefined) return undefined;
    const isOwn = own === sort;
    return {
      href: hrefOf(isOwn && !isDescending ? `-${own}` : own),
      order: isOwn ? (isDescending ? 'descending' : 'ascending') : undefined,
    };
  };
}

interface SortChoiceProps<Sort extends string> {
  readonly columns: SortColumns<Sort>;
  readonly order: Order<Sort>;
}

/** The same as a field of a form, because a phone shows no head. */
export function SortChoice<Sort extends string>({
  columns,
  order: { sort, isDescending },
}: SortChoiceProps<Sort>) {
  return (
    <div class="field">
      <label for="filter-sort">Sort by</label>
      <select id="filter-sort" name="sort">
        {columns.flatMap(([title, one]) =>
          [one, `-${one}`].map((order) => (
            <option key={order} value={order} selected={order === (isDescending ? `-${sort}` : sort)}>
              {order === one ? title : `${title}, descending`}
            </option>
          )),
        )}
      </select>
    </div>
  );
}
