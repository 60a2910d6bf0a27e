import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

interface TableSearchProps {
  /** What the table lists. */
  readonly of: string;
  readonly path: string;
  readonly q: string | undefined;
  /** By what something is found. */
  readonly label: string;
  /** The rest of the page's query, which a search keeps. */
  readonly kept: Readonly<Record<string, string | undefined>>;
  readonly children?: ComponentChildren;
}

/** The search of a table, in its head. */
export function TableSearch({ of, path, q, label, kept, children }: TableSearchProps) {
  return (
    <form
      class="table-search grows"
      method="get"
      action={path}
      id="form-filter"
      role="search"
      aria-label={of}
    >
      <div class="with-icon">
        <Icon name="search" kind="s" />
        <input
          class="input"
          type="search"
          name="q"
          value={q ?? ''}
          maxLength={255}
          aria-label={label}
          placeholder={label}
        />
      </div>
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}
