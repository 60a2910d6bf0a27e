import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import type { Refused } from '../page/page.js';
import { Checkbox, Options } from '../parts/choices.js';
import { Drawer } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { Instant } from '../parts/times.js';
import type { Operator } from './listed-operator.js';
import { roleText } from './operator-list.js';
import { grantedAtFirst, type Offered, scopeFields } from './operator-scope.js';
import { operatorPath, OPERATORS_PATH } from './paths.js';

const ROLES: Readonly<Record<OperatorRole, string>> = {
  auditor: 'Sees all, changes nothing.',
  manager: 'All but operators, tokens and lock secrets.',
  admin: 'Everything.',
};
const ROLE_CHOICES = OPERATOR_ROLES.map((role) => [role, roleText(role), ROLES[role]] as const);

/** In characters. */
const LONGEST_EMAIL = 255;
const LONGEST_SUBJECT = 255;

interface DrawerProps {
  readonly offered: Offered;
  readonly sign_on: SignOnSettings | undefined;
  readonly refused: Refused | undefined;
}

export function NewOperatorDrawer({ offered, sign_on, refused, isOpen }: DrawerProps & { isOpen: boolean }) {
  return (
    <Drawer
      form="operator"
      title="Add operator"
      hint={`You get a link, to be sent by you. It works once, within 7 days: whoever opens it ${joinText(sign_on)}.`}
      path={OPERATORS_PATH}
      {...{ refused, isOpen }}
    >
      <Form name="operator" action={OPERATORS_PATH} submit="Create invitation link" refused={refused}>
        <Field name="email" label="E-mail" type="email" required maxLength={LONGEST_EMAIL} autofocus />
        <Options name="role" legend="Role" options={ROLE_CHOICES} value="auditor" />
        {scopeFields(offered, grantedAtFirst(offered))}
      </Form>
    </Drawer>
  );
}

/** What opening a link comes to. */
export function joinText(sign_on: SignOnSettings | undefined): string {
  if (sign_on === undefined) return 'chooses a password';
  return sign_on.only
    ? `signs in with ${sign_on.label}`
    : `signs in with ${sign_on.label}, or chooses a password`;
}

export function ChangeDrawer({
  operator,
  offered,
  sign_on,
  refused,
  zone,
}: DrawerProps & { readonly operator: Operator; readonly zone: string }) {
  const { operator_id, email, role, disabled } = operator;
  const form = `operator-${operator_id}`;
  return (
    <Drawer {...{ form, refused }} title={email} path={OPERATORS_PATH} isOpen>
      <Form name={form} action={operatorPath(operator_id)} submit="Save" refused={refused} withInitial>
        <Options name="role" legend="Role" options={ROLE_CHOICES} value={role} />
        {scopeFields(offered, operator)}
        <Checkbox name="disabled" label="Disabled: cannot sign in" checked={disabled} />
      </Form>
      {sign_on === undefined ? null : <LinkForm {...{ operator, sign_on, refused, zone }} />}
    </Drawer>
  );
}

interface LinkFormProps extends Pick<DrawerProps, 'refused'> {
  readonly operator: Operator;
  readonly sign_on: SignOnSettings;
  readonly zone: string;
}

/** For a person whom the admin knows at the provider. Opening an invitation there makes the same link. */
function LinkForm({ operator: { operator_id, sign_on: link }, sign_on, refused, zone }: LinkFormProps) {
  const { label } = sign_on;
  return (
    <section class="over-part">
      <h3>{capitalizedLabel(label)}</h3>
      <p class="soft small">
        {link === null ? (
          'Nobody is linked. The invitation link does it, or you name the person.'
        ) : (
          <>
            Linked since <Instant at={link.linked_at} zone={zone} precision="day" />. Another person takes the
            place of this one.
          </>
        )}
      </p>
      <Form
        name={`link-${operator_id}`}
        action={`${operatorPath(operator_id)}/sign-on`}
        submit={`Link to ${label}`}
        tone="quiet"
        refused={refused}
      >
        <Field
          name="subject"
          label="Subject"
          hint={`The person’s “sub” at ${label}, as its console shows it. Every session of theirs ends.`}
          required
          maxLength={LONGEST_SUBJECT}
        />
      </Form>
    </section>
  );
}

function capitalizedLabel(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
