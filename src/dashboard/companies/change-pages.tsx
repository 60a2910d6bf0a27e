import { Get, Param } from '@nestjs/common';
import {
  Context,
  Costly,
  ForOperators,
  LARGEST_PAGE,
  type OperatorContext,
  PlainQuery,
  validQuery,
} from '../../http/index.js';
import { ChangesQuery, CompaniesController, CompanyTodayController } from '../../operator/index.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
import { Empty, ListEnd, Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { eventText, nameText } from '../parts/words.js';
import { ThingNames } from '../names/thing-names.js';
import {
  type Change,
  type Changes,
  Subject,
  type SubjectNames,
  subjectNames,
  subjectOf,
} from './change-subject.js';
import { CompanyFrame, companyPath, zoneOf } from './company-frame.js';

interface ListQuery {
  readonly type?: string | undefined;
  readonly failed?: string | undefined;
  readonly cursor?: string | undefined;
}

const PAGE = '100';

/** What happened to a company since yesterday, newest first. */
@ForOperators('auditor')
@Pages('dashboard/companies/:company_id')
export class ChangePages {
  constructor(
    private readonly companies: CompaniesController,
    private readonly today: CompanyTodayController,
    private readonly names: ThingNames,
  ) {}

  @Costly()
  @Get('changes')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: ListQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = (await this.companies.one(company_id)).data;
    const { events, next_cursor, since } = await this.#changes(company_id, query, PAGE);
    const zone = zoneOf(company.locations);
    const { type, failed } = query;
    const path = `${companyPath(company_id)}/changes`;
    const content = (
      <CompanyFrame company={company} role={context.principal.role} current="/changes">
        <Section title={titleOf(query)}>
          <p class="hint">
            Since <Instant at={since} zone={zone} />, newest first.
          </p>
          {events.length === 0 ? (
            <Empty>Nothing. What happened before stands in the history of each unit.</Empty>
          ) : (
            <ChangeTable of={events} names={await subjectNames(events, this.names)} zone={zone} />
          )}
          <ListEnd path={path} file={`${path}.csv`} query={{ type, failed }} cursor={next_cursor} />
        </Section>
      </CompanyFrame>
    );
    return new Page(company.name, content);
  }

  @Costly()
  @Get('changes.csv')
  async csv(
    @Param('company_id') company_id: string,
    @PlainQuery() query: ListQuery,
  ): Promise<StreamedDownload> {
    const { type, failed } = query;
    const read = async (cursor?: string) => {
      const page = await this.#changes(company_id, { type, failed, cursor }, String(LARGEST_PAGE));
      return { ...page, names: await subjectNames(page.events, this.names) };
    };
    return csvOfPages('changes', COLUMNS, { read, rows: changeRows });
  }

  async #changes(company_id: string, { type, failed, cursor }: ListQuery, limit: string): Promise<Changes> {
    const wanted = { type, failed, cursor, limit };
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    return (await this.today.changes(company_id, validQuery(ChangesQuery, given))).data;
  }
}

interface ChangeTableProps {
  readonly of: readonly Change[];
  readonly names: SubjectNames;
  readonly zone: string;
}

function ChangeTable({ of, names, zone }: ChangeTableProps) {
  const rows = of.map((change) => ({
    key: change.id,
    cells: [
      <Instant at={change.occurred_at} zone={zone} />,
      eventText(change.type),
      <Subject of={subjectOf(change, names)} />,
      resultText(change),
      actorText(change),
    ],
  }));
  return <Table caption="What happened" head={['When', 'What', 'Of', 'Result', 'By']} rows={rows} />;
}

function resultText({ data }: Change): string {
  const { event, result, failure_code } = data;
  if (typeof result !== 'string' || typeof event !== 'string') return '';
  const code = typeof failure_code === 'string' ? ` (${failure_code})` : '';
  return `${event}: ${result}${code}`;
}

function actorText({ actor: { kind, name, id } }: Change): string {
  return `${nameText(kind)} ${name ?? id}`;
}

const COLUMNS = ['occurred_at', 'type', 'kind', 'of', 'result', 'actor'] as const;

function changeRows({ events, names }: Changes & { readonly names: SubjectNames }) {
  return events.map((change) => {
    const { kind } = change.subject as Readonly<Record<string, string>>;
    const of = subjectOf(change, names).map(({ text }) => text);
    return { ...change, kind, of: of.join(', '), result: resultText(change), actor: actorText(change) };
  });
}

function titleOf({ type, failed }: ListQuery): string {
  if (failed === 'true') return 'Locks and gates that failed since yesterday';
  return type === undefined ? 'What changed since yesterday' : `${eventText(type)}, since yesterday`;
}
