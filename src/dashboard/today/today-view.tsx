import type { ComponentChildren } from 'preact';
import type { DataOf, OperatorRole } from '../../http/index.js';
import type { CompaniesController, Today } from '../../operator/index.js';
import { companyPath } from '../companies/company-frame.js';
import { locationPath } from '../locations/location-frame.js';
import { Empty, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { Instant } from '../parts/times.js';
import { countText, eventText, nameText } from '../parts/words.js';
import { sourcePath, troubleText } from '../pull/listed-source.js';

type Company = DataOf<CompaniesController['one']>;

interface TodayProps {
  readonly company: Company;
  readonly role: OperatorRole;
  readonly today: Today;
  readonly zone: string;
}

/** A company's day: each number leads to the list that it counts. */
export function TodayView(props: TodayProps) {
  if (props.company.locations.length === 0) return <NoLocation {...props} />;
  return (
    <div class="grid">
      <Denied {...props} />
      <Losing {...props} />
      <Failed {...props} />
      <Late {...props} />
      <Changed {...props} />
    </div>
  );
}

function NoLocation({ company: { company_id }, role }: TodayProps) {
  if (!mayDo(role, 'manager'))
    return <Empty>It has no location yet. From its first on this page tells what changed.</Empty>;
  return (
    <Empty>
      <a href={companyPath(company_id)}>Add a location</a> first: units, locks and gates belong to one. From
      then on this page tells what changed.
    </Empty>
  );
}

/** Numbers, each with what it counts and where that is listed. */
function Numbers({ of }: { readonly of: readonly (readonly [href: string, text: ComponentChildren])[] }) {
  return (
    <ul class="numbers">
      {of.map(([href, text]) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

function Denied({ company: { company_id }, today: { denied } }: TodayProps) {
  const path = `${companyPath(company_id)}/units?state=tenant_denied`;
  return (
    <Section title="Locked out now">
      {denied.length === 0 ? (
        <Empty>Nobody is locked out.</Empty>
      ) : (
        <Numbers
          of={denied.map(({ reason, units }) => [
            `${path}&reason=${reason}`,
            `${countText(units, 'unit')}: ${nameText(reason)}`,
          ])}
        />
      )}
    </Section>
  );
}

function Losing({ today: { losing_access } }: TodayProps) {
  const { days, locations } = losing_access;
  return (
    <Section title={`Will lose access in the next ${days} days`}>
      {locations.length === 0 ? (
        <Empty>Nobody, if nothing is written.</Empty>
      ) : (
        <Numbers
          of={locations.map(({ location_id, name, units }) => [
            `${locationPath(location_id)}/forecast`,
            `${countText(units, 'unit')} at ${name}`,
          ])}
        />
      )}
    </Section>
  );
}

function Failed({ company: { company_id }, today: { changes } }: TodayProps) {
  const { failed_reports } = changes;
  return (
    <Section title="Locks and gates that failed since yesterday">
      {failed_reports === 0 ? (
        <Empty>No app reported that a lock, a gate or a door failed.</Empty>
      ) : (
        <Numbers
          of={[[`${companyPath(company_id)}/changes?failed=true`, countText(failed_reports, 'report')]]}
        />
      )}
    </Section>
  );
}

function Late({ company: { company_id }, role, today, zone }: TodayProps) {
  const { troubled_pull_sources, silent_tokens } = today;
  if (troubled_pull_sources.length + silent_tokens.length === 0) {
    return (
      <Section title="Sources and syncs that are late">
        <Empty>None: whatever wrote before still does.</Empty>
      </Section>
    );
  }
  return (
    <Section title="Sources and syncs that are late">
      <ul class="numbers">
        {troubled_pull_sources.map((source) => (
          <li key={source.pull_source_id}>
            <a href={sourcePath(source)}>{source.name}</a>: {troubleText(source)}
          </li>
        ))}
        {silent_tokens.map(({ token_id, name, last_used_at }) => (
          <li key={token_id}>
            {role === 'admin' ? <a href={`${companyPath(company_id)}/api-tokens`}>{name}</a> : name}: not
            heard of since <Instant at={last_used_at} zone={zone} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Changed({ company: { company_id }, today: { changes }, zone }: TodayProps) {
  const path = `${companyPath(company_id)}/changes`;
  return (
    <Section title="What changed since yesterday">
      {changes.by_type.length === 0 ? (
        <Empty>Nothing.</Empty>
      ) : (
        <Numbers
          of={changes.by_type.map(({ type, events }) => [
            `${path}?type=${type}`,
            `${events.toLocaleString('en-US')} × ${eventText(type)}`,
          ])}
        />
      )}
      <p class="hint">
        Since <Instant at={changes.since} zone={zone} />.
      </p>
    </Section>
  );
}
