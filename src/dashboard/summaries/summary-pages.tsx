import { Get, Param, Post } from '@nestjs/common';
import { CompanyAdministration, OwnSummaries } from '#api/operator/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { IgnoresQuery, ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { Pages } from '../frame/pages.js';
import { SUMMARIES_PATH, todayPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { type Done, Page, type Refused, SeeOther } from '../page/page.js';
import { submit } from '../page/submit.js';
import { Form } from '../parts/form.js';
import { Empty, None, Section, Table } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { dateText } from '../parts/words.js';

type Summary = Awaited<ReturnType<OwnSummaries['listSummaries']>>['summaries'][number];
type Company = Awaited<ReturnType<CompanyAdministration['listCompanies']>>['companies'][number];

const COMPANIES = 50;

const OUTCOMES: Readonly<Record<NonNullable<Summary['last']>['outcome'], string>> = {
  sent: 'sent',
  refused: 'refused by the mail server',
  unknown: 'may have been sent',
};

interface Switching {
  readonly company_id: string;
  readonly form: object;
  readonly context: OperatorContext;
}

/** The operator's own mails of the morning. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/account/summaries')
export class SummaryPages {
  constructor(
    private readonly own: OwnSummaries,
    private readonly companies: CompanyAdministration,
  ) {}

  @Get()
  show(@PlainQuery() { cursor }: { readonly cursor?: string }, @Context() context: OperatorContext) {
    return this.#page(context, cursor);
  }

  @IgnoresQuery()
  @Post(':company_id/on')
  switchOn(
    @Param('company_id') company_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ company_id, form, context }, async () => {
      await this.own.switchOn(company_id, context);
      return 'summary_on';
    });
  }

  @IgnoresQuery()
  @Post(':company_id/off')
  switchOff(
    @Param('company_id') company_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return this.#submit({ company_id, form, context }, async () => {
      await this.own.switchOff(company_id, context);
      return 'summary_off';
    });
  }

  #submit({ company_id, form, context }: Switching, act: () => Promise<Done>) {
    return submit({
      form: formOf(company_id),
      values: form,
      act: async () => new SeeOther(SUMMARIES_PATH, await act()),
      again: (refused) => this.#page(context, undefined, refused),
    });
  }

  async #page({ principal }: OperatorContext, cursor?: string, refused?: Refused): Promise<Page> {
    const [{ available, summaries }, { companies, next_cursor }] = await Promise.all([
      this.own.listSummaries(principal),
      this.companies.listCompanies({ cursor, limit: COMPANIES }, principal),
    ]);
    const content = (
      <Section title="Mails">
        <p>
          The figures of Today at 7:00 in the morning of your sites, to the e-mail with which you sign in. It
          has at most ten lines and names nobody.
        </p>
        {available ? null : (
          <p class="warning">
            This service sends no mail. Ask the person who runs it to set <code>SMTP_URL</code>.
          </p>
        )}
        <Companies
          {...{ available, summaries, refused }}
          companies={companies.filter(({ sandbox }) => !sandbox)}
        />
        {next_cursor === null ? null : (
          <p class="next">
            <a href={withQuery(SUMMARIES_PATH, { cursor: next_cursor })} rel="next">
              Next page
            </a>
          </p>
        )}
      </Section>
    );
    return new Page('Morning summary', content, refused?.status, { refused });
  }
}

interface CompaniesProps {
  readonly available: boolean;
  readonly summaries: readonly Summary[];
  readonly companies: readonly Company[];
  readonly refused: Refused | undefined;
}

function Companies({ available, summaries, companies, refused }: CompaniesProps) {
  if (companies.length === 0) return <Empty>No company.</Empty>;
  const rows = companies.map(({ company_id, name }) => {
    const summary = summaries.find((one) => one.company_id === company_id);
    return {
      key: company_id,
      cells: [
        <a href={todayPath(company_id)}>{name}</a>,
        summary === undefined ? <Mark tone="calm">Off</Mark> : <Mark tone="good">On</Mark>,
        <LastMail of={summary?.last ?? null} />,
        <Switch {...{ available, company_id, refused }} isOn={summary !== undefined} />,
      ],
    };
  });
  return (
    <Table
      caption="Companies"
      head={['Company', 'Mail', 'Last one', 'Change']}
      fits={{ Change: 'acts' }}
      rows={rows}
    />
  );
}

function LastMail({ of }: { readonly of: Summary['last'] }) {
  if (of === null) return <None>none yet</None>;
  return <>{`${dateText(of.date)}: ${OUTCOMES[of.outcome]}`}</>;
}

interface SwitchProps {
  readonly available: boolean;
  readonly company_id: string;
  readonly isOn: boolean;
  readonly refused: Refused | undefined;
}

/** A mail that is on can be switched off also where none can be sent. */
function Switch({ available, company_id, isOn, refused }: SwitchProps) {
  if (!available && !isOn) return <None>not available</None>;
  const action = `${SUMMARIES_PATH}/${company_id}/${isOn ? 'off' : 'on'}`;
  const submit = `Switch ${isOn ? 'off' : 'on'}`;
  return <Form name={formOf(company_id)} action={action} submit={submit} tone="quiet" refused={refused} />;
}

function formOf(company_id: string): string {
  return `summary-${company_id}`;
}
