import { Get, Param, Post } from '@nestjs/common';
import {
  Context,
  ForOperators,
  ObjectBody,
  type OperatorContext,
  PlainQuery,
  validForm,
} from '../../http/index.js';
import { CompaniesController } from '../../operator/index.js';
import { PullSourceBody, PullSourceChangeBody, PullSourcesController } from '../../pull/index.js';
import { CompanyFrame, companyPath, zoneOf } from '../companies/company-frame.js';
import { type FormValues, Page, type Refused, SeeOther, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../frame/submit.js';
import { csvOfList, csvOfPages } from '../parts/csv.js';
import { Empty, ListEnd, Section, Table } from '../parts/layout.js';
import { pageOf } from '../parts/page-of.js';
import { mayDo } from '../parts/roles.js';
import { changesNothing, changesOf, emptiedIn } from '../parts/standing.js';
import { Instant } from '../parts/times.js';
import { sourceFields } from './mapping-text.js';
import { RUN_COLUMNS, runRows, RunTable } from './run-table.js';
import { SourceForm } from './source-form.js';
import { SourceState } from './source-state.js';
import { type ListedSource, sourcePath, troubleOf } from './listed-source.js';

const SOURCES = 100;
const RUNS = 20;
const LARGEST_PAGE = 100;

interface Beside {
  readonly refused?: Refused;
  readonly cursor?: string | undefined;
}

/** What the service asks a company's PMS for by itself, and how that went (decisions §8). */
@ForOperators('auditor')
@Pages('dashboard')
export class PullSourcePages {
  constructor(
    private readonly companies: CompaniesController,
    private readonly sources: PullSourcesController,
  ) {}

  @Get('companies/:company_id/pull-sources')
  show(
    @Param('company_id') company_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#list(company_id, context, { cursor });
  }

  @Get('companies/:company_id/pull-sources.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const { pull_sources } = (await this.sources.list(company_id, context)).data;
    return csvOfList('pull-sources', COLUMNS, pull_sources);
  }

  @ForOperators('manager')
  @Post('companies/:company_id/pull-sources')
  add(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'source',
      values: form,
      act: async () => {
        const body = validForm(PullSourceBody, sourceFields(form));
        const { data } = await this.sources.add(company_id, body, context);
        return new SeeOther(sourcePath(data), 'source_added');
      },
      again: (refused) => this.#list(company_id, context, { refused }),
    });
  }

  @Get('pull-sources/:pull_source_id')
  one(
    @Param('pull_source_id') pull_source_id: string,
    @PlainQuery() { cursor }: { readonly cursor?: string },
    @Context() context: OperatorContext,
  ): Promise<Page> {
    return this.#page(pull_source_id, context, { cursor });
  }

  @Get('pull-sources/:pull_source_id/runs.csv')
  async runs(@Param('pull_source_id') pull_source_id: string): Promise<StreamedDownload> {
    const read = async (cursor?: string) =>
      (await this.sources.listRuns(pull_source_id, { cursor, limit: LARGEST_PAGE })).data;
    return csvOfPages('runs', RUN_COLUMNS, { read, rows: runRows });
  }

  @ForOperators('manager')
  @Post('pull-sources/:pull_source_id')
  change(
    @Param('pull_source_id') pull_source_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'source',
      values: form,
      act: async () => {
        const path = sourcePath({ pull_source_id });
        if (changesNothing(form)) return new SeeOther(path, 'unchanged');
        const body = validForm(PullSourceChangeBody, sourceFields(changesOf(form)), emptiedIn(form));
        await this.sources.change(pull_source_id, body, context);
        return new SeeOther(path, 'source');
      },
      again: (refused) => this.#page(pull_source_id, context, { refused }),
    });
  }

  @ForOperators('manager')
  @Post('pull-sources/:pull_source_id/runs')
  run(
    @Param('pull_source_id') pull_source_id: string,
    @ObjectBody() form: object,
    @Context() context: OperatorContext,
  ) {
    return submit({
      form: 'run',
      values: form,
      act: async () => {
        await this.sources.run(pull_source_id, context);
        return new SeeOther(sourcePath({ pull_source_id }), 'run');
      },
      again: (refused) => this.#page(pull_source_id, context, { refused }),
    });
  }

  async #list(company_id: string, context: OperatorContext, { refused, cursor }: Beside): Promise<Page> {
    const { role } = context.principal;
    const company = (await this.companies.one(company_id)).data;
    const { name, locations } = company;
    const { pull_sources } = (await this.sources.list(company_id, context)).data;
    const key = ({ pull_source_id }: ListedSource) => pull_source_id;
    const { shown, next_cursor } = pageOf(pull_sources, { cursor, limit: SOURCES, key });
    const path = `${companyPath(company_id)}/pull-sources`;
    const content = (
      <CompanyFrame company={company} role={role} current="/pull-sources">
        <Section title="Pull sources">
          {pull_sources.length === 0 ? (
            <Empty>
              None. Where a PMS cannot write to this service, the service asks the PMS: add its address
              {mayDo(role, 'manager') ? ' below' : ' (a manager may)'}.
            </Empty>
          ) : (
            <>
              <SourceTable of={shown} zone={zoneOf(locations)} />
              <ListEnd path={path} file={`${path}.csv`} cursor={next_cursor} />
            </>
          )}
        </Section>
        {mayDo(role, 'manager') ? (
          <Section title="Add a pull source">
            <SourceForm action={path} submit="Add it" isAdmin={mayDo(role, 'admin')} refused={refused} />
          </Section>
        ) : null}
      </CompanyFrame>
    );
    return new Page(name, content, refused?.status);
  }

  async #page(pull_source_id: string, context: OperatorContext, { refused, cursor }: Beside): Promise<Page> {
    const source = (await this.sources.one(pull_source_id, context)).data;
    const { company_id, name } = source;
    const company = (await this.companies.one(company_id)).data;
    const { locations } = company;
    const range = { limit: RUNS, ...(cursor ? { cursor } : {}) };
    const { runs, next_cursor } = (await this.sources.listRuns(pull_source_id, range)).data;
    const { role } = context.principal;
    const path = sourcePath(source);
    const content = (
      <CompanyFrame company={company} role={role} current="/pull-sources">
        <SourceState
          of={source}
          mayChange={mayDo(role, 'manager')}
          zone={zoneOf(locations)}
          refused={refused}
        />
        <Section title="Runs">
          <p class="hint">Kept for 30 days.</p>
          <RunTable of={runs} zone={zoneOf(locations)} />
          <ListEnd path={path} file={`${path}/runs.csv`} cursor={next_cursor} />
        </Section>
        {mayDo(role, 'manager') ? (
          <Section title="Change it">
            <SourceForm
              action={path}
              submit="Save"
              isAdmin={mayDo(role, 'admin')}
              refused={refused}
              source={source}
            />
          </Section>
        ) : null}
      </CompanyFrame>
    );
    return new Page(name, content, refused?.status);
  }
}

function SourceTable({ of, zone }: { readonly of: readonly ListedSource[]; readonly zone: string }) {
  const rows = of.map((source) => ({
    key: source.pull_source_id,
    cells: [
      <a href={sourcePath(source)}>{source.name}</a>,
      source.url,
      stateText(source),
      <Instant at={source.next_run_at} zone={zone} otherwise="" />,
    ],
  }));
  return <Table caption="Pull sources" head={['Name', 'Address', 'State', 'Next run']} rows={rows} />;
}

function stateText(source: ListedSource): string {
  if (source.running) return 'running';
  return troubleOf(source) ?? (source.enabled ? 'fine' : 'switched off');
}

const COLUMNS = ['pull_source_id', 'name', 'url', 'interval_seconds', 'enabled', 'last_run_state'] as const;
