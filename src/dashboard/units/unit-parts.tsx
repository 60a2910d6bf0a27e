import type { AccessState } from '#domain/access/index.js';
import { isInNoPms } from '#domain/tenants/index.js';
import { OVERRIDES } from '#domain/units/index.js';
import type { HistoryEntry } from '#domain/history/index.js';
import { Empty, Facts, None, Table, Trail } from '../parts/layout.js';
import { Instant } from '../parts/times.js';
import { capitalized, fieldText } from '../parts/labels.js';
import { valueText } from '../parts/words.js';
import { type ListedTenant, TenantLink } from '../parts/tenant-links.js';
import { actorText } from './history-list.js';
import type { UnitDetail } from './unit-detail.js';
import { locationPath } from '../links/paths.js';

/** As many of the newest entries as the picture shows. */
export const ENTRIES = 200;
/** Newest taps that the picture of a unit's time, and a page of its activity, show. */
export const REPORTS = 100;

interface WayProps {
  readonly unit: Pick<UnitDetail, 'location'>;
}

/** The way to a unit. */
export function Way({ unit: { location } }: WayProps) {
  return (
    <Trail
      to={[
        [locationPath(location.id), location.name],
        [`${locationPath(location.id)}/table`, 'Units'],
      ]}
    />
  );
}

interface FactsSectionProps {
  readonly unit: Pick<UnitDetail, 'facts' | 'location'>;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
}

/** Each fact, with its author and time if the entries contain them. */
export function FactsSection({ unit, entries }: FactsSectionProps) {
  const isWhole = entries.some(({ type }) => type === 'UnitRegistered');
  const rows = Object.entries(unit.facts).map(([name, value]) => {
    const writer = entries.find(({ changes }) => name in changes);
    const by =
      writer === undefined ? (
        <None>{isWhole ? 'never written' : 'as a unit begins, or long ago'}</None>
      ) : (
        <Writer of={writer} zone={unit.location.timezone} />
      );
    return {
      key: name,
      cells: [capitalized(fieldText(name)), valueText(name, value, unit.location.currency), by],
    };
  });
  return (
    <section class="card">
      <details>
        <summary>
          <h2>Every fact, and who wrote it</h2>
        </summary>
        <Table caption="PMS data" head={['Fact', 'Value', 'Written']} rows={rows} />
      </details>
    </section>
  );
}

function Writer({ of, zone }: { readonly of: HistoryEntry; readonly zone: string }) {
  return (
    <>
      {actorText(of)}, <Instant at={of.occurred_at} zone={zone} />
    </>
  );
}

type Person = Pick<ListedTenant, 'tenant_id' | 'pms_tenant_id' | 'name'>;

export function Tenant({ of: tenant }: { readonly of: Person }) {
  return (
    <Facts
      of={[
        ['Name', <TenantLink tenant={tenant} />],
        ...(isInNoPms(tenant.pms_tenant_id) ? [] : [['PMS id', tenant.pms_tenant_id] as const]),
      ]}
    />
  );
}

interface SharingProps {
  readonly of: readonly (Person & { readonly until: string | null })[];
  readonly zone: string;
}

/** Who shared a unit, and when each share was to end. */
export function Sharing({ of, zone }: SharingProps) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>Shared with</h3>
      <ul>
        {of.map((one) => (
          <li key={one.tenant_id}>
            <TenantLink tenant={one} />
            {one.until === null ? null : (
              <>
                {' '}
                until <Instant at={one.until} zone={zone} />
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface OverrideProps {
  readonly of: UnitDetail['override'];
  readonly zone: string;
}

/** The operator's override of a unit's access. */
export function Override({ of: override, zone }: OverrideProps) {
  if (override === null) return <Empty>Nothing is set by staff. Access follows the PMS.</Empty>;
  return (
    <Facts
      of={[
        ['Access', capitalized(OVERRIDES[override.override].label)],
        ['Reason', override.reason],
        ['Ends', <Instant at={override.expires_at} zone={zone} none="no end date" />],
      ]}
    />
  );
}

/** The state of a unit, for a period without entries. */
export function chartStateOf({
  access,
  facts,
}: {
  readonly access: { readonly state: AccessState; readonly reason: string | null };
  readonly facts: { readonly balance_due: number };
}) {
  return { state: access.state, reason: access.reason, balance: facts.balance_due };
}
