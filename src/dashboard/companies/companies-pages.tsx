import { Get, Post } from '@nestjs/common';
import {
  Context,
  ForOperators,
  ObjectBody,
  PlainQuery,
  validForm,
  type OperatorContext,
} from '../../http/index.js';
import { CompaniesController, NewCompanyBody } from '../../operator/index.js';
import { Page, type Refused, SeeOther, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { csvOfPages } from '../parts/csv.js';
import { CsvLink, NextPage, Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { companyPath, todayPath } from './company-frame.js';
import { NoCompany, RegisterCompany } from './register-company.js';

interface CompaniesQuery {
  readonly cursor?: string;
}

/** The companies, a page at a time. */
@ForOperators('auditor')
@Pages('dashboard/companies')
export class CompaniesPages {
  constructor(private readonly companies: CompaniesController) {}

  @Get()
  show(@PlainQuery() query: CompaniesQuery, @Context() context: OperatorContext): Promise<Page> {
    return this.#page(context, query);
  }

  @Get('companies.csv')
  async csv(@Context() context: OperatorContext): Promise<StreamedDownload> {
    const read = async (cursor?: string) => (await this.companies.list({ cursor, limit: 500 }, context)).data;
    return csvOfPages('companies', COLUMNS, { read, rows: ({ companies }) => companies });
  }

  @ForOperators('manager')
  @Post()
  register(@ObjectBody() form: object, @Context() context: OperatorContext) {
    return submit({
      form: 'company',
      values: form,
      act: async () => {
        const { company_id } = (await this.companies.register(validForm(NewCompanyBody, form), context)).data;
        return new SeeOther(companyPath(company_id), 'company_registered');
      },
      again: (refused) => this.#page(context, {}, refused),
    });
  }

  async #page(context: OperatorContext, { cursor }: CompaniesQuery, refused?: Refused): Promise<Page> {
    const { companies, next_cursor } = (await this.companies.list({ cursor }, context)).data;
    const content = (
      <>
        <Section title="All of them">
          {companies.length === 0 ? <NoCompany context={context} /> : <Companies of={companies} />}
          <NextPage path="/dashboard/companies" cursor={next_cursor} />
          {companies.length === 0 ? null : <CsvLink path="/dashboard/companies/companies.csv" />}
        </Section>
        <RegisterCompany context={context} refused={refused} />
      </>
    );
    return new Page('Companies', content, refused?.status);
  }
}

interface CompanyRow {
  readonly company_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly sandbox: boolean;
}

const COLUMNS = ['company_id', 'name', 'created_at', 'sandbox'] as const;

function Companies({ of }: { readonly of: readonly CompanyRow[] }) {
  const rows = of.map(({ company_id, name, created_at, sandbox }) => ({
    key: company_id,
    cells: [
      <>
        <a href={companyPath(company_id)}>{name}</a>
        {sandbox ? ' (sandbox)' : null}
      </>,
      <a href={todayPath(company_id)}>Today at {name}</a>,
      <Instant at={created_at} />,
    ],
  }));
  return <Table caption="Companies" head={['Name', 'Today', 'Since']} rows={rows} />;
}
