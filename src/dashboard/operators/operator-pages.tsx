import type { ResultOf } from '#kernel/result-of.js';
import { Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { ComponentChild } from 'preact';
import { ApiError, validationFailed } from '#kernel/errors/api-error.js';
import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';
import { PublicAddress } from '#web/public-address.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { fieldFault } from '#web/validation/check.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration, NewOperatorBody, OperatorAccounts, TOO_WEAK } from '#api/operator/index.js';
import { Passwords } from '#domain/operators/index.js';
import { distinctNames } from '../frame/company-frame.js';
import {
  type FormValues,
  lastOf,
  Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
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

interface Beside {
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
    private readonly passwords: Passwords,
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

  @Post()
  add(@ObjectBody() form: FormValues, @Context() context: OperatorContext, @Req() request: Request) {
    return submit({
      form: 'operator',
      values: form,
      act: async () => {
        await this.operators.addOperator(
          await this.#newOperator(form, context),
          context,
          this.address.originFor(request),
        );
        return new SeeOther(PATH, 'operator_added');
      },
      again: (refused) => this.#page(context, { refused }),
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

  /** @throws ApiError 422 with all faults. If only the password is weak, `add` finds that: one slow check is enough. */
  async #newOperator(form: FormValues, { principal, deadline }: OperatorContext): Promise<NewOperatorBody> {
    try {
      return operatorOf(NewOperatorBody, form);
    } catch (error) {
      const faults = error instanceof ApiError ? (error.details ?? []) : [];
      if (faults.length === 0 || faults.some(({ field }) => field === 'password')) throw error;
      const password = lastOf(form['password']) ?? '';
      const email = (lastOf(form['email']) ?? '').slice(0, LONGEST_EMAIL);
      const isOfAllCompanies = principal.companies === null;
      const isWeak = await this.passwords.isGuessable(password, email, isOfAllCompanies, deadline);
      throw isWeak ? validationFailed([...faults, fieldFault('password', TOO_WEAK)]) : error;
    }
  }

  async #page(context: OperatorContext, { refused, refused_id, cursor }: Beside): Promise<Page> {
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
        {view}
        <Section title="Add an operator">
          <Form name="operator" action={PATH} submit="Add" refused={refused}>
            <Field name="email" label="E-mail" type="email" required maxLength={LONGEST_EMAIL} />
            <Field
              name="password"
              label="Password"
              hint="12 to 256 characters, not easily guessed. They change it under “Your account”."
              type="password"
              required
              autocomplete="new-password"
            />
            <Select name="role" label="Role" options={ROLE_CHOICES} />
            {scopeFields(offered, NOTHING_YET)}
          </Form>
        </Section>
      </>
    );
    return new Page('Operators', content, refused?.status);
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

interface OperatorSectionProps {
  readonly operator: Operator;
  readonly offered: Offered;
  readonly isSelf: boolean;
  readonly refused: Refused | undefined;
}

function OperatorSection({ operator, offered, isSelf, refused }: OperatorSectionProps) {
  const { operator_id, email, role, disabled, second_factor, created_at } = operator;
  const name = `operator-${operator_id}`;
  const isOpen = [name, `remove-${operator_id}`, `factor-${operator_id}`].includes(refused?.form ?? '');
  return (
    <Section title={email}>
      <p>
        {ROLES[role]}. {scopeText(operator, offered)}, since <Instant at={created_at} precision="day" /> (UTC)
        {disabled ? '. Disabled: cannot sign in' : ''}
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
