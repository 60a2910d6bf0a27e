import type { ComponentChildren } from 'preact';
import type { Refused } from '../page/page.js';

interface ActionDialogProps {
  /** The form inside; a page has one dialog for a form. */
  readonly form: string;
  /** Text of the button and title of the dialog. */
  readonly label: string;
  readonly refused: Refused | undefined;
  readonly children: ComponentChildren;
}

/**
 * An action behind a button: the browser opens it over the page without a script, and moves the focus to the element with
 * `autofocus`. After a refusal the page comes with the dialog open.
 */
export function ActionDialog({ form, label, refused, children }: ActionDialogProps) {
  const id = `dialog-${form}`;
  if (refused?.form === form)
    return (
      <div class="dialog open" role="dialog" aria-label={label}>
        <h3>{label}</h3>
        {children}
        <a class="cancel" href="?">
          Cancel
        </a>
      </div>
    );
  return (
    <>
      <button type="button" popovertarget={id}>
        {label}
      </button>
      <div class="dialog" id={id} popover="auto" role="dialog" aria-label={label}>
        <h3>{label}</h3>
        {children}
        <button type="button" class="quiet" popovertarget={id} popovertargetaction="hide" autofocus>
          Cancel
        </button>
      </div>
    </>
  );
}
