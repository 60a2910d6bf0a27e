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
