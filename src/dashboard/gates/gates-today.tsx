import { gatePath, tenantPath } from '../links/paths.js';
import type { ZoneOfLocation } from '../frame/company-frame.js';
import { alarmText, type TapKind } from '../activity/activity-text.js';
import { UnitLink } from '../parts/unit-link.js';
import { Recent } from '../parts/times.js';
import { HourColumns } from '../pictures/hour-columns.js';
import type { GatesToday, Visit } from './gates-today.reader.js';

interface GatesTodayCardProps {
  readonly today: GatesToday;
  readonly zoneIn: ZoneOfLocation;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  /** The page of all gates. Absent: this is the page. */
  readonly path?: string;
}

/** Taps by hour, and who came last. */
export function GatesTodayCard({ today: { hours, visits }, zoneIn, now, path }: GatesTodayCardProps) {
  const sum = (count: 'opened' | 'others') => hours.reduce((all, hour) => all + hour[count], 0);
  return (
    <section class="card bare" aria-labelledby="gates-today">
      <div class="card-head">
        <h2 id="gates-today">Gates today</h2>
        <span class="count">
          {sum('opened').toLocaleString('en-US')} opened, {sum('others').toLocaleString('en-US')} not
        </span>
        {path === undefined ? null : (
          <a class="button ghost small end" href={path}>
            All gates
          </a>
        )}
      </div>
      <div class="card-body">
        <HourColumns hours={hours} label="Taps at gates today, by hour" />
        <p class="key">
          <span>
            <i class="swatch good" />
            Opened
          </span>
          <span>
            <i class="swatch bad" />
            Denied or failed
          </span>
        </p>
        {visits.length === 0 ? <p class="soft small">Nobody tapped at a gate today.</p> : null}
      </div>
      {visits.length === 0 ? null : (
        <ul class="entries">
          {visits.map((visit) => (
            <VisitRow
              key={`${visit.tenant_id} ${visit.at}`}
              of={visit}
              zone={zoneIn(visit.location_id)}
              now={now}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

const TEXTS: Readonly<Record<Exclude<TapKind, 'alarm'>, string>> = {
  opened: 'opened',
  refused: 'denied',
  failed: 'failed',
};

function VisitRow({ of, zone, now }: { readonly of: Visit; readonly zone: string; readonly now: number }) {
  const { kind, denied_units, gates, tenant, tenant_id, at } = of;
  return (
    <li>
      <span class={kind === 'opened' ? 'dot good' : 'dot bad'} />
      <span class="what">
        <a href={tenantPath(tenant_id)}>{tenant}</a>{' '}
        <span class="soft">{kind === 'alarm' ? alarmText(denied_units).toLowerCase() : TEXTS[kind]}</span>{' '}
        {denied_units.map((unit) => (
          <UnitLink key={unit.unit_id} unit={unit} />
        ))}
      </span>
      <span class="when">
        <Recent at={at} zone={zone} now={now} />
      </span>
      <span />
      <span class="where">
        {gates.map(({ entry_point_id, name }, index) => (
          <>
            {index === 0 ? '' : ', '}
            <a href={gatePath(entry_point_id)}>{name}</a>
          </>
        ))}
      </span>
    </li>
  );
}
