import type { ResultOf } from '#kernel/result-of.js';
import { Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { ComponentChild } from 'preact';
import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';
import { PublicAddress } from '#web/public-address.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration, InvitedOperatorBody, OperatorAccounts } from '#api/operator/index.js';
import { distinctNames } from '../frame/company-frame.js';
import { type FormValues, Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { CopyButton } from '../parts/copy-button.js';
import { Checkbox, Select } from '../parts/choices.js';
import { Danger, Field, Form } from '../parts/form.js';
import { inMemory } from '../parts/in-memory.js';
import { changesNothing } from '../parts/initial-values.js';
import { Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { Instant } from '../parts/times.js';
import {
  type Choice,
  NOTHING_YET,
  type Offered,
  operatorChange,
  operatorOf,
  scopeFields,
  scopeText,
} from './operator-scope.js';

type Operator = ResultOf<OperatorAccounts['listOperators']>[number];

const PATH = '/dashboard/operators';
const ROLES: Readonly<Record<OperatorRole, string>> = {
  auditor: 'Auditor: sees all, changes nothing',
  manager: 'Manager: all but operators, tokens and lock secrets',
  admin: 'Admin: everything',
};
const ROLE_CHOICES = OPERATOR_ROLES.map((role): Choice => [role, ROLES[role]]);
const COLUMNS: readonly Column<Operator>[] = [
  { name: 'operator_id' },
  { name: 'email' },
  { name: 'role' },
  { name: 'companies', value: ({ companies }) => companies?.join(' ') ?? 'all' },
  { name: 'locations', value: ({ locations }) => locations?.join(' ') ?? 'all' },
  { name: 'disabled' },
  { name: 'password' },
  { name: 'invited_until' },
  { name: 'second_factor' },
  { name: 'created_at' },
];
/** The operator API takes any company and any location. */
const OFFERED_COMPANIES = 500;
const OFFERED_SITES = 200;

/** In characters. */
const LONGEST_EMAIL = 255;

/** Few, because each comes with its forms. */
const OPERATORS_A_PAGE = 20;

type Invited = ResultOf<OperatorAccounts['inviteOperator']>;

interface Beside {
  /** The operator whose link was made now: it is shown only here. */
  readonly invited?: Invited;
  readonly refused?: Refused;
  /** The operator whose form was refused. The page begins with this operator. */
  readonly refused_id?: string;
  readonly cursor?: string | undefined;
}

/** The operators: e-mail, role, companies and sites. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/operators')
export class OperatorPages {
  constructor(
    private readonly operators: OperatorAccounts,
    private readonly companies: CompanyAdministration,
    private readonly address: PublicAddress,
  ) {}

  @Get()
  show(
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(context, { cursor });
  }

  @Get('operators.csv')
  async csv(@Context() context: OperatorContext): Promise<StreamedDownload> {
    const operators = await this.operators.listOperators(context.principal);
    return operatorList(operators, () => null).csv();
  }

  /** Answers with the link, so that no address contains it. */
  @Post()
  add(@ObjectBody() form: FormValues, @Context() context: OperatorContext, @Req() request: Request) {
    return submit({
      form: 'operator',
      values: form,
      act: async () => {
        const body = operatorOf(InvitedOperatorBody, form);
        const invited = await this.operators.addOperator(body, context, this.address.originFor(request));
        return this.#page(context, { invited });
      },
      again: (refused) => this.#page(context, { refused }),
    });
  }

  @Post(':operator_id/invitation')
  invite(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ) {
    return submit({
      form: `invitation-${operator_id}`,
      values: form,
      act: async () => {
        const origin = this.address.originFor(request);
        const invited = await this.operators.inviteOperator(operator_id, context, origin);
        return this.#page(context, { invited });
      },
      again: (refused) => this.#page(context, { refused, refused_id: operator_id }),
    });
  }

  @Post(':operator_id/invitation/withdraw')
  withdraw(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: `withdraw-${operator_id}`,
      values: form,
      act: async () => {
        await this.operators.withdrawInvitation(operator_id, context);
        return new SeeOther(PATH, 'invitation_withdrawn');
      },
      again: (refused) => this.#page(context, { refused, refused_id: operator_id }),
    });
  }

  @Post(':operator_id')
  change(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: `operator-${operator_id}`,
      values: form,
      act: async () => {
        if (changesNothing(form)) return new SeeOther(PATH, 'unchanged');
        await this.operators.changeOperator(operator_id, operatorChange(form), context);
        return new SeeOther(PATH, 'operator');
      },
      again: (refused) => this.#page(context, { refused, refused_id: operator_id }),
    });
  }

  @Post(':operator_id/remove')
  remove(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: `remove-${operator_id}`,
      values: form,
      act: async () => {
        await this.operators.removeOperator(operator_id, context);
        return new SeeOther(PATH, 'operator_removed');
      },
      again: (refused) => this.#page(context, { refused, refused_id: operator_id }),
    });
  }

  @Post(':operator_id/second-factor/remove')
  resetSecondFactor(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: `factor-${operator_id}`,
      values: form,
      act: async () => {
        await this.operators.removeSecondFactor(operator_id, context);
        return new SeeOther(PATH, 'factor_reset');
      },
      again: (refused) => this.#page(context, { refused, refused_id: operator_id }),
    });
  }

  async #page(context: OperatorContext, { invited, refused, refused_id, cursor }: Beside): Promise<Page> {
    const operators = await this.operators.listOperators(context.principal);
    const offered = await this.#offered(operators, context);
    const list = operatorList(
      refused_id === undefined ? operators : listedFrom(refused_id, operators),
      (operator) => (
        <OperatorSection
          key={operator.operator_id}
          operator={operator}
          offered={offered}
          isSelf={operator.operator_id === context.principal.id}
          refused={refused}
        />
      ),
    );
    const { view } = await list.show(cursor);
    const content = (
      <>
        {invited === undefined ? null : <Link of={invited} />}
        {view}
        <Section title="Add an operator">
          <p>You get a link, and send it. It works once, within 7 days: whoever opens it sets a password.</p>
          <Form name="operator" action={PATH} submit="Create invitation link" refused={refused}>
            <Field name="email" label="E-mail" type="email" required maxLength={LONGEST_EMAIL} />
            <Select name="role" label="Role" options={ROLE_CHOICES} />
            {scopeFields(offered, NOTHING_YET)}
          </Form>
        </Section>
      </>
    );
    return new Page('Operators', content, refused?.status ?? (invited === undefined ? 200 : 201));
  }

  async #offered(operators: readonly Operator[], { principal }: OperatorContext): Promise<Offered> {
    const page = await this.companies.listCompanies({ limit: OFFERED_COMPANIES }, principal);
    const companies = distinctNames(page.companies).map(({ company_id, name }): Choice => [company_id, name]);
    const names = new Map(companies);
    const granted = new Set(operators.flatMap(({ locations }) => locations ?? []));
    const sites = (await this.companies.listLocations(principal))
      .filter(({ location_id }, index) => index < OFFERED_SITES || granted.has(location_id))
      .map(({ company_id, location_id, name }) => {
        const company = names.size < 2 ? '' : `, ${names.get(company_id) ?? company_id}`;
        return { company_id, location_id, text: `${name}${company}` };
      });
    return { companies, sites, mayGrantAll: principal.companies === null };
  }
}

function operatorList(operators: readonly Operator[], section: (operator: Operator) => ComponentChild) {
  const keyOf = ({ operator_id }: Operator) => operator_id;
  return listPage({
    caption: 'Operators',
    name: 'operators',
    path: PATH,
    file: `${PATH}/operators.csv`,
    limit: OPERATORS_A_PAGE,
    columns: COLUMNS,
    keyOf,
    read: inMemory(operators, keyOf),
    empty: 'No operator.',
    body: ({ rows }) => rows.map(section),
  });
}

function listedFrom(operator_id: string, operators: readonly Operator[]): readonly Operator[] {
  const index = operators.findIndex((one) => one.operator_id === operator_id);
  return operators.slice(Math.max(index, 0));
}

function Link({ of: { email, invitation } }: { readonly of: Invited }) {
  if (invitation === null) return null;
  return (
    <section class="card once" role="status">
      <h2>Send this link to {email}</h2>
      <p class="soft">
        It is shown only now, works once, and ends on <Instant at={invitation.expires_at} />. Whoever opens it
        sets the password.
      </p>
      <code class="secret" id="invitation-link">
        {invitation.url}
      </code>
      <CopyButton of="invitation-link" />
    </section>
  );
}

interface OperatorSectionProps {
  readonly operator: Operator;
  readonly offered: Offered;
  readonly isSelf: boolean;
  readonly refused: Refused | undefined;
}

function OperatorSection({ operator, offered, isSelf, refused }: OperatorSectionProps) {
  const { operator_id, email, role, disabled, second_factor, created_at } = operator;
  const name = `operator-${operator_id}`;
  const isOpen = [name, ...OTHER_FORMS.map((form) => `${form}-${operator_id}`)].includes(refused?.form ?? '');
  return (
    <Section title={email}>
      <p>
        {ROLES[role]}. {scopeText(operator, offered)}, since <Instant at={created_at} precision="day" /> (UTC)
        {disabled ? '. Disabled: cannot sign in' : ''}
        {STATES[operator.password]}
        {operator.invited_until === null ? null : (
          <>
            . The invitation link ends on <Instant at={operator.invited_until} />
          </>
        )}
        {second_factor ? '. Has a second factor' : ''}
        {isSelf ? '. That is you' : ''}.
      </p>
      <details open={isOpen}>
        <summary>Change {email}</summary>
        <Form name={name} action={`${PATH}/${operator_id}`} submit="Save" refused={refused} withInitial>
          <Select name="role" label="Role" options={ROLE_CHOICES} value={role} />
          {scopeFields(offered, operator)}
          <Checkbox name="disabled" label="Disabled: cannot sign in" checked={disabled} />
        </Form>
        {disabled ? null : <Invitation operator={operator} refused={refused} />}
        {second_factor && !isSelf ? <ResetFactor operator={operator} refused={refused} /> : null}
        <Danger summary={`Remove ${email}`}>
          <p>
            Every session of theirs ends at once, and this cannot be undone: who comes back is added anew.
            What they did stays in the history under their identifier.
          </p>
          <Form
            name={`remove-${operator_id}`}
            action={`${PATH}/${operator_id}/remove`}
            submit={`Remove ${email}`}
            tone="danger"
            refused={refused}
          />
        </Danger>
      </details>
    </Section>
  );
}

const OTHER_FORMS = ['remove', 'factor', 'invitation', 'withdraw'];

/** Behind a word of the password that is not the operator's own. */
const STATES: Readonly<Record<Operator['password'], string>> = {
  chosen: '',
  given: '. The password was made by somebody else and must be changed',
  missing: '. No password yet',
};

function Invitation({ operator, refused }: Pick<OperatorSectionProps, 'operator' | 'refused'>) {
  const { operator_id, password, invited_until } = operator;
  const path = `${PATH}/${operator_id}/invitation`;
  return (
    <>
      <Form
        name={`invitation-${operator_id}`}
        action={path}
        submit="New invitation link"
        tone="quiet"
        refused={refused}
      >
        <p class="hint">
          {password === 'missing'
            ? 'The link before stops working.'
            : 'For a lost password: the one of now works until the link is used.'}
        </p>
      </Form>
      {invited_until === null ? null : (
        <Form
          name={`withdraw-${operator_id}`}
          action={`${path}/withdraw`}
          submit="Withdraw the link"
          tone="quiet"
          refused={refused}
        />
      )}
    </>
  );
}

function ResetFactor({ operator, refused }: Pick<OperatorSectionProps, 'operator' | 'refused'>) {
  const { operator_id, email } = operator;
  return (
    <Danger summary={`Remove the second factor of ${email}`}>
      <p>
        For one who has lost phone and recovery codes. Make sure that it is really them who ask. Every session
        of theirs ends, and they sign in with the password alone.
      </p>
      <Form
        name={`factor-${operator_id}`}
        action={`${PATH}/${operator_id}/second-factor/remove`}
        submit="Remove the second factor"
        tone="danger"
        refused={refused}
      />
    </Danger>
  );
}
