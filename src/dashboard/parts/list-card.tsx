import type { ComponentChild, ComponentChildren } from 'preact';
import { withQuery } from '../links/with-query.js';
import { Icon } from './icon.js';
import type { NumberedPage } from './numbered-pages.js';
import { PageSteps } from './page-steps.js';
import { SortChoice, type SortColumns, type Order } from './sorting.js';

interface ListCardProps {
  /** For people who do not see the table: the page's heading and filters say what it lists. */
  readonly title: string;
  /** Shown in place of the rows. Undefined: there are some. */
  readonly empty: ComponentChild;
  readonly rows: ComponentChild;
  readonly foot: ComponentChild;
}

/** The card of a list that has its filters above it. */
export function ListCard({ title, empty, rows, foot }: ListCardProps) {
  return (
    <section class="card bare">
      <h2 class="unseen">{title}</h2>
      {empty === undefined ? rows : <div class="card-body padded">{empty}</div>}
      {foot}
    </section>
  );
}

/** The link to the whole of a list as a file, at the end of the bar above it. */
export function ExportCsv({ path }: { readonly path: string }) {
  return (
    <a class="button ghost small end" href={path}>
      <Icon name="download" />
      Export CSV
    </a>
  );
}

interface PhoneSortProps<Sort extends string> {
  readonly columns: SortColumns<Sort>;
  readonly order: Order<Sort>;
}

/** The order of a table as a part of its search: a phone shows no head. */
export function PhoneSort<Sort extends string>(choice: PhoneSortProps<Sort>) {
  return (
    <div class="phone-only">
      <SortChoice {...choice} />
      <button class="button">Sort</button>
    </div>
  );
}

interface ListFootProps {
  readonly list: {
    readonly rows: readonly unknown[];
    /** Undefined: the list is not read whole. */
    readonly whole: Omit<NumberedPage<unknown>, 'rows'> | undefined;
    readonly next_cursor: string | null;
  };
  /** The list with its filters. */
  readonly path: string;
}

/** Which rows of a list are shown, and the way to the others. */
export function ListFoot({ list: { rows, whole, next_cursor }, path }: ListFootProps): ComponentChildren {
  if (whole !== undefined) {
    const { page, pages, before, total } = whole;
    if (pages < 2) return null;
    return (
      <div class="card-foot">
        <span>
          {before + 1} to {before + rows.length} of {total.toLocaleString('en-US')}
        </span>
        <PageSteps {...{ page, pages }} pathOf={(to) => withQuery(path, { page: to })} />
      </div>
    );
  }
  if (next_cursor === null) return null;
  return (
    <div class="card-foot">
      <span />
      <a class="button small" href={withQuery(path, { cursor: next_cursor })} rel="next">
        Next page
      </a>
    </div>
  );
}
