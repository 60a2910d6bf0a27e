import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import { safePath } from '../frame/page-errors.js';
import { withQuery } from '../links/with-query.js';
import { Page, type Refused } from '../page/page.js';
import { Field, Form } from '../parts/form.js';
import { Icon } from '../parts/icon.js';

interface SignInProps {
  /** The page to go to afterwards. */
  readonly next: string | undefined;
  /** Undefined: passwords alone. */
  readonly sign_on: Pick<SignOnSettings, 'label' | 'only'> | undefined;
  readonly refused?: Refused | undefined;
}

export function signInPage({ next, sign_on, refused }: SignInProps): Page {
  const isOff = sign_on?.only === true;
  const content = (
    <>
      {sign_on === undefined ? null : (
        <SignOnButton label={sign_on.label} path={withQuery(SIGN_ON_PATH, { next: nextOf(next) })} />
      )}
      {isOff ? (
        <details class="rest" open={refused?.form === FORM}>
          <summary>Sign in with a password</summary>
          <p class="hint">Passwords are off, except one that the command line printed.</p>
          <PasswordForm {...{ next, refused }} />
        </details>
      ) : (
        <>
          {sign_on === undefined ? null : <p class="or">or with a password</p>}
          <PasswordForm {...{ next, refused }} />
        </>
      )}
      <p class="hint">
        {isOff
          ? 'No account yet? An admin sends you a link.'
          : 'No account yet, or the password is lost? An admin sends you a link. A new service has one account: its first start printed it, or its settings name it.'}
      </p>
    </>
  );
  const about = { sub: 'To Storage Access', refused };
  return new Page('Sign in', content, refused?.status, about);
}

const FORM = 'sign-in';
const SIGN_ON_PATH = '/dashboard/sign-on';

/** Left out where it is the usual page. */
function nextOf(next: string | undefined): string | undefined {
  const path = safePath(next);
  return path === safePath(undefined) ? undefined : path;
}

/** Leads to the provider. A link, because the policy of the page lets no form lead elsewhere. */
export function SignOnButton({ label, path }: { readonly label: string; readonly path: string }) {
  return (
    <a class="button large wide" href={path}>
      <Icon name="key" />
      Sign in with {label}
    </a>
  );
}

function PasswordForm({ next, refused }: Pick<SignInProps, 'next' | 'refused'>) {
  return (
    <Form name={FORM} action="/dashboard/sign-in" submit="Sign in" refused={refused}>
      {/* Of type text: an address is what the operator was made with, whatever a browser takes for one. */}
      <Field name="email" label="E-mail" required autocomplete="username" />
      <Field name="password" label="Password" type="password" required autocomplete="current-password" />
      <input type="hidden" name="next" value={safePath(next)} />
    </Form>
  );
}

export function codePage(
  { ticket, next }: { readonly ticket: string; readonly next: string | undefined },
  refused?: Refused,
): Page {
  const content = (
    <Form name="code" action="/dashboard/sign-in/code" submit="Sign in" refused={refused}>
      <Field
        name="code"
        label="Code"
        hint="Of your authenticator app, or a recovery code."
        required
        maxLength={64}
        autocomplete="one-time-code"
      />
      <input type="hidden" name="ticket" value={ticket} />
      <input type="hidden" name="next" value={safePath(next)} />
    </Form>
  );
  return new Page('Sign in', content, refused?.status);
}
