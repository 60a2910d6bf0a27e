import type { Today } from '#api/operator/index.js';
import { companyPath, locationPath } from '../links/paths.js';
import { Empty, Section } from '../parts/layout.js';
import { reasonText } from '../parts/labels.js';
import { Ago } from '../parts/times.js';
import { countText } from '../parts/words.js';
import { type Counted, everyDate, laterBy, mostOf } from '../pictures/columns.js';
import { DayColumns } from '../pictures/day-columns.js';
import { NOT_YET } from '../site/unit-filter.js';
import type { ToCallProps } from './to-call.js';

export interface PictureProps extends ToCallProps {
  readonly zone: string;
  /** The local date. */
  readonly date: string;
}

/** Locked-out units by reason. */
export function Reasons({
  company: { company_id },
  today: { locked_out, denied, in_auction },
}: PictureProps) {
  const { units } = locked_out;
  const path = `${companyPath(company_id)}/units`;
  const locking = denied.filter(({ reason }) => reason !== NOT_YET);
  const besides = denied.filter(({ reason }) => reason === NOT_YET);
  const most = Math.max(units, in_auction.units, ...besides.map((one) => one.units));
  return (
    <Section title="By reason">
      <ul class="bars">
        {[...locking, ...besides].map(({ reason, units: count }) => (
          <li key={reason}>
            <a href={`${path}?state=tenant_denied&reason=${reason}`}>
              {`${countText(count, 'unit')}: ${reasonText(reason)}${reason === NOT_YET ? ' (not counted above)' : ''}`}
            </a>
            <Bar share={count / most} {...(reason === NOT_YET && { kind: 'column early' })} />
          </li>
        ))}
        {in_auction.units === 0 ? null : (
          <li>
            <a
              href={`${path}?state=auction`}
            >{`${countText(in_auction.units, 'unit')}: in auction (not counted above)`}</a>
            <Bar share={in_auction.units / most} kind="column auction" />
          </li>
        )}
      </ul>
    </Section>
  );
}

/** @param share from 0 to 1 */
function Bar({ share, kind = 'column' }: { readonly share: number; readonly kind?: string }) {
  return (
    <svg class="share-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="share-track" width="100" height="10" />
      <rect class={kind} width={Math.max(share * 100, 1)} height="10" />
    </svg>
  );
}

const perDate = (dates: Today['lost_access']['dates']): Counted[] =>
  dates.map(({ date, units }) => ({ date, count: units }));

/** Lockouts of the last and the next days. */
export function Lockouts({ today: { at, lost_access, losing_access }, date, zone }: PictureProps) {
  const { days, locations, dates } = losing_access;
  const past = everyDate(laterBy(date, -lost_access.days), lost_access.days + 1, perDate(lost_access.dates));
  const begins = laterBy(date, dates[0]?.date === date ? 0 : 1);
  const coming = everyDate(begins, days, perDate(dates));
  const picture = { one: 'lockout', most: mostOf([...past, ...coming]), today: date };
  return (
    <Section title="Lockouts by day" id="lockouts">
      <div class="columns-row">
        {lost_access.counted_at === null ? (
          <p class="soft">{`The last ${lost_access.days} days are still being counted. Load the page again in a minute.`}</p>
        ) : (
          <figure>
            <DayColumns label="Lockouts by day, to today" counted={past} {...picture} />
            <figcaption>
              {`Last ${lost_access.days} days and today, counted `}
              <Ago at={lost_access.counted_at} now={at} zone={zone} />. Units that arrived locked out are not
              counted.
            </figcaption>
          </figure>
        )}
        <figure class="expected">
          {dates.length === 0 ? (
            <Empty>No lockouts expected.</Empty>
          ) : (
            <DayColumns label="Lockouts expected by day" counted={coming} {...picture} expected />
          )}
          <figcaption>{`Next ${days} days`}</figcaption>
        </figure>
      </div>
      {locations.length === 0 ? null : (
        <ul class="numbers">
          {locations.map(({ location_id, name, units }) => (
            <li key={location_id}>
              <a href={`${locationPath(location_id)}/forecast`}>
                {`${countText(units, 'unit')} at ${name} will lose access`}
              </a>{' '}
              by its <a href={`${locationPath(location_id)}/policy`}>policy</a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
