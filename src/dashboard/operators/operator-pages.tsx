import { Get, Param, Post } from '@nestjs/common';
import {
  Context,
  ForOperators,
  ObjectBody,
  OPERATOR_ROLES,
  type OperatorRole,
  PlainQuery,
  validForm,
  type OperatorContext,
  type DataOf,
} from '../../http/index.js';
import {
  CompaniesController,
  NewOperatorBody,
  OperatorChangeBody,
  OperatorsController,
} from '../../operator/index.js';
import {
  type FormValues,
  lastOf,
  Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { csvOfList } from '../parts/csv.js';
import { Checkbox, Choices, Danger, Field, Form, Kept, Select } from '../parts/form.js';
import { ListEnd, Section } from '../parts/layout.js';
import { pageOf } from '../parts/page-of.js';
import { changesOf } from '../parts/standing.js';
import { Instant } from '../parts/times.js';

type Operator = DataOf<OperatorsController['list']>['operators'][number];
type Choice = readonly [value: string, text: string];

const PATH = '/dashboard/operators';
const ROLES: Readonly<Record<OperatorRole, string>> = {
  auditor: 'Auditor: looks at everything, changes nothing',
  manager: 'Manager: everything but operators, tokens and the provisioning of locks',
  admin: 'Admin: everything',
};
const ROLE_CHOICES = OPERATOR_ROLES.map((role): Choice => [role, ROLES[role]]);
const COLUMNS = ['operator_id', 'email', 'role', 'companies', 'disabled', 'created_at'] as const;
/** Companies that the form offers; the operator API takes any. */
const COMPANIES = 500;

/** Each with its forms. */
const PAGE = 20;

interface Beside {
  readonly refused?: Refused;
  /** Whose form was refused: the page begins with them. */
  readonly own?: string;
  readonly cursor?: string | undefined;
}

/** Who may sign in, as what, and to which companies. */
@ForOperators('admin')
@Pages('dashboard/operators')
export class OperatorPages {
  constructor(
    private readonly operators: OperatorsController,
    private readonly companies: CompaniesController,
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
    const { operators } = (await this.operators.list(context)).data;
    const rows = operators.map((one) => ({ ...one, companies: one.companies?.join(' ') ?? 'all' }));
    return csvOfList('operators', COLUMNS, rows);
  }

  @Post()
  add(@ObjectBody() form: object, @Context() context: OperatorContext) {
    return submit({
      form: 'operator',
      values: form,
      act: async () => {
        await this.operators.add(operatorOf(NewOperatorBody, form), context);
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
        const changes = changesOfOperator(form);
        if (Object.keys(changes).length === 0) return new SeeOther(PATH, 'unchanged');
        await this.operators.change(operator_id, changeBody(changes), context);
        return new SeeOther(PATH, 'operator');
      },
      again: (refused) => this.#page(context, { refused, own: operator_id }),
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
        await this.operators.remove(operator_id, context);
        return new SeeOther(PATH, 'operator_removed');
      },
      again: (refused) => this.#page(context, { refused, own: operator_id }),
    });
  }

  async #page(context: OperatorContext, { refused, own, cursor }: Beside): Promise<Page> {
    const { operators } = (await this.operators.list(context)).data;
    const { companies } = (await this.companies.list({ limit: COMPANIES }, context)).data;
    const choices = companies.map(({ company_id, name }): Choice => [company_id, name]);
    const key = ({ operator_id }: Operator) => operator_id;
    const { shown, next_cursor } = pageOf(own === undefined ? operators : from(own, operators), {
      cursor,
      limit: PAGE,
      key,
    });
    const content = (
      <>
        {shown.map((operator) => (
          <OperatorSection
            key={operator.operator_id}
            operator={operator}
            companies={choices}
            own={operator.operator_id === context.principal.id}
            refused={refused}
          />
        ))}
        <ListEnd path={PATH} file={`${PATH}/operators.csv`} cursor={next_cursor} />
        <Section title="Add an operator">
          <Form name="operator" action={PATH} submit="Add" refused={refused}>
            <Field name="email" label="E-mail" type="email" required maxLength={255} />
            <Field
              name="password"
              label="Password"
              hint="12 to 256 characters. They change it under “Your account”."
              type="password"
              required
              autocomplete="new-password"
            />
            <Select name="role" label="Role" options={ROLE_CHOICES} />
            {scopeFields({ choices, chosen: null })}
          </Form>
        </Section>
      </>
    );
    return new Page('Operators', content, refused?.status);
  }
}

function from(operator_id: string, operators: readonly Operator[]): readonly Operator[] {
  return operators.slice(
    Math.max(
      operators.findIndex((one) => one.operator_id === operator_id),
      0,
    ),
  );
}

/** What stands for all companies while the other fields are looked at. */
const ALL = ['all'];

/** The fields of a form; its scope says whether the ticked companies are meant, or all. @throws ApiError 422 */
function operatorOf<Body extends object>(body: new () => Body, form: object): Body {
  const { scope, ...fields } = form as { readonly scope?: string };
  if (scope !== 'all') return validForm(body, fields);
  return { ...validForm(body, { ...fields, companies: ALL }), companies: null };
}

/** The field that tells which scope stood in the form. */
const STOOD_SCOPE = 'stood_scope';

/** What was changed of an operator: what another admin has changed meanwhile is not written back. */
function changesOfOperator(form: FormValues): FormValues {
  const { scope, companies, [STOOD_SCOPE]: stood, ...fields } = form;
  const ids = [companies ?? []].flat();
  const isSame = stood !== undefined && lastOf(stood) === scopeKey(scope === 'all' ? null : ids);
  return { ...changesOf(fields), ...(isSame ? {} : { scope, companies }) };
}

/** The same for the same companies, whatever their order. */
function scopeKey(companies: readonly string[] | null): string {
  return companies === null ? 'all' : [...companies].sort().join(' ');
}

/** @throws ApiError 422 */
function changeBody(changes: FormValues): OperatorChangeBody {
  if ('scope' in changes) return operatorOf(OperatorChangeBody, changes);
  const body = validForm(OperatorChangeBody, { ...changes, companies: ALL });
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'companies'));
}

const SCOPES = [
  ['all', 'All companies, also those to come'],
  ['some', 'The companies ticked below'],
] as const;

interface ScopeProps {
  readonly choices: readonly Choice[];
  /** Null for all. */
  readonly chosen: readonly string[] | null;
}

function scopeFields({ choices, chosen }: ScopeProps) {
  const known = new Set(choices.map(([company_id]) => company_id));
  const others = (chosen ?? []).filter((id) => !known.has(id)).map((id): Choice => [id, id]);
  return (
    <>
      <Select name="scope" label="Of" options={SCOPES} value={chosen === null ? 'all' : 'some'} />
      <Choices name="companies" legend="Companies" options={[...choices, ...others]} chosen={chosen ?? []} />
    </>
  );
}

interface OperatorSectionProps {
  readonly operator: Operator;
  readonly companies: readonly Choice[];
  readonly own: boolean;
  readonly refused: Refused | undefined;
}

function OperatorSection({ operator, companies, own, refused }: OperatorSectionProps) {
  const { operator_id, email, role, disabled, created_at } = operator;
  const name = `operator-${operator_id}`;
  const isOpen = refused?.form === name || refused?.form === `remove-${operator_id}`;
  return (
    <Section title={email}>
      <p>
        {ROLES[role]}. {scopeText(operator, companies)}, since <Instant at={created_at} />
        {disabled ? '. Disabled: cannot sign in' : ''}
        {own ? '. That is you' : ''}.
      </p>
      <details open={isOpen}>
        <summary>Change {email}</summary>
        <Form name={name} action={`${PATH}/${operator_id}`} submit="Save" refused={refused} ofWhatStands>
          <Kept name={STOOD_SCOPE} value={scopeKey(operator.companies)} />
          <Select name="role" label="Role" options={ROLE_CHOICES} value={role} />
          {scopeFields({ choices: companies, chosen: operator.companies })}
          <Checkbox name="disabled" label="Disabled: cannot sign in" checked={disabled} />
        </Form>
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

function scopeText({ companies }: Operator, choices: readonly Choice[]): string {
  if (companies === null) return 'Of all companies';
  const names = new Map(choices);
  return `Of ${companies.map((id) => names.get(id) ?? id).join(', ')}`;
}
