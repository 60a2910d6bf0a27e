import type { ComponentChildren } from 'preact';
import type { Refused } from '../page/page.js';
import { useRefused } from './kept-form.js';
import { OverHead } from './over-head.js';

interface ActionDialogProps {
  /** The form inside; a page has one dialog for a form. */
  readonly form: string;
  /** Text of the button and title of the dialog. */
  readonly label: string;
  /** A shorter text of the button, where the page around it says the rest. */
  readonly short?: string;
  /** What to know before filling in the form. */
  readonly hint?: ComponentChildren;
  readonly refused: Refused | undefined;
  /** False: the page has its button elsewhere, as in a menu. */
  readonly hasButton?: boolean;
  readonly children: ComponentChildren;
}

/**
 * An action behind a button: the browser opens it over the page without a script, and moves the focus to the element with
 * `autofocus`. After a refusal the page comes with the dialog open.
 */
export function ActionDialog({
  form,
  label,
  short,
  hint,
  refused,
  hasButton = true,
  children,
}: ActionDialogProps) {
  const id = `dialog-${form}`;
  // Beside the page's own title there is no heading between.
  const Title = hasButton ? 'h3' : 'h2';
  const title = <Title>{label}</Title>;
  if (useRefused(form, refused) !== undefined)
    return (
      <div class="dialog open" role="dialog" aria-label={label}>
        <OverHead title={title} hint={hint} way={{ path: '?' }} />
        {children}
        <a class="cancel" href="?">
          Cancel
        </a>
      </div>
    );
  return (
    <>
      {hasButton ? (
        <button type="button" popovertarget={id} aria-label={short === undefined ? undefined : label}>
          {short ?? label}
        </button>
      ) : null}
      <div class="dialog" id={id} popover="auto" role="dialog" aria-label={label}>
        <OverHead title={title} hint={hint} way={{ hides: id }} />
        {children}
        <button type="button" class="quiet" popovertarget={id} popovertargetaction="hide" autofocus>
          Cancel
        </button>
      </div>
    </>
  );
}
