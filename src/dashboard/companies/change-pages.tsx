import type { ResultOf } from '#kernel/result-of.js';
import { Get, Param } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import type { AccessState } from '#domain/access/index.js';
import { type AccessHours, type EntryPointHours, hoursChanges } from '#domain/locations/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { validQuery } from '#web/validation/read-query.js';
import { ChangesQuery, CompanyAdministration, CompanyOverview } from '#api/operator/index.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { Happened, reportedInstant } from '../parts/happened.js';
import { actorName, eventText, reasonText, STATE_TEXTS } from '../parts/labels.js';
import { Section } from '../parts/layout.js';
import { type Column, listPage } from '../parts/list-page.js';
import { Instant } from '../parts/times.js';
import { activityText, type ReportSummary } from '../activity/activity-text.js';
import { TapResult } from '../activity/tap-result.js';
import { changesText, gateHoursText } from '../hours/hours-texts.js';
import { ThingNames } from '../names/thing-names.js';
import {
  type Change,
  locationOf,
  type LinkedName,
  Subject,
  subjectNames,
  subjectOf,
} from './change-subject.js';
import { CompanyFrame, zoneOf, zonesOf } from '../frame/company-frame.js';
import { companyPath } from '../links/paths.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

interface DecidedUnit {
  readonly state: AccessState;
  readonly reason: string | null;
}

interface ListQuery {
  readonly type?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The events of a company since yesterday, newest first. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class ChangePages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly today: CompanyOverview,
    private readonly names: ThingNames,
  ) {}

  @Costly()
  @Get('changes')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: ListQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const { page, view } = await this.#list(company, query, context).show(query.cursor);
    const content = (
      <CompanyFrame company={company}>
        <Section title={titleOf(query)}>
          <p class="hint">
            Since <Instant at={page.since} zone={zoneOf(company.locations)} />, newest first.
          </p>
          {view}
        </Section>
      </CompanyFrame>
    );
    return new Page(company.name, content, 200, { tab: 'Changes', heading: 'Changes', company_id });
  }

  @Costly()
  @Get('changes.csv')
  async csv(
    @Param('company_id') company_id: string,
    @PlainQuery() query: ListQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const company = await this.companies.readCompany(company_id, context.principal);
    return this.#list(company, query, context).csv();
  }

  /** @throws ApiError 422 for a type that does not exist */
  #list({ company_id, locations }: Company, { type }: ListQuery, { principal }: OperatorContext) {
    const zoneIn = zonesOf(locations);
    const path = `${companyPath(company_id)}/changes`;
    const wanted = validQuery(ChangesQuery, { type });
    return listPage({
      caption: 'What happened',
      name: 'changes',
      path,
      file: `${path}.csv`,
      query: { type },
      columns: COLUMNS,
      keyOf: ({ id }: ListedChange) => id,
      read: async (range) => {
        const page = await this.today.listChanges(company_id, { ...wanted, ...range }, principal);
        const names = await subjectNames(page.events, this.names);
        const rows = page.events.map((change) => ({
          ...change,
          subjects: subjectOf(change, names, locations.length > 1),
          zone: zoneIn(locationOf(change)),
        }));
        return { rows, next_cursor: page.next_cursor, since: page.since };
      },
      empty: 'Nothing. Earlier changes are in the history of each unit.',
    });
  }
}

type ListedChange = Change & { readonly subjects: readonly LinkedName[]; readonly zone: string };

const COLUMNS: readonly Column<ListedChange>[] = [
  {
    title: 'When',
    name: 'occurred_at',
    cell: (change) => <Happened of={instantsOf(change)} zone={change.zone} />,
    value: (change) => toTimestamp(reportedInstant(instantsOf(change))),
  },
  { title: 'What', name: 'type', cell: ({ type }) => eventText(type) },
  { name: 'kind', value: ({ subject }) => (subject as Readonly<Record<string, string>>)['kind'] },
  {
    title: 'Of',
    name: 'of',
    cell: ({ subjects }) => <Subject of={subjects} />,
    value: ({ subjects }) => subjects.map(({ text }) => text).join(', '),
  },
  {
    title: 'Result',
    name: 'result',
    cell: (change) => resultText(change) ?? withTap(change, (tap) => <TapResult of={tap} />),
    value: (change) => resultText(change) ?? withTap(change, activityText),
  },
  { title: 'By', name: 'actor', value: ({ actor }) => actorName(actor) },
  { name: 'recorded_at', value: (change) => instantsOf(change).recorded_at },
];

/** The result of a change that is no tap. */
function resultText(change: Change): string | undefined {
  return accessText(change) ?? newHoursText(change);
}

/** A tap happened before it was reported; any other event when it was recorded. */
function instantsOf({ occurred_at, data }: Change) {
  const { occurred_at: at, recorded_at } = data;
  if (typeof at !== 'string' || typeof recorded_at !== 'string')
    return { occurred_at, recorded_at: occurred_at };
  return { occurred_at: at, recorded_at };
}

/** The access that was announced. Undefined for any other event. */
function accessText({ type, data }: Change): string | undefined {
  if (type !== 'AccessChanged') return undefined;
  const { state, reason } = data['to'] as unknown as DecidedUnit;
  const text = STATE_TEXTS[state];
  return reason === null || reason === 'active' ? text : `${text}: ${reasonText(reason)}`;
}

/** What a change of hours changed. Undefined for any other event. */
function newHoursText({ type, data, before }: Change): string | undefined {
  if (type === 'EntryPointHoursChanged') return gateHoursText(data['hours'] as unknown as EntryPointHours);
  if (type !== 'LocationHoursChanged' || before === undefined) return undefined;
  const after = data['access_hours'] as unknown as AccessHours | null;
  return changesText(hoursChanges(before.access_hours, after));
}

/** Empty for an event that is no tap. */
function withTap<Shown>(
  { data: { event, result, failure_code }, denied_units }: Change,
  show: (tap: ReportSummary) => Shown,
) {
  if (typeof result !== 'string' || typeof event !== 'string') return '';
  const code = typeof failure_code === 'string' ? failure_code : null;
  return show({ event, result, failure_code: code, ...(denied_units && { denied_units }) });
}

function titleOf({ type }: ListQuery): string {
  return type === undefined ? 'What changed since yesterday' : `${eventText(type)}, since yesterday`;
}
