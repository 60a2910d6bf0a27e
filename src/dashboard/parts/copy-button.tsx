import { Icon } from './icon.js';

interface CopyButtonProps {
  /** The identifier of the element whose text is copied. */
  readonly of: string;
  readonly label?: string;
}

/** Copies the text of an element. It is hidden unless the browser runs the dashboard's script. */
export function CopyButton({ of, label = 'Copy' }: CopyButtonProps) {
  return (
    <p>
      <button type="button" data-copy={of} hidden>
        {label}
      </button>
    </p>
  );
}

interface CopyTextProps {
  readonly text: string;
  /** What is copied. */
  readonly label: string;
  /** The class of the button. */
  readonly kind: string;
}

/** Copies a text that the page need not show. It is hidden unless the browser runs the dashboard's script. */
export function CopyText({ text, label, kind }: CopyTextProps) {
  return (
    <button type="button" class={kind} data-copy-text={text} hidden title={label} aria-label={label}>
      <Icon name="copy" />
    </button>
  );
}
