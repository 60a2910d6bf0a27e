import type { OperatorRole } from '#kernel/principals.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { CompanyAdministration, Today, TodayQuery } from '#api/operator/index.js';
import { companyPath, locationPath, tenantPath } from '../links/paths.js';
import { type ZoneOfLocation } from '../frame/company-frame.js';
import { Empty, None, Section, Table, Tabs } from '../parts/layout.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { ExportCsv } from '../parts/list-card.js';
import { mayDo } from '../parts/roles.js';
import { SiteMenu } from '../parts/site-menu.js';
import { withQuery } from '../links/with-query.js';
import { amountText, countText } from '../parts/words.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { NOT_YET } from '../site/unit-filter.js';
import { UnitLink } from '../parts/unit-link.js';
import { CallRow } from './call-row.js';

type InAuction = Today['in_auction']['first'][number];

export interface ToCallProps {
  readonly company: ResultOf<CompanyAdministration['readCompany']>;
  readonly role: OperatorRole;
  readonly today: Today;
  /** The filter of the list. */
  readonly wanted: TodayQuery;
  readonly zoneIn: ZoneOfLocation;
}

/** Whom to call: the units that are locked out. */
export function ToCall(props: ToCallProps) {
  const { locked_out } = props.today;
  if (locked_out.units === 0)
    return (
      <Section title="To call" id="to-call">
        <Empty>Nobody is locked out.</Empty>
      </Section>
    );
  return (
    <section class="card bare" id="to-call" aria-labelledby="to-call-head">
      <div class="card-head">
        <h2 id="to-call-head">To call</h2>
        <span class="count">{countsText(locked_out)}</span>
        <ExportCsv path={listPath(props, 'units.csv')} />
      </div>
      <Reasons {...props} />
      {locked_out.first.length === 0 ? (
        <div class="card-body">
          <Empty>No match.</Empty>
        </div>
      ) : (
        <CallList {...props} />
      )}
      <Foot {...props} />
    </section>
  );
}

/** `62 left, 1 called`; while nobody was called, `63 units`. */
function countsText({ units, called_units }: Today['locked_out']): string {
  if (called_units === 0) return countText(units, 'unit');
  return `${(units - called_units).toLocaleString('en-US')} left, ${called_units.toLocaleString('en-US')} called`;
}

/** Rented units in auction. */
export function Auction(props: ToCallProps) {
  const { in_auction } = props.today;
  const path = `${companyPath(props.company.company_id)}/units`;
  return (
    <>
      {in_auction.first.length === 0 ? null : (
        <Section title="In auction">
          <AuctionUnits company={props.company} rows={in_auction.first} />
          {in_auction.units > in_auction.first.length ? (
            <p>
              <a href={`${path}?state=auction`}>{`All ${countText(in_auction.units, 'unit')} in auction`}</a>
            </p>
          ) : null}
        </Section>
      )}
    </>
  );
}

/** The list of all units that the filter finds. */
function listPath({ company: { company_id }, wanted }: ToCallProps, list: 'units' | 'units.csv'): string {
  const { location_id, reason } = wanted;
  return withQuery(`${companyPath(company_id)}/${list}`, { state: 'tenant_denied', location_id, reason });
}

/** Which of the units are shown, and the way to the others. */
function Foot(props: ToCallProps) {
  const { company, today, wanted } = props;
  const { first, next_skip, units } = today.locked_out;
  const { location_id, reason, skip = 0 } = wanted;
  const isAll = location_id === undefined && reason === undefined;
  if (isAll && next_skip === null && skip === 0) return null;
  const query = { company_id: company.company_id, location_id, reason, skip: String(next_skip) };
  const last = skip + first.length;
  return (
    <div class="card-foot">
      <span>{`${first.length === 0 ? 0 : skip + 1} to ${last}${isAll ? ` of ${units.toLocaleString('en-US')}` : ''}`}</span>
      <span class="acts">
        <a class="button small" href={wholeList(props)}>
          Show all
        </a>
        {next_skip === null ? null : (
          <a class="button small" href={`${withQuery('/dashboard', query)}#to-call`} rel="next">
            Next page
          </a>
        )}
      </span>
    </div>
  );
}

/** A location's table can be sorted by what is owed, but it knows no reasons. */
function wholeList(props: ToCallProps): string {
  const { location_id, reason } = props.wanted;
  if (location_id === undefined || reason !== undefined) return listPath(props, 'units');
  return `${locationPath(location_id)}/table?state=tenant_denied&sort=-balance`;
}

/** Narrows the list to a reason. */
function Reasons({ company: { company_id }, today: { denied, locked_out }, wanted }: ToCallProps) {
  const reasons = denied.filter(({ reason }) => reason !== NOT_YET);
  if (reasons.length < 2) return null;
  const { location_id, reason } = wanted;
  const pathOf = (one: string | undefined) =>
    `${withQuery('/dashboard', { company_id, location_id, reason: one })}#to-call`;
  const chip = (one: string | undefined, text: string, units: number) =>
    [
      pathOf(one),
      <>
        {text} <b>{units.toLocaleString('en-US')}</b>
      </>,
    ] as const;
  return (
    <Tabs
      kind="chips"
      label="Reason"
      of={[
        chip(undefined, 'All', locked_out.units),
        ...reasons.map((one) => chip(one.reason, capitalized(reasonText(one.reason)), one.units)),
      ]}
      current={pathOf(reason)}
    />
  );
}

type SiteChoiceProps = Pick<ToCallProps, 'company' | 'wanted'>;

/** Narrows the list to a site. */
export function SiteChoice({ company: { company_id, locations }, wanted }: SiteChoiceProps) {
  const { location_id, reason } = wanted;
  const pathOf = (one: string | undefined) =>
    `${withQuery('/dashboard', { company_id, location_id: one, reason })}#to-call`;
  return <SiteMenu label="Whom to call, by site" sites={locations} chosen={location_id} pathOf={pathOf} />;
}

function CallList({ company, role, today, wanted, zoneIn }: ToCallProps) {
  const { location_id, reason } = wanted;
  const acts = mayDo(role, 'manager') ? { company_id: company.company_id, location_id, reason } : undefined;
  return (
    <table class="work">
      <caption class="unseen">Locked-out units, the most owed first, those who were called last</caption>
      <thead>
        <tr>
          <th scope="col">Tenant</th>
          <th scope="col">Unit</th>
          <th scope="col">Why</th>
          <th scope="col" class="number off">
            Late
          </th>
          <th scope="col" class="number">
            Owed
          </th>
          <th scope="col" class="hold">
            <span class="unseen">To do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {today.locked_out.first.map((one) => (
          <CallRow
            key={one.unit_id}
            of={one}
            zone={zoneIn(one.location_id)}
            hasSites={company.locations.length > 1}
            acts={acts}
          />
        ))}
      </tbody>
    </table>
  );
}

interface AuctionUnitsProps extends Pick<ToCallProps, 'company'> {
  readonly rows: readonly InAuction[];
}

/** Each row names its site, if the company has several. */
function AuctionUnits({ rows, company }: AuctionUnitsProps) {
  const hasLocations = company.locations.length > 1;
  const head = ['Tenant', 'Phone', 'Unit', 'Owed', 'Days late'];
  const shownRows = rows.map((one) => ({
    key: one.unit_id,
    cells: [
      <a href={tenantPath(one.tenant_id)}>{one.tenant_name ?? 'Unknown'}</a>,
      <PhoneLink phone={one.phone} />,
      <>
        <UnitLink unit={one} /> {hasLocations ? <span class="soft">{one.location_name}</span> : null}
      </>,
      amountText(one.balance_due, one.currency),
      one.days_late ?? <None>not late</None>,
    ],
  }));
  return <Table caption="Units in auction, the most owed first" head={head} rows={shownRows} />;
}
