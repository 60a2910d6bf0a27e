import type { ComponentChildren } from 'preact';
import type { Refused } from '../page/page.js';
import { withQuery } from '../links/with-query.js';
import { Icon, type IconName } from './icon.js';
import { useRefused } from './kept-form.js';
import { OverHead } from './over-head.js';

interface DrawerProps {
  /** The form inside; a page has one drawer for a form. */
  readonly form: string;
  readonly title: string;
  /** What to know before filling in the form. */
  readonly hint?: ComponentChildren;
  /** The page without the drawer. */
  readonly path: string;
  readonly refused: Refused | undefined;
  /** True: the page comes with the drawer open. */
  readonly isOpen?: boolean;
  /** `wide` for a form with a table. */
  readonly size?: 'usual' | 'wide';
  readonly children: ComponentChildren;
}

/** The query with which a page comes with a drawer open: other pages lead to its form. */
export interface AddQuery {
  /** The name of the form. */
  readonly add?: unknown;
}

/** The address of a page with a drawer open. */
export function addPath(path: string, form: string): string {
  return withQuery(path, { add: form });
}

const idOf = (form: string) => `drawer-${form}`;

/** The button that opens a drawer, the one for new things of a page. Needs no script. */
export function DrawerButton({
  form,
  icon = 'plus',
  tone = 'primary',
  children,
}: {
  readonly form: string;
  /** Null: none. */
  readonly icon?: IconName | null;
  /** `usual` where the page has another main button. */
  readonly tone?: 'primary' | 'usual';
  readonly children: ComponentChildren;
}) {
  return (
    <button type="button" class={tone === 'primary' ? 'button primary' : 'button'} popovertarget={idOf(form)}>
      {icon === null ? null : <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A form beside the page. After a refusal the page comes with the drawer open. */
export function Drawer({
  form,
  title,
  hint,
  path,
  refused,
  isOpen = false,
  size = 'usual',
  children,
}: DrawerProps) {
  const id = idOf(form);
  const isRefused = useRefused(form, refused) !== undefined;
  const sized = size === 'wide' ? 'drawer wide' : 'drawer';
  const isInPage = isOpen || isRefused;
  return (
    <div
      class={isInPage ? `${sized} open` : sized}
      {...(!isInPage && { id, popover: 'auto' as const })}
      role="dialog"
      aria-labelledby={`${id}-title`}
    >
      <OverHead
        title={<h2 id={`${id}-title`}>{title}</h2>}
        hint={hint}
        way={isInPage ? { path } : { hides: id }}
      />
      <div class="over-body">{children}</div>
    </div>
  );
}
