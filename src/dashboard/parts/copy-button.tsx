/** Copies what stands in an element, where the browser runs the dashboard's script. */
export function CopyButton({ of }: { readonly of: string }) {
  return (
    <p>
      <button type="button" data-copy={of} hidden>
        Copy
      </button>
    </p>
  );
}
