import type { ProofAsked } from '#api/operator/index.js';
import { withQuery } from '../links/with-query.js';
import { Field } from './form.js';
import { Notes, useField } from './form-field.js';

interface ProofProps {
  readonly asked: ProofAsked;
  /** The field of the password. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** False: only some changes of the form need it. */
  readonly required?: boolean;
  /** The page with the form, to which a sign-on leads back. */
  readonly path: string;
}

/**
 * The password that a form asks as a proof, or what stands for it. A function, not a component: a form finds the labels of its
 * fields only so.
 */
export function proofFields({ asked, name, label, hint, required = true, path }: ProofProps) {
  const field = { name, label, ...(hint !== undefined && { hint }), autocomplete: 'current-password' };
  switch (asked.by) {
    case 'sign_on_before':
      return <p class="hint">You signed in with {asked.label} a few minutes ago, so no password is asked.</p>;
    case 'password':
      return <Field {...field} type="password" required={required} />;
    case 'password_or_sign_on':
      return (
        <>
          <Field {...field} type="password" />
          <p class="hint">
            Or <a href={againPath(path)}>sign in with {asked.label} again</a>, and come back to an empty form.
          </p>
        </>
      );
    case 'sign_on':
      return (
        <SignOnAgain name={name} label={`Sign-in with ${asked.label}`} path={path} provider={asked.label} />
      );
  }
}

interface SignOnAgainProps extends Pick<ProofProps, 'name' | 'label' | 'path'> {
  readonly provider: string;
}

/** In place of the password of somebody who has none. */
function SignOnAgain({ name, path, provider }: SignOnAgainProps) {
  const { id, error } = useField(name);
  return (
    <div class="field">
      <p class="hint">
        First{' '}
        <a id={id} href={againPath(path)}>
          sign in with {provider} again
        </a>
        , which leads back here. Then fill in the form within ten minutes.
      </p>
      <Notes id={id} hint={undefined} error={error} />
    </div>
  );
}

function againPath(next: string): string {
  return withQuery('/dashboard/sign-on', { next, again: '1' });
}
