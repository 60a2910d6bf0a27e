import type { ComponentChildren } from 'preact';
import { Danger, Form } from '../parts/form.js';
import { Icon, type IconName } from '../parts/icon.js';
import { MoreMenu } from '../parts/more-menu.js';
import { isInvited, type Operator, type Shown } from './listed-operator.js';
import { changePath, operatorPath } from './paths.js';
import { linkedProvider } from './sign-in-text.js';

interface MenuProps extends Pick<Shown, 'own_id' | 'sign_on'> {
  readonly operator: Operator;
}

/** What an admin does with an operator. A refusal stands at the head of the page, because the menu is closed there. */
export function OperatorMenu({ operator, own_id, sign_on }: MenuProps) {
  const { operator_id, email, disabled, second_factor, invited_until } = operator;
  const path = operatorPath(operator_id);
  const isOwn = operator_id === own_id;
  const provider = linkedProvider(operator, sign_on);
  return (
    <MoreMenu id={operator_id} of={email}>
      <a href={changePath(operator_id)}>
        <Icon name="pencil" />
        {sign_on === undefined ? 'Change role or sites…' : 'Change role, sites or sign-on…'}
      </a>
      {disabled ? null : (
        <Act form={`invitation-${operator_id}`} action={`${path}/invitation`} icon="mail">
          {isInvited(operator) ? 'New invitation link' : 'Link for a new password'}
        </Act>
      )}
      {invited_until === null ? null : (
        <Act form={`withdraw-${operator_id}`} action={`${path}/invitation/withdraw`} icon="x">
          Withdraw the link
        </Act>
      )}
      {isOwn ? null : (
        <Act form={`sessions-${operator_id}`} action={`${path}/sessions/end`} icon="logout">
          End sessions
        </Act>
      )}
      <hr />
      {provider === undefined ? null : <Unlink operator={operator} label={provider.label} />}
      {second_factor && !isOwn ? <ResetFactor operator={operator} /> : null}
      <Danger summary="Remove…">
        <p class="small">
          Every session of theirs ends at once, and this cannot be undone: who comes back is added anew. What
          they did stays in the history.
        </p>
        <Form
          name={`remove-${operator_id}`}
          action={`${path}/remove`}
          submit={`Remove ${email}`}
          tone="danger"
        />
      </Danger>
    </MoreMenu>
  );
}

interface ActProps {
  readonly form: string;
  readonly action: string;
  readonly icon: IconName;
  readonly children: ComponentChildren;
}

function Act({ form, action, icon, children }: ActProps) {
  return (
    <form method="post" action={action} id={`form-${form}`}>
      <button class="item">
        <Icon name={icon} />
        {children}
      </button>
    </form>
  );
}

function Unlink({ operator, label }: { readonly operator: Operator; readonly label: string }) {
  const { operator_id } = operator;
  return (
    <Danger summary={`Unlink from ${label}…`}>
      <p class="small">
        Every session of theirs ends, and {label} does not let them in any more. A password that is set works
        again, unless passwords are off.
      </p>
      <Form
        name={`unlink-${operator_id}`}
        action={`${operatorPath(operator_id)}/sign-on/remove`}
        submit="Unlink"
        tone="danger"
      />
    </Danger>
  );
}

function ResetFactor({ operator: { operator_id } }: { readonly operator: Operator }) {
  return (
    <Danger summary="Remove the second factor…">
      <p class="small">
        For one who has lost phone and recovery codes. Make sure that it is really them who ask. Every session
        of theirs ends, and they sign in without a code.
      </p>
      <Form
        name={`factor-${operator_id}`}
        action={`${operatorPath(operator_id)}/second-factor/remove`}
        submit="Remove the second factor"
        tone="danger"
      />
    </Danger>
  );
}
