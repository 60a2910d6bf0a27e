import type { ActivityEntry, HistoryEntry } from '../../history/index.js';
import type { Refused } from '../frame/page.js';
import type { Names } from '../names/thing-names.js';
import { CsvLink, Empty, Section } from '../parts/layout.js';
import { SandboxMark, type ToldClock } from '../parts/sandbox-mark.js';
import { AsOf, Slider } from './as-of-forms.js';
import { type Check, DecisionSection } from './decision.js';
import { HistoryList } from './history-list.js';
import { ReportTable } from './report-table.js';
import { Timeline } from './timeline.js';
import { isStandalone } from './sentence.js';
import { keysOf, LocksAndKeys } from './locks-and-keys.js';
import type { UnitDetail } from './unit-detail.js';
import { unitPath } from './unit-list.js';
import {
  type Choice,
  type FreeLocks,
  type FormsProps,
  LockForms,
  NameForm,
  OverrideForms,
  RetireForms,
  SharesForms,
  StandaloneForms,
  ZoneForms,
} from './unit-forms.js';
import { FactsSection, Older, Override, Sharing, Tenant, Way } from './unit-parts.js';

interface UnitViewProps {
  readonly unit: UnitDetail;
  /** With who wrote what they looked at. */
  readonly checks: readonly Check[];
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly hasOlder: boolean;
  readonly reports: readonly ActivityEntry[];
  readonly tenantNames: Names;
  /** Of what the entries name by id. */
  readonly historyNames: Names;
  /** For who may put one on. */
  readonly freeLocks: FreeLocks | undefined;
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
  historyNames,
  freeLocks,
  otherZones,
  mayChange,
  now,
  clock,
  refused,
}: UnitViewProps) {
  const { timezone: zone } = unit.location;
  const path = unitPath(unit.unit_id);
  const forms = { path, refused };
  return (
    <>
      <Way unit={unit} />
      <SandboxMark clock={clock} zone={zone} />
      <Retirement {...unit} />
      <DecisionSection unit={{ ...unit, access: { ...unit.access, checks } }} />
      <div class="grid">
        <Section title="Tenant">
          <Renter unit={unit} mayChange={mayChange} />
          <Sharing of={unit.shares} />
          {mayChange && unit.facts.occupied ? <SharesForms {...forms} shares={unit.shares} /> : null}
        </Section>
        <Section title="Operator’s word">
          <Override of={unit.override} zone={zone} />
          {mayChange ? <OverrideForms {...forms} zone={zone} stands={unit.override !== null} /> : null}
        </Section>
        <LocksSection {...{ unit, mayChange, freeLocks, otherZones, refused }} />
      </div>
      <FactsSection unit={unit} entries={entries} />
      {mayChange ? <WholeUnitForms {...forms} unit={unit} /> : null}
      <ReportsSection reports={reports} tenantNames={tenantNames} zone={zone} path={path} />
      <Section title="History" id="history">
        <Timeline entries={entries} now={now} zone={zone} path={path} />
        <AsOf path={path} zone={zone} refused={refused} />
        <Slider path={path} entries={entries} now={now} />
        <p>
          <a href={`${path}/report`}>Report to print, with proof</a>
        </p>
        <Older are={hasOlder} path={path} />
        <HistoryList entries={entries} zone={zone} path={path} names={historyNames} />
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

type RenterProps = Pick<UnitViewProps, 'unit' | 'mayChange'>;

function Renter({ unit: { tenant, source_type }, mayChange }: RenterProps) {
  if (tenant !== null) return <Tenant of={tenant} />;
  return (
    <Empty>
      Nobody rents it.
      <HowTenantsCome source_type={source_type} mayChange={mayChange} />
    </Empty>
  );
}

type LocksSectionProps = Pick<UnitViewProps, 'unit' | 'mayChange' | 'freeLocks' | 'otherZones' | 'refused'>;

function LocksSection({ unit, mayChange, freeLocks, otherZones, refused }: LocksSectionProps) {
  const { unit_id, locks, zones, location } = unit;
  const forms = { path: unitPath(unit_id), refused };
  const others = otherZones.map(({ zone_id, name }): Choice => [zone_id, name]);
  return (
    <Section title="Locks and keys">
      <LocksAndKeys locks={locks} keys={keysOf(unit)} zone={location.timezone} mayChange={mayChange} />
      {freeLocks === undefined ? null : (
        <LockForms {...forms} locks={locks} free={freeLocks} location_id={location.id} />
      )}
      <h3>Zones</h3>
      <p>{zones.length === 0 ? 'In no zone.' : zones.map(({ name }) => name).join(', ')}</p>
      {mayChange ? <ZoneForms {...forms} zones={zones} others={others} /> : null}
    </Section>
  );
}

function HowTenantsCome({
  source_type,
  mayChange,
}: Pick<UnitDetail, 'source_type'> & { mayChange: boolean }) {
  if (!isStandalone({ source_type })) return <> Its PMS moves tenants in.</>;
  return mayChange ? <> Move somebody in below.</> : null;
}

function WholeUnitForms({ unit, ...forms }: FormsProps & { readonly unit: UnitDetail }) {
  const { facts, retired } = unit;
  return (
    <>
      {isStandalone(unit) ? <StandaloneForms {...forms} facts={facts} /> : null}
      <NameForm {...forms} name={unit.unit_name} />
      <RetireForms {...forms} retired={retired === true} occupied={facts.occupied} />
    </>
  );
}

function Retirement({ retired, source_type }: Pick<UnitDetail, 'retired' | 'source_type'>) {
  if (!retired) return null;
  const wayBack = isStandalone({ source_type }) ? '' : ' A write of its PMS brings it back.';
  return <p class="warning">Retired: lists and integrators do not see it.{wayBack}</p>;
}
