import type { ComponentChild } from 'preact';
import type { ResultOf } from '#kernel/result-of.js';
import { Get, Param } from '@nestjs/common';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { AccessState } from '#domain/access/index.js';
import { type AccessHours, type EntryPointHours, hoursChanges } from '#domain/locations/index.js';
import { OVERRIDES, type OverrideValue } from '#domain/units/index.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { validQuery } from '#web/validation/read-query.js';
import { ChangesQuery, CompanyAdministration, CompanyOverview, isOfStaff } from '#api/operator/index.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { Happened, reportedInstant } from '../parts/happened.js';
import { ChosenFilter } from '../parts/chosen-filter.js';
import {
  actorName,
  capitalized,
  eventText,
  fieldText,
  reasonText,
  STATE_TEXTS,
  staffName,
} from '../parts/labels.js';
import { Section, Tabs } from '../parts/layout.js';
import { withQuery } from '../links/with-query.js';
import { type Column, listPage } from '../parts/list-page.js';
import { Instant } from '../parts/times.js';
import { localDate, localInstant, valueText } from '../parts/words.js';
import { laterBy } from '../pictures/columns.js';
import { activityText, type ReportSummary } from '../activity/activity-text.js';
import { TapResult } from '../activity/tap-result.js';
import { changesText, gateHoursText } from '../hours/hours-texts.js';
import { CompanyNames } from '../names/company-names.js';
import { ThingNames } from '../names/thing-names.js';
import { type Change, locationOf, Subject, subjectNames, subjectOf } from './change-subject.js';
import { type ListedChange, StaffActions, StaffFilter } from './staff-actions.js';
import { settingResultText } from './setting-results.js';
import { staffResultText } from './staff-results.js';
import { CompanyFrame, currenciesOf, zoneOf, zonesOf } from '../frame/company-frame.js';
import { companyPath } from '../links/paths.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

interface DecidedUnit {
  readonly state: AccessState;
  readonly reason: string | null;
}

interface ListQuery {
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  readonly operator_id?: string | undefined;
  /** A local date, as is `to_day`. */
  readonly from_day?: string | undefined;
  readonly to_day?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The events of a company in the last 24 hours, newest first. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class ChangePages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly today: CompanyOverview,
    private readonly names: ThingNames,
    private readonly companyNames: CompanyNames,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get('changes')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: ListQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const list = await this.#openList(company, query, context);
    const { page, view } = await list.show(query.cursor);
    const path = `${companyPath(company_id)}/changes`;
    const staff = withQuery(path, { actor: 'operator' });
    const today = localDate(await this.clocks.now(company_id), zoneOf(company.locations));
    const content = (
      <CompanyFrame company={company}>
        <Section title={titleOf(query)}>
          <Tabs
            kind="segments"
            label="Whose changes"
            of={[
              [path, 'Everybody'],
              [staff, 'Staff'],
            ]}
            current={isOfStaff(query) ? staff : path}
          />
          {isOfStaff(query) ? (
            <StaffFilter path={path} query={query} today={today} />
          ) : (
            <ChosenKind of={query.type} href={withQuery(path, { actor: query.actor })} />
          )}
          <p class="hint">
            Since <Instant at={page.since} zone={zoneOf(company.locations)} />, newest first.
            {isOfStaff(query) ? null : (
              <>
                {' '}
                What staff did before: see <a href={staff}>Staff</a>.
              </>
            )}
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
    const list = await this.#openList(company, query, context);
    return list.csv();
  }

  /** @throws ApiError 422 for a type that does not exist */
  async #openList(
    { company_id, locations }: Company,
    { type, actor, operator_id, from_day, to_day }: ListQuery,
    { principal }: OperatorContext,
  ) {
    const zoneIn = zonesOf(locations);
    const currencyIn = currenciesOf(locations);
    const path = `${companyPath(company_id)}/changes`;
    const range = rangeOfDays(from_day, to_day, zoneOf(locations));
    const wanted = validQuery(ChangesQuery, { type: type || undefined, actor, operator_id, ...range });
    const { names, companyNames } = this;
    const ofStaff = isOfStaff(wanted);
    const changes = await this.today.openChanges(company_id, wanted, principal, ofStaff);
    return listPage({
      caption: 'What happened',
      name: 'changes',
      path,
      file: `${path}.csv`,
      query: { type, actor, operator_id, from_day, to_day },
      columns: COLUMNS,
      keyOf: ({ id }: ListedChange) => id,
      read: async (part) => {
        const page = await changes.page(part);
        const named = await subjectNames(company_id, page.events, { names, companyNames });
        const rows = page.events.map((change) => ({
          ...change,
          subjects: subjectOf(change, named, locations.length > 1),
          zone: zoneIn(locationOf(change)),
          currency: currencyIn(locationOf(change)),
        }));
        return { rows, next_cursor: page.next_cursor, since: page.since };
      },
      ...(ofStaff && {
        limit: STAFF_PAGE,
        body: ({ rows }: { readonly rows: readonly ListedChange[] }) => (
          <StaffActions rows={rows} path={path} resultOf={resultOf} />
        ),
      }),
      empty: ofStaff ? 'Nothing.' : 'Nothing. Earlier changes are in the history of each unit.',
    });
  }
}

/** The kind that narrows the list, as a button that takes it off. */
function ChosenKind({ of, href }: { readonly of: string | undefined; readonly href: string }) {
  if (of === undefined || of === '') return null;
  return (
    <p>
      <ChosenFilter text={eventText(of)} without="all kinds" href={href} />
    </p>
  );
}

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
    cell: (change) => resultOf(change),
    value: (change) => resultText(change) ?? withTap(change, activityText),
  },
  {
    title: 'By',
    name: 'actor',
    cell: ({ actor }) => staffName(actor),
    value: ({ actor }) => actorName(actor),
  },
  { name: 'request_id' },
  { name: 'recorded_at', value: (change) => instantsOf(change).recorded_at },
];

function resultOf(change: ListedChange): ComponentChild {
  return resultText(change) ?? withTap(change, (tap) => <TapResult of={tap} />);
}

/** The result of a change that is no tap. */
function resultText(change: ListedChange): string | undefined {
  return (
    accessText(change) ??
    overrideText(change) ??
    newHoursText(change) ??
    factsText(change) ??
    settingResultText(change, change.currency) ??
    staffResultText(change)
  );
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

/** Whether staff let in or locked out. Undefined for any other event. */
function overrideText({ type, data }: Change): string | undefined {
  if (type !== 'AccessOverridden') return undefined;
  return capitalized(OVERRIDES[data['override'] as OverrideValue].label);
}

/** What a change of hours changed. Undefined for any other event. */
function newHoursText({ type, data, before }: Change): string | undefined {
  if (type === 'EntryPointHoursChanged') return gateHoursText(data['hours'] as unknown as EntryPointHours);
  if (type !== 'LocationHoursChanged' || before === undefined) return undefined;
  const after = data['access_hours'] as unknown as AccessHours | null;
  return changesText(hoursChanges(before['access_hours'] as unknown as AccessHours | null, after));
}

/** The facts that a PMS changed: `Balance: $102.00; Paid through: Nov 1, 2026`. Undefined for any other event. */
function factsText({ type, data, currency }: ListedChange): string | undefined {
  if (type !== 'UnitFactsChanged') return undefined;
  return Object.entries(data)
    .map(([name, value]) => `${capitalized(fieldText(name))}: ${valueText(name, value, currency)}`)
    .join('; ');
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

/** Rows of a page, which goes on to the end of its last action. */
const STAFF_PAGE = 500;

/** The instants of days in the zone that most locations have. @throws ApiError 422 */
function rangeOfDays(first: string | undefined, last: string | undefined, zone: string) {
  const from_day = dateIn('from_day', first);
  const to_day = dateIn('to_day', last);
  if (from_day !== undefined && to_day !== undefined && to_day < from_day)
    throw invalidField('to_day', 'out_of_range', 'The last day must not be before the first.');
  const startOf = (date: string) => toTimestamp(Date.parse(localInstant(`${date}T00:00`, zone)));
  return {
    ...(from_day !== undefined && { from: startOf(from_day) }),
    ...(to_day !== undefined && { to: startOf(laterBy(to_day, 1)) }),
  };
}

/** Undefined: it was not chosen. @throws ApiError 422 */
function dateIn(field: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (isCalendarDate(text)) return text;
  throw invalidField(field, 'format', `The ${field.replace('_', ' ')} field must be a date.`);
}

function titleOf(query: ListQuery): string {
  const { type } = query;
  if (isOfStaff(query)) return type ? `${eventText(type)}, by staff` : 'What staff did';
  return type === undefined
    ? 'What changed in the last 24 hours'
    : `${eventText(type)}, in the last 24 hours`;
}
