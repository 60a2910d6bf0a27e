import type { OperatorContext } from '#web/request-context.js';
import type { Refused } from '../page/page.js';
import { Checkbox } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Empty, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';

/** Operators of some companies may not register one: it would be outside their scope. */
function mayRegister({ principal }: OperatorContext): boolean {
  return mayDo(principal.role, 'manager') && principal.companies === null;
}

export function NoCompany({ context }: { readonly context: OperatorContext }) {
  return <Empty>{noCompanyText(context)}</Empty>;
}

/** The text for an operator without a company. */
export function noCompanyText(context: OperatorContext): string {
  return mayRegister(context)
    ? `There is no company yet. Add one below; then add a site${mayDo(context.principal.role, 'admin') ? ', and an API token for its PMS' : ''}.`
    : 'There is no company that you may see. An admin can widen your scope.';
}

interface RegisterCompanyProps {
  readonly context: OperatorContext;
  readonly refused?: Refused | undefined;
}

/** The form that registers a company. */
export function RegisterCompany({ context, refused }: RegisterCompanyProps) {
  if (!mayRegister(context)) return null;
  return (
    <Section title="Add a company">
      <Form name="company" action="/dashboard/companies" submit="Add company" refused={refused}>
        <Field name="name" label="Name" required maxLength={255} />
        <Checkbox
          name="sandbox"
          label="A sandbox, to try things out in"
          hint="It has a clock that can be set forward, its keys open nothing, and it stays a sandbox."
        />
      </Form>
    </Section>
  );
}
