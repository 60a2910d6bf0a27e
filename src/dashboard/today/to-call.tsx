import type { OperatorRole } from '#kernel/principals.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { CompanyAdministration, Today, TodayQuery } from '#api/operator/index.js';
import { companyPath, locationPath, tenantPath } from '../links/paths.js';
import { type ZoneOfLocation } from '../frame/company-frame.js';
import { Choice } from '../parts/choice.js';
import { Empty, None, Section, Table, Tabs } from '../parts/layout.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { mayDo } from '../parts/roles.js';
import { Instant } from '../parts/times.js';
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
    <Section title="To call" id="to-call">
      <CallFilter {...props} />
      {locked_out.first.length === 0 ? <Empty>No match.</Empty> : <CallList {...props} />}
      <NextToCall {...props} />
      <WholeList {...props} />
    </Section>
  );
}

/** Rented units in auction. */
export function Auction(props: ToCallProps) {
  const { in_auction } = props.today;
  const path = `${companyPath(props.company.company_id)}/units`;
  return (
    <>
      {in_auction.first.length === 0 ? null : (
        <Section title="In auction">
          <AuctionUnits {...props} rows={in_auction.first} />
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

function NextToCall({ company: { company_id }, today: { locked_out }, wanted }: ToCallProps) {
  const { next_skip } = locked_out;
  if (next_skip === null) return null;
  const { location_id, reason } = wanted;
  const query = { company_id, location_id, reason, skip: String(next_skip) };
  return (
    <p class="next">
      <a href={`${withQuery('/dashboard', query)}#to-call`} rel="next">
        Next page
      </a>
    </p>
  );
}

/** Leads to all units that the filter finds. */
function WholeList({ company: { company_id }, today: { locked_out }, wanted }: ToCallProps) {
  const { location_id, reason } = wanted;
  const list = withQuery(`${companyPath(company_id)}/units`, { state: 'tenant_denied', location_id, reason });
  if (location_id === undefined && reason === undefined) {
    if (locked_out.units <= locked_out.first.length) return null;
    return (
      <p>
        <a href={list}>{`All ${countText(locked_out.units, 'locked-out unit')}`}</a>
      </p>
    );
  }
  // A location's table can be sorted by what is owed, but it knows no reasons.
  const table = location_id && `${locationPath(location_id)}/table?state=tenant_denied&sort=-balance`;
  return (
    <p>
      <a href={reason === undefined ? table : list}>The whole list</a>
    </p>
  );
}

const ALL = ['', 'All'] as const;

/** Narrows the list to a reason and a location. */
function CallFilter({ company: { company_id, locations }, today: { denied }, wanted }: ToCallProps) {
  const sites = locations.map(({ location_id, name }) => [location_id, name] as const);
  const reasons = denied.filter(({ reason }) => reason !== NOT_YET);
  const { location_id, reason } = wanted;
  const pathOf = (one: string | undefined) =>
    `${withQuery('/dashboard', { company_id, location_id, reason: one })}#to-call`;
  const chips = reasons.map((one) => {
    const text = (
      <>
        {capitalized(reasonText(one.reason))} <b>{one.units.toLocaleString('en-US')}</b>
      </>
    );
    return [pathOf(one.reason), text] as const;
  });
  return (
    <>
      {reasons.length < 2 ? null : (
        <Tabs
          kind="chips"
          label="Reason"
          of={[[pathOf(undefined), 'All'], ...chips]}
          current={pathOf(reason)}
        />
      )}
      {sites.length < 2 ? null : (
        <form class="form line" method="get" action="/dashboard#to-call" id="form-call">
          <input type="hidden" name="company_id" value={company_id} />
          {reason === undefined ? null : <input type="hidden" name="reason" value={reason} />}
          <Choice name="location_id" label="Location" options={[ALL, ...sites]} chosen={location_id} />
          <button class="quiet">Filter</button>
        </form>
      )}
    </>
  );
}

/** Those who were called stand at the end. */
function CallList({ company, role, today, wanted, zoneIn }: ToCallProps) {
  const { location_id, reason } = wanted;
  const acts = mayDo(role, 'manager') ? { company_id: company.company_id, location_id, reason } : undefined;
  const { first } = today.locked_out;
  const rows = [...first.filter(({ called }) => called === null), ...first.filter(({ called }) => called)];
  return (
    <div class="scroll" role="region" aria-label="Whom to call" tabIndex={0}>
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
          {rows.map((one) => (
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
    </div>
  );
}

interface AuctionUnitsProps extends Pick<ToCallProps, 'company' | 'zoneIn'> {
  readonly rows: readonly InAuction[];
}

/** Each row names its site, if the company has several. */
function AuctionUnits({ rows, company, zoneIn }: AuctionUnitsProps) {
  const hasLocations = company.locations.length > 1;
  const location = hasLocations ? ['Location'] : [];
  const head = ['Tenant', 'Phone', 'Unit', ...location, 'Owed', 'Days late', 'Last refused'];
  const shownRows = rows.map((one) => ({
    key: one.unit_id,
    cells: [
      <a href={tenantPath(one.tenant_id)}>{one.tenant_name ?? 'Unknown'}</a>,
      <PhoneLink phone={one.phone} />,
      <UnitLink unit={one} />,
      ...(hasLocations ? [<a href={locationPath(one.location_id)}>{one.location_name}</a>] : []),
      amountText(one.balance_due, one.currency),
      one.days_late ?? <None>not late</None>,
      <Instant at={one.last_refused_at} zone={zoneIn(one.location_id)} />,
    ],
  }));
  return <Table caption="Units in auction, the most owed first" head={head} rows={shownRows} />;
}
