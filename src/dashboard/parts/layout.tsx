import type { ComponentChild, ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import { Unbroken } from './unbroken.js';
import { withQuery } from '../links/with-query.js';

/** A part of a page under a heading of its own. */
export function Section({
  title,
  id,
  children,
}: {
  title: string;
  id?: string;
  children: ComponentChildren;
}) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** The text of an empty list, with the first thing to do. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** The text for a value that is not there. */
export function None({ children = 'none' }: { readonly children?: ComponentChildren }) {
  return <span class="none">{children}</span>;
}

interface TableProps {
  /** For people who do not see the table. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChild[] }[];
  /** The link that sorts by a column. */
  readonly sortOf?: ((title: string) => ColumnSort | undefined) | undefined;
}

export interface ColumnSort {
  readonly href: string;
  /** Absent: the table is sorted by another column. */
  readonly order: 'ascending' | 'descending' | undefined;
}

/** Titles of columns of numbers, which end at one line. */
const NUMBERS: ReadonlySet<string | undefined> = new Set([
  'Balance',
  'Owed',
  'Owes',
  'Days late',
  'Times',
  'Opened today',
  'Denied or failed',
]);

function classOf(title: string | undefined): string | undefined {
  return NUMBERS.has(title) ? 'number' : undefined;
}

/** A table that scrolls by itself where it is too wide. On a phone each row is a card. */
export function Table({ caption, head, rows, sortOf }: TableProps) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <Head key={title} title={title} sort={sortOf?.(title)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]} class={classOf(head[index])} data-title={head[index]}>
                  {unbroken(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ARROWS = { ascending: ' ↑', descending: ' ↓' } as const;

function Head({ title, sort }: { readonly title: string; readonly sort: ColumnSort | undefined }) {
  if (sort === undefined)
    return (
      <th scope="col" class={classOf(title)}>
        {title}
      </th>
    );
  const { href, order } = sort;
  return (
    <th scope="col" class={classOf(title)} aria-sort={order}>
      <a href={href}>
        {title}
        {order === undefined ? null : <span aria-hidden="true">{ARROWS[order]}</span>}
      </a>
    </th>
  );
}

function unbroken(value: ComponentChild): ComponentChild {
  return typeof value === 'string' ? <Unbroken text={value} /> : value;
}

/** A list of names and values. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChild])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{unbroken(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The way from the dashboard to a page. */
export function Trail({ to }: { readonly to: readonly (readonly [href: string, text: string])[] }) {
  return (
    <nav class="trail" aria-label="Breadcrumb">
      {to.map(([href, text]) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </nav>
  );
}

interface TabsProps {
  readonly of: readonly (readonly [href: string, text: ComponentChild])[];
  readonly current: string;
  /** For people who do not see the tabs. Each row of tabs on a page has its own. */
  readonly label?: string;
  /** `tabs` between pages of one thing, `chips` to filter a list, `segments` between two views of it. */
  readonly kind?: 'tabs' | 'chips' | 'segments';
}

/** Links between the pages of one thing, or between views of a list. The current one is marked. */
export function Tabs({ of, current, label = 'Parts of this page', kind = 'tabs' }: TabsProps) {
  return (
    <nav class={kind} aria-label={label}>
      {of.map(([href, text]) => (
        <a
          key={href}
          class={kind === 'chips' ? 'chip' : undefined}
          href={href}
          aria-current={href === current ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

interface NextPageProps {
  readonly path: string;
  readonly cursor: string | null;
  /** The cursor's name in addresses, where a page shows several lists. */
  readonly of?: string | undefined;
}

/** A link to what follows in a list of pages. */
export function NextPage({ path, cursor, of = 'cursor' }: NextPageProps) {
  if (cursor === null) return null;
  return (
    <p class="next">
      <a href={withQuery(path, { [of]: cursor })} rel="next">
        Next page
      </a>
    </p>
  );
}

/** A link to the whole of a list as a file. */
export function CsvLink({ path }: { readonly path: string }) {
  return (
    <p>
      <a class="button ghost small" href={path}>
        <Icon name="download" />
        Export CSV
      </a>
    </p>
  );
}
