import type { ResultOf } from '#kernel/result-of.js';
import type { CompanyAdministration, Today, TodayQuery } from '#api/operator/index.js';
import { companyPath, locationPath, tenantPath } from '../links/paths.js';
import { type ZoneOfLocation } from '../frame/company-frame.js';
import { Choice } from '../parts/choice.js';
import { Empty, None, Section, Table } from '../parts/layout.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { StateMark } from '../parts/states.js';
import { Instant, KNOWN_SINCE, LockedOutSince } from '../parts/times.js';
import { withQuery } from '../links/with-query.js';
import { amountText, countText } from '../parts/words.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { NOT_YET } from '../site/unit-filter.js';
import { UnitLink } from '../parts/unit-link.js';

type InAuction = Today['in_auction']['first'][number];
type LockedOut = Pick<Today['locked_out']['first'][number], 'locked_out_since'>;

export interface ToCallProps {
  readonly company: ResultOf<CompanyAdministration['readCompany']>;
  readonly today: Today;
  /** The filter of the list. */
  readonly wanted: TodayQuery;
  readonly zoneIn: ZoneOfLocation;
}

/** Whom to call: the units that are locked out, and those in auction. */
export function ToCall(props: ToCallProps) {
  const { locked_out, in_auction } = props.today;
  const path = `${companyPath(props.company.company_id)}/units`;
  return (
    <>
      {locked_out.units === 0 ? null : (
        <Section title="To call" id="to-call">
          <CallFilter {...props} />
          {locked_out.first.length === 0 ? (
            <Empty>No match.</Empty>
          ) : (
            <UnitsOf
              {...props}
              caption="Locked-out units, the most owed first"
              state="tenant_denied"
              rows={locked_out.first}
            />
          )}
          <NextToCall {...props} />
          <WholeList {...props} />
        </Section>
      )}
      {in_auction.first.length === 0 ? null : (
        <Section title="In auction">
          <UnitsOf
            {...props}
            caption="Units in auction, the most owed first"
            state="auction"
            rows={in_auction.first}
          />
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

/** Narrows the list to a location and a reason. */
function CallFilter({ company: { company_id, locations }, today: { denied }, wanted }: ToCallProps) {
  const sites = locations.map(({ location_id, name }) => [location_id, name] as const);
  const reasons = denied
    .filter(({ reason }) => reason !== NOT_YET)
    .map(({ reason }) => [reason, capitalized(reasonText(reason))] as const);
  if (sites.length < 2 && reasons.length < 2) return null;
  return (
    <form class="form line" method="get" action="/dashboard#to-call" id="form-call">
      <input type="hidden" name="company_id" value={company_id} />
      {sites.length < 2 ? null : (
        <Choice name="location_id" label="Location" options={[ALL, ...sites]} chosen={wanted.location_id} />
      )}
      {reasons.length < 2 ? null : (
        <Choice name="reason" label="Reason" options={[ALL, ...reasons]} chosen={wanted.reason} />
      )}
      <button class="quiet">Filter</button>
    </form>
  );
}

interface UnitsOfProps extends Pick<ToCallProps, 'company' | 'zoneIn'> {
  readonly caption: string;
  readonly state: 'tenant_denied' | 'auction';
  readonly rows: readonly (InAuction & LockedOut)[];
}

/** Each row names its location, if the company has several. */
function UnitsOf({ caption, state, rows, company, zoneIn }: UnitsOfProps) {
  const isLockedOut = state === 'tenant_denied';
  const since = isLockedOut ? [KNOWN_SINCE] : [];
  const hasLocations = company.locations.length > 1;
  const location = hasLocations ? ['Location'] : [];
  const head = [
    'Tenant',
    'Phone',
    'Unit',
    ...location,
    'Access',
    'Owed',
    'Days late',
    ...since,
    'Last refused',
  ];
  const shownRows = rows.map((one) => ({
    key: one.unit_id,
    cells: [
      <a href={tenantPath(one.tenant_id)}>{one.tenant_name ?? 'Unknown'}</a>,
      <PhoneLink phone={one.phone} />,
      <UnitLink unit={one} />,
      ...(hasLocations ? [<a href={locationPath(one.location_id)}>{one.location_name}</a>] : []),
      <StateMark state={state} reason={one.reason} />,
      amountText(one.balance_due, one.currency),
      one.days_late ?? <None>not late</None>,
      ...(isLockedOut
        ? [
            <LockedOutSince
              access={{ state, reason: one.reason }}
              at={one.locked_out_since}
              zone={zoneIn(one.location_id)}
            />,
          ]
        : []),
      <Instant at={one.last_refused_at} zone={zoneIn(one.location_id)} />,
    ],
  }));
  return <Table caption={caption} head={head} rows={shownRows} />;
}
