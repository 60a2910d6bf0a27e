import type { ActivityEntry, HistoryEntry, UnitAtInstant } from '../../history/index.js';
import type { Refused } from '../frame/page.js';
import type { Names } from '../names/thing-names.js';
import { CsvLink, Empty, Facts, Section, Table, Trail } from '../parts/layout.js';
import { SandboxMark, type ToldClock } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { nameText, valueText } from '../parts/words.js';
import { TenantLink } from '../tenants/tenant-list.js';
import { AsOf, Slider } from './as-of-forms.js';
import { type Check, DecisionSection } from './decision.js';
import { actorText, HistoryList } from './history-list.js';
import { ReportTable } from './report-table.js';
import { Timeline } from './timeline.js';
import { LocksAndKeys } from './locks-and-keys.js';
import type { UnitDetail } from './unit-detail.js';
import {
  type Choice,
  type FormsProps,
  LockForms,
  NameForm,
  OverrideForms,
  RetireForms,
  SharesForms,
  StandaloneForms,
  ZoneForms,
} from './unit-forms.js';

/** As many of the newest entries as the picture shows. */
export const ENTRIES = 200;

interface UnitViewProps {
  readonly unit: UnitDetail;
  /** With who wrote what they looked at. */
  readonly checks: readonly Check[];
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly hasOlder: boolean;
  readonly reports: readonly ActivityEntry[];
  readonly tenantNames: Names;
  readonly freeLocks: readonly { readonly lock_id: string; readonly name: string }[];
  readonly otherZones: readonly { readonly zone_id: string; readonly name: string }[];
  readonly mayChange: boolean;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly clock: ToldClock | null;
  readonly refused: Refused | undefined;
}

/** A unit as it is. */
export function UnitView({
  unit,
  checks,
  entries,
  hasOlder,
  reports,
  tenantNames,
  freeLocks,
  otherZones,
  mayChange,
  now,
  clock,
  refused,
}: UnitViewProps) {
  const { timezone: zone } = unit.location;
  const path = `/dashboard/units/${unit.unit_id}`;
  const forms = { path, refused };
  const locks = freeLocks.map(({ lock_id, name }): Choice => [lock_id, name]);
  const zones = otherZones.map(({ zone_id, name }): Choice => [zone_id, name]);
  return (
    <>
      <Way unit={unit} />
      <SandboxMark clock={clock} zone={zone} />
      <Retirement of={unit} />
      <DecisionSection unit={{ ...unit, access: { ...unit.access, checks } }} />
      <div class="grid">
        <Section title="Tenant">
          <People unit={unit} />
          {mayChange && unit.facts.occupied ? <SharesForms {...forms} shares={unit.shares} /> : null}
        </Section>
        <Section title="Operator’s word">
          <Override unit={unit} />
          {mayChange ? <OverrideForms {...forms} zone={zone} stands={unit.override !== null} /> : null}
        </Section>
        <Section title="Locks and keys">
          <LocksAndKeys unit={unit} />
          {mayChange ? <LockForms {...forms} locks={unit.locks} free={locks} /> : null}
          <h3>Zones</h3>
          <p>{unit.zones.length === 0 ? 'In no zone.' : unit.zones.map(({ name }) => name).join(', ')}</p>
          {mayChange ? <ZoneForms {...forms} zones={unit.zones} others={zones} /> : null}
        </Section>
      </div>
      <FactsSection unit={unit} entries={entries} />
      {mayChange ? <WholeUnitForms {...forms} unit={unit} /> : null}
      <ReportsSection reports={reports} tenantNames={tenantNames} zone={zone} path={path} />
      <Section title="History" id="history">
        <Timeline entries={entries} now={now} zone={zone} path={path} />
        <AsOf path={path} zone={zone} />
        <Slider path={path} entries={entries} now={now} />
        <p>
          <a href={`${path}/report`}>Report to print, with proof</a>
        </p>
        <Older are={hasOlder} path={path} />
        <HistoryList entries={entries} zone={zone} path={path} />
        <CsvLink path={`${path}/history.csv`} />
      </Section>
    </>
  );
}

type Reported = Pick<UnitViewProps, 'reports' | 'tenantNames'> & {
  readonly zone: string;
  readonly path: string;
};

function ReportsSection({ reports, tenantNames, zone, path }: Reported) {
  return (
    <Section title="What its locks reported">
      <ReportTable of={reports} tenantNames={tenantNames} zone={zone} />
      {reports.length === 0 ? null : (
        <p>
          <a href={`${path}/reports`}>All of them, page by page</a>
        </p>
      )}
    </Section>
  );
}

function WholeUnitForms({ unit, ...forms }: FormsProps & { readonly unit: UnitDetail }) {
  const { facts, retired, source_type } = unit;
  return (
    <>
      {source_type === 'standalone' ? <StandaloneForms {...forms} facts={facts} /> : null}
      <NameForm {...forms} name={unit.unit_name} />
      <RetireForms {...forms} retired={retired === true} occupied={facts.occupied} />
    </>
  );
}

interface OlderProps {
  readonly are: boolean;
  readonly path: string;
  readonly until?: string;
}

function Older({ are, path, until = '' }: OlderProps) {
  if (!are) return null;
  return (
    <p class="hint">
      The newest {ENTRIES} entries{until}. <a href={`${path}/history`}>All of them, page by page</a>
    </p>
  );
}

function Retirement({ of: { retired } }: { readonly of: UnitDetail }) {
  if (!retired) return null;
  return (
    <p class="warning">Retired: lists and integrators do not see it. A write of its PMS brings it back.</p>
  );
}

function Way({ unit }: { readonly unit: { readonly location: UnitDetail['location'] } }) {
  return (
    <Trail
      to={[
        ['/dashboard/companies', 'Companies'],
        [`/dashboard/locations/${unit.location.id}`, unit.location.name],
      ]}
    />
  );
}

function FactsSection({
  unit,
  entries,
}: {
  readonly unit: Pick<UnitDetail, 'facts' | 'location'>;
  readonly entries: readonly HistoryEntry[];
}) {
  const rows = Object.entries(unit.facts).map(([name, value]) => {
    const writer = entries.find(({ changes }) => name in changes);
    const by =
      writer === undefined ? (
        <span class="none">as a unit begins, or long ago</span>
      ) : (
        <Writer of={writer} zone={unit.location.timezone} />
      );
    return { key: name, cells: [nameText(name), valueText(name, value), by] };
  });
  return (
    <Section title="Facts">
      <Table caption="Facts" head={['Fact', 'Value', 'Written']} rows={rows} />
    </Section>
  );
}

function Writer({ of, zone }: { readonly of: HistoryEntry; readonly zone: string }) {
  return (
    <>
      {actorText(of)}, <Instant at={of.occurred_at} zone={zone} />
    </>
  );
}

function People({ unit: { tenant, shares, source_type } }: { readonly unit: UnitDetail }) {
  return (
    <>
      {tenant === null ? (
        <Empty>
          Nobody rents it.{' '}
          {source_type === 'standalone' ? 'Move somebody in below.' : 'Its PMS moves tenants in.'}
        </Empty>
      ) : (
        <Facts
          of={[
            ['Name', <TenantLink tenant={tenant} />],
            ['PMS id', tenant.pms_tenant_id],
            ['Phone', tenant.phone ?? 'none: cannot sign in'],
          ]}
        />
      )}
      {shares.length === 0 ? null : (
        <>
          <h3>Shared with</h3>
          <ul>
            {shares.map((one) => (
              <li key={one.tenant_id}>
                <TenantLink tenant={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Override({ unit: { override, location } }: { readonly unit: UnitDetail }) {
  if (override === null) return <Empty>None stands: what the PMS says decides.</Empty>;
  return (
    <Facts
      of={[
        ['Word', override.override === 'lockout' ? 'locked out' : 'exempt from lockout'],
        ['Reason', override.reason],
        [
          'Ends',
          <Instant at={override.expires_at} zone={location.timezone} otherwise="when it is cleared" />,
        ],
      ]}
    />
  );
}

interface UnitAtInstantProps {
  readonly unit: UnitAtInstant;
  /** Of all there are, newest first: what the picture shows. */
  readonly newest: readonly HistoryEntry[];
  /** The newest up to the instant. */
  readonly before: readonly HistoryEntry[];
  /** Whether there are yet older ones. */
  readonly hasOlder: boolean;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly clock: ToldClock | null;
}

/** A unit as a read at an instant answered, with the policy of then. */
export function UnitAtInstantView({ unit, newest, before, hasOlder, now, clock }: UnitAtInstantProps) {
  const { timezone: zone } = unit.location;
  const path = `/dashboard/units/${unit.unit_id}`;
  return (
    <>
      <Way unit={unit} />
      <SandboxMark clock={clock} zone={zone} />
      <p class="warning">
        As it was on <Instant at={unit.at} zone={zone} />. <a href={path}>See it as it is now</a>
      </p>
      <Timeline entries={newest} now={now} zone={zone} path={path} at={Date.parse(unit.at)} />
      <AsOf path={path} zone={zone} />
      <Slider path={path} entries={newest} now={now} at={Date.parse(unit.at)} />
      <DecisionSection unit={unit} />
      <FactsSection unit={unit} entries={before} />
      <Section title="Policy of then">
        <Facts
          of={Object.entries(unit.policy).map(
            ([name, value]) => [nameText(name), valueText(name, value)] as const,
          )}
        />
      </Section>
      <Section title="History until then">
        <Older are={hasOlder} path={path} until=" until then" />
        <HistoryList entries={before} zone={zone} path={path} />
      </Section>
    </>
  );
}
