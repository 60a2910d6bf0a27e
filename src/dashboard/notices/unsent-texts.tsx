import type { Today } from '#api/operator/index.js';
import { tenantPath } from '../links/paths.js';
import { Section, Table } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { KIND_NAMES, OUTCOME_TEXTS } from './notice-words.js';

interface UnsentProps {
  readonly unsent: Today['unsent_texts'];
  readonly zoneIn: (location_id: string) => string;
}

/** Tenants who were not told for sure. Nothing if there are none. */
export function UnsentTextList({ unsent: { texts, first, days }, zoneIn }: UnsentProps) {
  if (texts === 0) return null;
  const rows = first.map(({ notice_id, at, kind, outcome, tenant_id, tenant_name, location_id }) => ({
    key: notice_id,
    cells: [
      <Instant at={at} zone={zoneIn(location_id)} />,
      <a href={tenantPath(tenant_id)}>{tenant_name ?? 'Unknown'}</a>,
      KIND_NAMES[kind],
      OUTCOME_TEXTS[outcome],
    ],
  }));
  return (
    <Section title={`Texts that were not sent, last ${days} days`} id="unsent">
      <Table
        caption="Texts that were not sent, newest first"
        head={['When', 'Tenant', 'About', 'Outcome']}
        rows={rows}
      />
      {texts > first.length ? <p class="hint">{`The newest ${first.length} of ${texts}`}</p> : null}
    </Section>
  );
}
