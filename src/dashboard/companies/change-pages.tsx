import { Get, Param } from '@nestjs/common';
import {
  Context,
  Costly,
  ForOperators,
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
import { CompanyFrame, companyPath, zoneOf } from './company-frame.js';

type Changes = NonNullable<Awaited<ReturnType<CompanyTodayController['changes']>>['data']>;
type Change = Changes['events'][number];

interface ListQuery {
  readonly type?: string | undefined;
  readonly failed?: string | undefined;
  readonly cursor?: string | undefined;
}

const PAGE = '100';
const LARGEST_PAGE = '500';

/** What happened to a company since yesterday, newest first. */
@ForOperators('auditor')
@Pages('dashboard/companies/:company_id')
export class ChangePages {
  constructor(
    private readonly companies: CompaniesController,
    private readonly today: CompanyTodayController,
  ) {}

  @Costly()
  @Get('changes')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: ListQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = (await this.companies.one(company_id)).data!;
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
            <ChangeTable of={events} zone={zone} />
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
    const read = (cursor?: string) => this.#changes(company_id, { type, failed, cursor }, LARGEST_PAGE);
    return csvOfPages('changes', COLUMNS, { read, rows: changeRows });
  }

  async #changes(company_id: string, { type, failed, cursor }: ListQuery, limit: string): Promise<Changes> {
    const wanted = { type, failed, cursor, limit };
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    return (await this.today.changes(company_id, validQuery(ChangesQuery, given))).data!;
  }
}

function ChangeTable({ of, zone }: { readonly of: readonly Change[]; readonly zone: string }) {
  const rows = of.map((change) => ({
    key: change.id,
    cells: [
      <Instant at={change.occurred_at} zone={zone} />,
      eventText(change.type),
      <Subject of={change} />,
      resultText(change),
      actorText(change),
    ],
  }));
  return <Table caption="What happened" head={['When', 'What', 'Of', 'Result', 'By']} rows={rows} />;
}

/** The page of what an event is about; a report of a lock leads to the unit that the lock was on. */
function Subject({ of: { subject, data } }: { readonly of: Change }) {
  const { kind, unit_id, crm_unit_id, location_id, tenant_id } = subject as Readonly<Record<string, string>>;
  if (kind === 'unit') return <a href={`/dashboard/units/${unit_id}`}>{crm_unit_id}</a>;
  if (kind === 'location') return <a href={`/dashboard/locations/${location_id}`}>location</a>;
  if (kind === 'tenant') return <a href={`/dashboard/tenants/${tenant_id}`}>tenant</a>;
  const on = data['unit_id'];
  if (typeof on === 'string') return <a href={`/dashboard/units/${on}`}>lock of a unit</a>;
  return <>{nameText(kind!)}</>;
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

const COLUMNS = ['occurred_at', 'type', 'kind', 'unit', 'result', 'actor'] as const;

function changeRows({ events }: Changes) {
  return events.map((change) => {
    const { kind, crm_unit_id } = change.subject as Readonly<Record<string, string>>;
    const result = resultText(change);
    return { ...change, kind, unit: crm_unit_id, result, actor: actorText(change) };
  });
}

function titleOf({ type, failed }: ListQuery): string {
  if (failed === 'true') return 'Locks and gates that failed since yesterday';
  return type === undefined ? 'What changed since yesterday' : `${eventText(type)}, since yesterday`;
}
