import type { ActivityEntry, HistoryEntry, UnitAtInstant } from '../../history/index.js';
import type { Refused } from '../frame/page.js';
import { CsvLink, Empty, Facts, Section, Table, Trail } from '../parts/layout.js';
import { SandboxMark, type ToldClock } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { nameText, valueText } from '../parts/words.js';
import { TenantLink } from '../tenants/tenant-list.js';
import { AsOf, Slider } from './as-of-forms.js';
import { type Check, DecisionSection } from './decision.js';
import { actorText, HistoryList } from './history-list.js';
import { Timeline } from './timeline.js';
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

interface UnitViewProps {
  readonly unit: UnitDetail;
  /** With who wrote what they looked at. */
  readonly checks: readonly Check[];
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly hasOlder: boolean;
  readonly reports: readonly ActivityEntry[];
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
          <Locks unit={unit} />
          {mayChange ? <LockForms {...forms} locks={unit.locks} free={locks} /> : null}
          <h3>Zones</h3>
          <p>{unit.zones.length === 0 ? 'In no zone.' : unit.zones.map(({ name }) => name).join(', ')}</p>
          {mayChange ? <ZoneForms {...forms} zones={unit.zones} others={zones} /> : null}
        </Section>
      </div>
      <FactsSection unit={unit} entries={entries} />
      {mayChange ? <WholeUnitForms {...forms} unit={unit} /> : null}
      <ReportsSection reports={reports} zone={zone} path={path} />
      <Section title="History" id="history">
        <Timeline entries={entries} now={now} zone={zone} path={path} />
        <AsOf path={path} zone={zone} />
        <Slider path={path} entries={entries} now={now} />
        <p>
          <a href={`${path}/report`}>Report to print, with proof</a>
        </p>
        <Older are={hasOlder} />
        <HistoryList entries={entries} zone={zone} path={path} />
        <CsvLink path={`${path}/history.csv`} />
      </Section>
    </>
  );
}

type Reported = Pick<UnitViewProps, 'reports'> & { readonly zone: string; readonly path: string };

function ReportsSection({ reports, zone, path }: Reported) {
  return (
    <Section title="What its locks reported">
      <Reports reports={reports} zone={zone} />
      {reports.length === 0 ? null : <CsvLink path={`${path}/reports.csv`} />}
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

function Older({ are, until }: { readonly are: boolean; readonly until?: string }) {
  if (!are) return null;
  const which = until === undefined ? '' : ` ${until}`;
  return <p class="hint">The newest 200 entries{which}; the API and exports have all of them.</p>;
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

function Locks({ unit: { locks, other_keys_outstanding, location } }: { readonly unit: UnitDetail }) {
  if (locks.length === 0) return <Empty>No lock is on it: nobody is given a key. Put one on below.</Empty>;
  const keys = [
    ...locks.flatMap(({ name, keys_outstanding }) => keys_outstanding.map((key) => ({ ...key, name }))),
    ...other_keys_outstanding,
  ];
  return (
    <>
      <ul>
        {locks.map(({ lock_id, name, serial }) => (
          <li key={lock_id}>
            {name}
            {serial === null ? '' : ` (${serial})`}
          </li>
        ))}
      </ul>
      {keys.length === 0 ? (
        <p>No key to it works at the moment.</p>
      ) : (
        <>
          <p class="warning">
            An offline lock opens for keys given out until they expire, whatever is decided since.
          </p>
          <ul>
            {keys.map(({ name, tenant_id, expires_at }) => (
              <li key={`${tenant_id}-${name}`}>
                {name}: until <Instant at={expires_at} zone={location.timezone} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Reports({ reports, zone }: { readonly reports: readonly ActivityEntry[]; readonly zone: string }) {
  if (reports.length === 0) return <Empty>Nothing yet: tenants’ apps report what a tap on a lock did.</Empty>;
  const rows = reports.map((one) => ({
    key: one.log_id,
    cells: [
      <Instant at={one.occurred_at} zone={zone} />,
      one.lock_name ?? '',
      `${one.event}: ${one.result}${one.failure_code === null ? '' : ` (${one.failure_code})`}`,
      <a href={`/dashboard/tenants/${one.tenant_id}`}>tenant</a>,
      one.message ?? '',
    ],
  }));
  return (
    <Table caption="Reports, newest first" head={['When', 'Lock', 'What', 'By', 'Message']} rows={rows} />
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
        <Older are={hasOlder} until="until then" />
        <HistoryList entries={before} zone={zone} path={path} />
      </Section>
    </>
  );
}
