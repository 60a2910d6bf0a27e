import { visitsOf } from '#domain/history/index.js';
import type { Today } from '#api/operator/index.js';
import { alarmText } from '../activity/activity-text.js';
import type { ZoneOfLocation } from '../frame/company-frame.js';
import { companyPath, gatePath, tenantPath } from '../links/paths.js';
import { newestFirst, reportedInstant } from '../parts/happened.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { Instant, Recent } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';
import { countText } from '../parts/words.js';
import { isCutShort } from './cut-short.js';

type Opening = Today['denied_openings']['first'][number] & { readonly at: number };

interface AlarmsProps {
  readonly company: { readonly company_id: string; readonly created_at: string };
  readonly today: Today;
  readonly zone: string;
  readonly zoneIn: ZoneOfLocation;
}

/** Openings by tenants who were denied at that instant. A visit at gate, lobby and door is one row. */
export function Alarms(props: AlarmsProps) {
  const {
    company: { company_id },
    today,
    zone,
    zoneIn,
  } = props;
  const { openings, first } = today.denied_openings;
  const taps = newestFirst(first).map((one): Opening => ({ ...one, at: reportedInstant(one) }));
  const visits = visitsOf(taps, ({ denied_units }) => alarmText(denied_units));
  const now = Date.parse(today.at);
  return (
    <Section title="Opened while locked out" id="openings">
      {openings === 0 ? (
        <Empty>{isCutShort(props) ? 'None was found.' : 'None in the last 24 hours.'}</Empty>
      ) : (
        <>
          <Table
            caption="Openings while locked out, newest first"
            head={['Tenant', 'Times', 'Where', 'Last']}
            rows={visits.map((visit) => ({
              key: visit[0]!.log_id,
              cells: cellsOf(visit, zoneIn(visit[0]!.location_id), now),
            }))}
          />
          <p class="hint">
            {countText(openings, 'opening')} in the last 24 hours. {keyText(first)}
            {first.some(({ had_key }) => had_key)
              ? 'A key given out before a lockout works until it expires. '
              : ''}
            {openings > first.length ? (
              <a href={`${companyPath(company_id)}/changes`}>{`The newest ${first.length} of ${openings}`}</a>
            ) : null}
          </p>
        </>
      )}
      {isCutShort(props) ? (
        <p class="hint">
          Only taps since <Instant at={today.changes.since} zone={zone} /> were checked: too much has happened
          since. Earlier taps are on the pages of units and gates.
        </p>
      ) : null}
    </Section>
  );
}

/** What to do about openings with no key of this service. */
function keyText(openings: readonly { readonly had_key: boolean }[]): string {
  if (openings.every(({ had_key }) => had_key)) return '';
  const which = openings.some(({ had_key }) => had_key) ? 'the others' : 'these';
  return `No key was given out for ${which}: find out what opened the doors. `;
}

function cellsOf(visit: readonly Opening[], zone: string, now: number) {
  const [newest] = visit as [Opening];
  const { tenant_id, tenant_name, denied_units } = newest;
  const what = alarmText(denied_units);
  return [
    <>
      <a href={tenantPath(tenant_id)}>{tenant_name ?? 'Unknown'}</a>{' '}
      {denied_units.map((unit) => (
        <UnitLink key={unit.unit_id} unit={unit} />
      ))}
      {what === alarmText([]) ? null : <span class="sub">{what}</span>}
    </>,
    String(visit.length),
    <>
      <Places of={visit} />
      {visit.every(({ had_key }) => had_key) ? (
        <span class="sub">Key given out before the lockout</span>
      ) : null}
    </>,
    <Recent at={newest.at} zone={zone} now={now} />,
  ];
}

/** The locks and gates in the order in which they were opened, each once. */
function Places({ of }: { readonly of: readonly Opening[] }) {
  const places = new Map(
    of
      .toReversed()
      .map(({ entry_point_id, lock_id, name }) => [entry_point_id ?? lock_id, { entry_point_id, name }]),
  );
  return (
    <>
      {[...places.values()].map(({ entry_point_id, name }, index) => (
        <>
          {index === 0 ? '' : ', '}
          {entry_point_id === undefined ? name : <a href={gatePath(entry_point_id)}>{name}</a>}
        </>
      ))}
    </>
  );
}
