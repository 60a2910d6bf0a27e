import type { ResultOf } from '#kernel/result-of.js';
import { Get, Inject, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { PublicAddress } from '#web/public-address.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import {
  CompanyAdministration,
  InvitedOperatorBody,
  OperatorAccounts,
  SignOnAdministration,
  SubjectBody,
} from '#api/operator/index.js';
import { distinctNames, zoneOf } from '../frame/company-frame.js';
import {
  type Done,
  type FormValues,
  Page,
  type Refused,
  SeeOther,
  type StreamedDownload,
} from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { DrawerButton } from '../parts/drawer.js';
import { changesNothing } from '../parts/initial-values.js';
import { countText } from '../parts/words.js';
import { ChangeDrawer, NewOperatorDrawer } from './operator-drawers.js';
import { isInvited, type Operator, type Shown } from './listed-operator.js';
import { groupOf, Groups, operatorList } from './operator-list.js';
import { type Choice, type Offered, operatorChange, operatorOf } from './operator-scope.js';
import { OPERATORS_PATH } from './paths.js';
import { SentLink } from './sent-link.js';

/** The operator API takes any company and any location. */
const OFFERED_COMPANIES = 500;
const OFFERED_SITES = 200;

type Invited = ResultOf<OperatorAccounts['inviteOperator']>;

interface ListQuery {
  readonly cursor?: string;
  readonly role?: string;
  readonly add?: string;
  /** The operator whose drawer the page comes with, open. */
  readonly change?: string;
}

interface Beside extends ListQuery {
  /** The operator whose link was made now: it is shown only here. */
  readonly invited?: Invited;
  readonly refused?: Refused;
}

interface Acted {
  /** Before the operator’s identifier. */
  readonly form: string;
  readonly operator_id: string;
  readonly values: object;
  readonly context: OperatorContext;
  /** True: the form is in the operator’s drawer. */
  readonly inDrawer?: boolean;
}

/** The operators: e-mail, role, companies and sites, and by what they sign in. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/operators')
export class OperatorPages {
  constructor(
    private readonly operators: OperatorAccounts,
    private readonly companies: CompanyAdministration,
    private readonly links: SignOnAdministration,
    private readonly address: PublicAddress,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
  ) {}

  @Get()
  show(@PlainQuery() query: ListQuery, @Context() context: OperatorContext): Promise<Page> {
    return this.#page(context, query);
  }

  @Get('operators.csv')
  async csv(
    @PlainQuery() { role }: Pick<ListQuery, 'role'>,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const operators = await this.operators.listOperators(context.principal);
    const offered = { companies: [], sites: [], mayGrantAll: false };
    return operatorList(operators, groupOf(role), this.#shown(context, offered, 'UTC')).csv();
  }

  /** Answers with the link, so that no address contains it. */
  @Post()
  add(@ObjectBody() form: FormValues, @Context() context: OperatorContext, @Req() request: Request) {
    const linkOrigin = () => this.address.linkOriginFor(request);
    return submit({
      form: 'operator',
      values: form,
      act: async () => {
        const body = operatorOf(InvitedOperatorBody, form);
        const invited = await this.operators.addOperator(body, context, linkOrigin);
        return this.#page(context, { invited });
      },
      again: (refused) => this.#page(context, { refused }),
    });
  }

  @Post(':operator_id/invitation')
  invite(
    @Param('operator_id') operator_id: string,
    @ObjectBody() values: object,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ) {
    const linkOrigin = () => this.address.linkOriginFor(request);
    return this.#submit({ form: 'invitation', operator_id, values, context }, async () => {
      const invited = await this.operators.inviteOperator(operator_id, context, linkOrigin);
      return this.#page(context, { invited });
    });
  }

  @Post(':operator_id/invitation/withdraw')
  withdraw(
    @Param('operator_id') operator_id: string,
    @ObjectBody() values: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ form: 'withdraw', operator_id, values, context }, async () => {
      await this.operators.withdrawInvitation(operator_id, context);
      return 'invitation_withdrawn';
    });
  }

  @Post(':operator_id')
  change(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const acted = { form: 'operator', operator_id, values: form, context, inDrawer: true };
    return this.#submit(acted, async () => {
      if (changesNothing(form)) return 'unchanged';
      await this.operators.changeOperator(operator_id, operatorChange(form), context);
      return 'operator';
    });
  }

  /** Links the operator to a person at the provider of single sign-on. */
  @Post(':operator_id/sign-on')
  link(
    @Param('operator_id') operator_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const acted = { form: 'link', operator_id, values: form, context, inDrawer: true };
    return this.#submit(acted, async () => {
      await this.links.linkOperator(operator_id, validForm(SubjectBody, form), context);
      return 'operator_linked';
    });
  }

  @Post(':operator_id/sign-on/remove')
  unlink(
    @Param('operator_id') operator_id: string,
    @ObjectBody() values: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ form: 'unlink', operator_id, values, context }, async () => {
      await this.links.unlinkOperator(operator_id, context);
      return 'operator_unlinked';
    });
  }

  @Post(':operator_id/sessions/end')
  endSessions(
    @Param('operator_id') operator_id: string,
    @ObjectBody() values: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ form: 'sessions', operator_id, values, context }, async () => {
      await this.operators.endSessions(operator_id, context);
      return 'operator_signed_out';
    });
  }

  @Post(':operator_id/remove')
  remove(
    @Param('operator_id') operator_id: string,
    @ObjectBody() values: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ form: 'remove', operator_id, values, context }, async () => {
      await this.operators.removeOperator(operator_id, context);
      return 'operator_removed';
    });
  }

  @Post(':operator_id/second-factor/remove')
  resetSecondFactor(
    @Param('operator_id') operator_id: string,
    @ObjectBody() values: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ form: 'factor', operator_id, values, context }, async () => {
      await this.operators.removeSecondFactor(operator_id, context);
      return 'factor_reset';
    });
  }

  #submit({ form, operator_id, values, context, inDrawer = false }: Acted, act: () => Promise<Done | Page>) {
    return submit({
      form: `${form}-${operator_id}`,
      values,
      act: async () => {
        const done = await act();
        return done instanceof Page ? done : new SeeOther(OPERATORS_PATH, done);
      },
      again: (refused) => this.#page(context, { refused, ...(inDrawer && { change: operator_id }) }),
    });
  }

  async #page(
    context: OperatorContext,
    { invited, refused, cursor, role, add, change }: Beside,
  ): Promise<Page> {
    const operators = await this.operators.listOperators(context.principal);
    const { offered, zone } = await this.#offered(operators, context);
    const { sign_on } = this.environment;
    const group = groupOf(role);
    const { view } = await operatorList(operators, group, this.#shown(context, offered, zone)).show(cursor);
    const changed = operators.find(({ operator_id }) => operator_id === change);
    const content = (
      <>
        {invited === undefined ? null : <SentLink {...{ invited, offered, sign_on, zone }} />}
        <Groups of={operators} current={group} />
        <div class="card">{view}</div>
        <p class="soft small below">
          An operator of a site sees no other, in lists, search and exports. Admins manage operators, tokens
          and lock secrets; managers all else; auditors see all and change nothing.
        </p>
        <NewOperatorDrawer {...{ offered, sign_on, refused }} isOpen={add === 'operator'} />
        {changed === undefined ? null : (
          <ChangeDrawer operator={changed} {...{ offered, sign_on, refused, zone }} />
        )}
      </>
    );
    return new Page('Operators', content, refused?.status ?? (invited === undefined ? 200 : 201), {
      sub: countOf(operators),
      acts: (
        <DrawerButton form="operator" icon="user-plus">
          Add operator
        </DrawerButton>
      ),
    });
  }

  #shown({ principal, received_at }: OperatorContext, offered: Offered, zone: string): Shown {
    const { sign_on } = this.environment;
    return { offered, sign_on, own_id: principal.id, zone, now: received_at };
  }

  async #offered(operators: readonly Operator[], { principal }: OperatorContext) {
    const page = await this.companies.listCompanies({ limit: OFFERED_COMPANIES }, principal);
    const companies = distinctNames(page.companies).map(({ company_id, name }): Choice => [company_id, name]);
    const names = new Map(companies);
    const granted = new Set(operators.flatMap(({ locations }) => locations ?? []));
    const locations = await this.companies.listLocations(principal);
    const sites = locations
      .filter(({ location_id }, index) => index < OFFERED_SITES || granted.has(location_id))
      .map(({ company_id, location_id, name }) => {
        const company = names.size < 2 ? '' : `, ${names.get(company_id) ?? company_id}`;
        return { company_id, location_id, text: `${name}${company}` };
      });
    const offered: Offered = { companies, sites, mayGrantAll: principal.companies === null };
    return { offered, zone: zoneOf(locations) };
  }
}

/** `6, one of them invited` */
function countOf(operators: readonly Operator[]): string {
  const invited = operators.filter(isInvited).length;
  const all = countText(operators.length, 'operator');
  return invited === 0 ? all : `${all}, ${invited === 1 ? 'one' : invited} of them invited`;
}
