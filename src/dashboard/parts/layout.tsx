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

interface SectionHeadProps {
  readonly title: string;
  readonly id?: string;
  /** Beside the title, like `3 of at most 10`. */
  readonly count?: ComponentChild;
  /** The button for new things. */
  readonly children?: ComponentChildren;
}

/** A heading above a card, where a page has several lists. */
export function SectionHead({ title, id, count, children }: SectionHeadProps) {
  return (
    <div class="section" id={id}>
      <h2>{title}</h2>
      {count === undefined ? null : <span class="count">{count}</span>}
      {children}
    </div>
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

interface TableRow {
  readonly key: string;
  /** The heading above the rows in a line that have it, as of a day. */
  readonly group?: string;
  readonly cells: readonly ComponentChild[];
}

interface TableProps {
  /** For people who do not see the table. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  /** The link that sorts by a column. */
  readonly sortOf?: ((title: string) => ColumnSort | undefined) | undefined;
  /** How columns give way, by their titles. */
  readonly fits?: Readonly<Record<string, ColumnFit>>;
}

/**
 * How a column gives way on a narrow page. `wide` goes first, `roomy` next; with `off` it is not on a phone either. `acts` are
 * buttons at the row's end, without a visible title; with `off` they are not on a phone. `top-end` is beside the name on a phone, where it needs no title.
 */
export type ColumnFit = 'wide' | 'roomy' | 'wide off' | 'roomy off' | 'off' | 'acts' | 'acts off' | 'top-end';

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
  'Late',
  'Times',
  'Opened today',
  'Denied or failed',
]);

const CLASSES: Readonly<Record<ColumnFit, string>> = {
  wide: 'wide',
  roomy: 'roomy',
  'wide off': 'wide off',
  'roomy off': 'roomy off',
  off: 'off',
  acts: 'top-end',
  'acts off': 'off',
  'top-end': 'top-end',
};

function classOf(title: string | undefined, fit?: ColumnFit): string | undefined {
  const names = [NUMBERS.has(title) ? 'number' : [], (fit && CLASSES[fit]) ?? []].flat();
  return names.length === 0 ? undefined : names.join(' ');
}

function isUntitled(fit: ColumnFit | undefined): boolean {
  return isActs(fit) || fit === 'top-end';
}

function isActs(fit: ColumnFit | undefined): boolean {
  return fit === 'acts' || fit === 'acts off';
}

/** A table that scrolls by itself where it is too wide. On a phone each row is a card. */
export function Table({ caption, head, rows, sortOf, fits = {} }: TableProps) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <Head key={title} title={title} sort={sortOf?.(title)} fit={fits[title]} />
            ))}
          </tr>
        </thead>
        {inGroups(rows).map(({ group, of }) => (
          <tbody key={of[0]?.key}>
            {group === undefined ? null : (
              <tr>
                <th scope="rowgroup" class="group" colSpan={head.length}>
                  {group}
                </th>
              </tr>
            )}
            {of.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, index) => (
                  <td
                    key={head[index]}
                    class={classOf(head[index], fits[head[index]!])}
                    data-title={isUntitled(fits[head[index]!]) ? undefined : head[index]}
                  >
                    {unbroken(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface RowGroup {
  readonly group: string | undefined;
  readonly of: readonly TableRow[];
}

/** Rows in a line with the same heading. */
function inGroups(rows: readonly TableRow[]): readonly RowGroup[] {
  const starts = rows.flatMap(({ group }, at) => (at > 0 && group === rows[at - 1]!.group ? [] : [at]));
  return starts.map((start, place) => ({
    group: rows[start]!.group,
    of: rows.slice(start, starts[place + 1]),
  }));
}

const ARROWS = { ascending: ' ↑', descending: ' ↓' } as const;

interface HeadProps {
  readonly title: string;
  readonly sort: ColumnSort | undefined;
  readonly fit: ColumnFit | undefined;
}

function Head({ title, sort, fit }: HeadProps) {
  if (sort === undefined)
    return (
      <th scope="col" class={classOf(title, fit)}>
        {isActs(fit) ? <span class="unseen">{title}</span> : title}
      </th>
    );
  const { href, order } = sort;
  return (
    <th scope="col" class={classOf(title, fit)} aria-sort={order}>
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

interface CountedProps {
  readonly text: string;
  /** Undefined: it was not counted. */
  readonly count: number | string | undefined;
}

/** The text of a tab with the number of things behind it. */
export function Counted({ text, count }: CountedProps) {
  if (count === undefined) return <>{text}</>;
  return (
    <>
      {text} <span class="count">{count.toLocaleString('en-US')}</span>
    </>
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
