import type { DataOf } from '../../http/index.js';
import type { CompaniesController, Today } from '../../operator/index.js';
import { companyPath } from '../companies/company-frame.js';
import { locationPath } from '../locations/location-frame.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { reasonText } from '../parts/labels.js';
import { Instant } from '../parts/times.js';
import { amountText, countText } from '../parts/words.js';
import { everyDate, laterBy } from '../pictures/columns.js';
import { DayColumns } from '../pictures/day-columns.js';
import { unitPath } from '../units/unit-list.js';

interface PictureProps {
  readonly company: DataOf<CompaniesController['one']>;
  readonly today: Today;
  readonly zone: string;
  /** The local date. */
  readonly date: string;
}

/** Who is locked out now, why, and what the next days bring. */
export function TodayPicture(props: PictureProps) {
  return (
    <>
      <div class="grid">
        <LockedOut {...props} />
        <NextDays {...props} />
      </div>
      <ToCall {...props} />
    </>
  );
}

function LockedOut({ company: { company_id }, today: { locked_out, denied } }: PictureProps) {
  const { tenants, units, owed } = locked_out;
  const path = `${companyPath(company_id)}/units?state=tenant_denied`;
  if (units === 0) {
    return (
      <Section title="Locked out now">
        <Empty>Nobody is locked out.</Empty>
      </Section>
    );
  }
  return (
    <Section title="Locked out now">
      <dl class="figures">
        <Figure name={tenants === 1 ? 'Tenant' : 'Tenants'} value={tenants.toLocaleString('en-US')} />
        <Figure name={units === 1 ? 'Unit' : 'Units'} value={units.toLocaleString('en-US')} />
        <Figure name="Owed" value={amountText(owed)} />
      </dl>
      <ul class="bars">
        {denied.map(({ reason, units: count }) => (
          <li key={reason}>
            <a href={`${path}&reason=${reason}`}>{`${countText(count, 'unit')}: ${reasonText(reason)}`}</a>
            <Bar share={count / units} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** @param share from 0 to 1 */
function Bar({ share }: { readonly share: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="10" />
      <rect class="column" width={Math.max(share * 100, 1)} height="10" />
    </svg>
  );
}

function NextDays({ today: { losing_access }, date }: PictureProps) {
  const { days, locations, dates } = losing_access;
  const counted = dates.map((one) => ({ date: one.date, count: one.units }));
  return (
    <Section title={`Will lose access in the next ${days} days`}>
      {locations.length === 0 ? (
        <Empty>No lockouts expected.</Empty>
      ) : (
        <>
          <DayColumns
            label="Lockouts expected by day"
            counted={everyDate(laterBy(date, dates[0]?.date === date ? 0 : 1), days, counted)}
            one="lockout"
          />
          <ul class="numbers">
            {locations.map(({ location_id, name, units }) => (
              <li key={location_id}>
                <a
                  href={`${locationPath(location_id)}/forecast`}
                >{`${countText(units, 'unit')} at ${name}`}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function ToCall({ company: { company_id }, today: { locked_out }, zone }: PictureProps) {
  const { first, units } = locked_out;
  if (first.length === 0) return null;
  const rows = first.map((one) => ({
    key: one.unit_id,
    cells: [
      <a href={`/dashboard/tenants/${one.tenant_id}`}>{one.tenant_name ?? 'Unknown'}</a>,
      one.phone === null ? <span class="none">none</span> : <a href={`tel:${one.phone}`}>{one.phone}</a>,
      <a href={unitPath(one.unit_id)}>{one.unit_name}</a>,
      amountText(one.balance_due),
      one.days_late ?? <span class="none">not late</span>,
      <Instant at={one.last_refused_at} zone={zone} />,
    ],
  }));
  const head = ['Tenant', 'Phone', 'Unit', 'Owed', 'Days late', 'Last tap refused'];
  return (
    <Section title="To call">
      <Table caption="Locked-out units, the most owed first" head={head} rows={rows} />
      {units > first.length ? (
        <p>
          <a href={`${companyPath(company_id)}/units?state=tenant_denied`}>
            All {countText(units, 'locked-out unit')}
          </a>
        </p>
      ) : null}
    </Section>
  );
}
