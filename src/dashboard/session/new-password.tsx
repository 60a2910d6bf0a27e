import { Field } from '../parts/form.js';

/** The field of a password that its owner chooses. */
export function NewPassword({ name }: { readonly name: string }) {
  return (
    <Field
      name={name}
      label="New password"
      hint="12 to 256 characters, not easily guessed."
      type="password"
      required
      autocomplete="new-password"
    />
  );
}
