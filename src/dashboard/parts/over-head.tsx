import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

/** What closes a dialog or a drawer: the page without it, or the browser, which hides the element of that id. */
export type WayOut = { readonly path: string } | { readonly hides: string };

interface OverHeadProps {
  readonly title: ComponentChildren;
  /** What to know before filling in the form. */
  readonly hint?: ComponentChildren;
  readonly way: WayOut;
}

/** The head of what lies over a page. */
export function OverHead({ title, hint, way }: OverHeadProps) {
  return (
    <div class="over-head">
      <div>
        {title}
        {hint === undefined ? null : <p class="soft small">{hint}</p>}
      </div>
      <Close way={way} />
    </div>
  );
}

function Close({ way }: { readonly way: WayOut }) {
  const kind = 'button ghost only small';
  if ('path' in way)
    return (
      <a class={`${kind} cancel`} href={way.path} aria-label="Close">
        <Icon name="x" />
      </a>
    );
  return (
    <button
      type="button"
      class={kind}
      popovertarget={way.hides}
      popovertargetaction="hide"
      aria-label="Close"
    >
      <Icon name="x" />
    </button>
  );
}
