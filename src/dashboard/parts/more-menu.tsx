import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface MoreMenuProps {
  /** Unique on the page. */
  readonly id: string;
  /** What the menu is about. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** What else can be done with a row or a page, behind three dots. The browser opens it without a script. */
export function MoreMenu({ id, of, children }: MoreMenuProps) {
  const menu = `more-${id}`;
  return (
    <>
      <button
        type="button"
        class="button ghost only small"
        popovertarget={menu}
        aria-label={`More for ${of}`}
      >
        <Icon name="dots" />
      </button>
      <div class="menu" id={menu} popover="auto" role="group" aria-label={of}>
        {children}
      </div>
    </>
  );
}

/** What else can be done with the thing of a page, behind a button at its heading. */
export function PageMenu({ id, of, children }: MoreMenuProps) {
  const menu = `${id}-menu`;
  return (
    <>
      <button class="button" type="button" popovertarget={menu}>
        More
        <Icon name="chevron-down" kind="s" />
      </button>
      <div class="menu" id={menu} popover="auto" role="group" aria-label={`More of ${of}`}>
        {children}
      </div>
    </>
  );
}

interface MenuLinkProps {
  readonly icon: IconName;
  readonly href: string;
  readonly children: ComponentChildren;
}

export function MenuLink({ icon, href, children }: MenuLinkProps) {
  return (
    <a href={href}>
      <Icon name={icon} />
      {children}
    </a>
  );
}

interface MenuButtonProps {
  readonly icon: IconName;
  /** The form of the dialog or the drawer that it opens. */
  readonly form: string;
  readonly opens?: 'dialog' | 'drawer';
  readonly tone?: 'usual' | 'danger';
  readonly children: ComponentChildren;
}

export function MenuButton({ icon, form, opens = 'dialog', tone = 'usual', children }: MenuButtonProps) {
  return (
    <button
      class={tone === 'danger' ? 'item danger' : 'item'}
      type="button"
      popovertarget={`${opens}-${form}`}
    >
      <Icon name={icon} />
      {children}
    </button>
  );
}

interface MenuActProps {
  readonly icon: IconName;
  /** Unique on the page. */
  readonly form: string;
  readonly action: string;
  /** Sent along. */
  readonly values?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

/** An act that needs no more words: it is done at once. */
export function MenuAct({ icon, form, action, values = {}, children }: MenuActProps) {
  return (
    <form method="post" action={action} id={`form-${form}`}>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class="item">
        <Icon name={icon} />
        {children}
      </button>
    </form>
  );
}
