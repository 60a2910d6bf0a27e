import type { Today } from '#api/operator/index.js';
import { companyPath, locationPath } from '../links/paths.js';
import { Empty, Section } from '../parts/layout.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { Ago } from '../parts/times.js';
import { countText } from '../parts/words.js';
import { type Counted, everyDate, laterBy } from '../pictures/columns.js';
import { DayColumns } from '../pictures/day-columns.js';
import { NOT_YET } from '../site/unit-filter.js';
import { isCounted } from './counted.js';
import type { ToCallProps } from './to-call.js';

export interface PictureProps extends ToCallProps {
  readonly zone: string;
  /** The local date. */
  readonly date: string;
}

const perDate = (dates: Today['lost_access']['dates']): Counted[] =>
  dates.map(({ date, units }) => ({ date, count: units }));

/** Lockouts of the last and the next days, and the reasons of those that stand. */
export function Lockouts(props: PictureProps) {
  const { at, lost_access, losing_access } = props.today;
  const { days, locations, dates } = losing_access;
  const isKnown = isCounted(props.today);
  return (
    <Section title="Lockouts by day" id="lockouts">
      {isKnown ? (
        <figure>
          <Columns {...props} />
          <figcaption class="key">
            <span>
              <i class="swatch bad" />
              Locked out
            </span>
            <span>
              <i class="swatch coming" />
              Expected
            </span>
          </figcaption>
        </figure>
      ) : (
        <p class="soft">{`The last ${lost_access.days} days are being counted. Load the page again in a minute.`}</p>
      )}
      {dates.length === 0 ? <Empty>No lockouts expected in the next {days} days.</Empty> : null}
      {locations.map(({ location_id, name, units }) => (
        <p key={location_id} class="hint">
          <a href={`${locationPath(location_id)}/forecast`}>
            {`${countText(units, 'unit')} at ${name} will lose access`}
          </a>{' '}
          by its <a href={`${locationPath(location_id)}/policy`}>policy</a>
        </p>
      ))}
      <Reasons {...props} />
      {isKnown && lost_access.counted_at !== null ? (
        <p class="hint">
          Counted <Ago at={lost_access.counted_at} now={at} zone={props.zone} />. Units that arrived locked
          out are not counted.
        </p>
      ) : null}
    </Section>
  );
}

function Columns({ today: { lost_access, losing_access }, date }: PictureProps) {
  const { days, dates } = losing_access;
  const past = everyDate(laterBy(date, -lost_access.days), lost_access.days + 1, perDate(lost_access.dates));
  const coming = everyDate(laterBy(date, 1), days, perDate(dates));
  return <DayColumns label="Lockouts by day" counted={[...past, ...coming]} one="lockout" today={date} />;
}

/** Locked-out units by reason, and units that do not open for another one. */
function Reasons({ company: { company_id }, today: { locked_out, denied, in_auction } }: PictureProps) {
  const path = `${companyPath(company_id)}/units`;
  const locking = denied.filter(({ reason }) => reason !== NOT_YET);
  const besides = denied.filter(({ reason }) => reason === NOT_YET);
  const most = Math.max(locked_out.units, in_auction.units, ...besides.map(({ units }) => units));
  const pathOf = (reason: string) => `${path}?state=tenant_denied&reason=${reason}`;
  const rows = [
    ...locking.map(({ reason, units }) => ({
      text: capitalized(reasonText(reason)),
      href: pathOf(reason),
      units,
      tone: 'bad',
    })),
    ...besides.map(({ reason, units }) => ({
      text: `${capitalized(reasonText(reason))}, not counted above`,
      href: pathOf(reason),
      units,
      tone: 'calm',
    })),
  ];
  const auction = {
    text: 'In auction, not counted above',
    href: `${path}?state=auction`,
    units: in_auction.units,
    tone: 'warn',
  };
  const shown = in_auction.units === 0 ? rows : [...rows, auction];
  if (shown.length === 0) return null;
  return (
    <ul class="reasons">
      {shown.map(({ text, href, units, tone }) => (
        <li key={href}>
          <a href={href}>{text}</a>
          <span>{countText(units, 'unit')}</span>
          <svg class="share-bar" aria-hidden="true">
            <rect class="share-track" width="100%" height="100%" />
            <rect
              class={`share-fill ${tone}`}
              width={`${Math.max((units / most) * 100, 1)}%`}
              height="100%"
            />
          </svg>
        </li>
      ))}
    </ul>
  );
}
