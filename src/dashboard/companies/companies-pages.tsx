import { Get, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { CompanyAdministration, NewCompanyBody } from '#api/operator/index.js';
import { Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { Instant } from '../parts/times.js';
import { companyPath, todayPath } from '../links/paths.js';
import { noCompanyText, RegisterCompany } from './register-company.js';

const PATH = '/dashboard/companies';

interface CompaniesQuery {
  readonly cursor?: string;
}

/** The companies, a page at a time. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies')
export class CompaniesPages {
  constructor(private readonly companies: CompanyAdministration) {}

  @Get()
  show(@PlainQuery() query: CompaniesQuery, @Context() context: OperatorContext): Promise<Page> {
    return this.#page(context, query);
  }

  @Get('companies.csv')
  csv(@Context() context: OperatorContext): Promise<StreamedDownload> {
    return this.#list(context).csv();
  }

  @ForOperators('manager')
  @ForSiteOperators('refused')
  @Post()
  register(@ObjectBody() form: object, @Context() context: OperatorContext) {
    return submit({
      form: 'company',
      values: form,
      act: async () => {
        const { company_id } = await this.companies.addCompany(validForm(NewCompanyBody, form), context);
        return new SeeOther(companyPath(company_id), 'company_registered');
      },
      again: (refused) => this.#page(context, {}, refused),
    });
  }

  async #page(context: OperatorContext, { cursor }: CompaniesQuery, refused?: Refused): Promise<Page> {
    const { view } = await this.#list(context).show(cursor);
    const content = (
      <>
        <Section title="All companies">{view}</Section>
        <RegisterCompany context={context} refused={refused} />
      </>
    );
    return new Page('Companies', content, refused?.status);
  }

  #list(context: OperatorContext) {
    return listPage({
      caption: 'Companies',
      name: 'companies',
      path: PATH,
      file: `${PATH}/companies.csv`,
      columns: COLUMNS,
      keyOf: ({ company_id }) => company_id,
      read: async (range) => {
        const { companies, next_cursor } = await this.companies.listCompanies(range, context.principal);
        return { rows: companies, next_cursor };
      },
      empty: noCompanyText(context),
    });
  }
}

interface CompanyRow {
  readonly company_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly sandbox: boolean;
}

const COLUMNS: readonly Column<CompanyRow>[] = [
  { name: 'company_id' },
  {
    title: 'Name',
    name: 'name',
    cell: ({ company_id, name, sandbox }) => (
      <>
        <a href={companyPath(company_id)}>{name}</a>
        {sandbox ? ' (sandbox)' : null}
      </>
    ),
  },
  {
    title: 'Today',
    cell: ({ company_id, name }) => <a href={todayPath(company_id)}>Today at {name}</a>,
  },
  {
    title: 'Since (UTC)',
    name: 'created_at',
    cell: ({ created_at }) => <Instant at={created_at} precision="day" />,
  },
  { name: 'sandbox' },
];
