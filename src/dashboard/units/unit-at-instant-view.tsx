import type { HistoryEntry, WholeUnitAtInstant } from '#domain/history/index.js';
import type { NamesById } from '../names/thing-names.js';
import { Empty, Facts, Section } from '../parts/layout.js';
import { SandboxMark, shownClock } from '../parts/sandbox-mark.js';
import { Instant } from '../parts/times.js';
import { capitalized, fieldText } from '../parts/labels.js';
import { instantText, valueText } from '../parts/words.js';
import { type ShownCheck, DecisionSection, RulesChecked } from './decision.js';
import { HistoryList, NamesOfToday } from './history-list.js';
import { LocksThen } from './locks-and-keys.js';
import type { JudgedReport } from '../activity/named-entries.js';
import { ReportTable } from './report-table.js';
import { UnitTabs } from './unit-frame.js';
import { passPath, unitPath } from '../links/paths.js';
import { REASON_TEXTS } from '../passes/pass-words.js';
import type { UnitCompany } from './unit-location.reader.js';
import { UnitTime } from './unit-time.js';
import { ENTRIES, FactsSection, Override, Sharing, type chartStateOf, Tenant, Way } from './unit-parts.js';

interface UnitAtInstantProps {
  readonly unit: WholeUnitAtInstant;
  /** The state now, for periods of the picture without entries. */
  readonly current: ReturnType<typeof chartStateOf>;
  /** The newest reports up to the instant, newest first. */
  readonly reports: readonly JudgedReport[];
  /** The newest entries up to today, newest first, for the picture. */
  readonly newest: readonly HistoryEntry[];
  /** The newest entries up to the instant. */
  readonly entriesUntil: readonly HistoryEntry[];
  /** Whether there are yet older ones. */
  readonly hasOlder: boolean;
  readonly tenantNames: NamesById;
  /** Names for the ids in the entries. */
  readonly historyNames: NamesById;
  readonly company: UnitCompany;
}

/** A unit's page as it was at an instant, with the policy of then. */
export function UnitAtInstantView(props: UnitAtInstantProps) {
  const { unit, current, reports, newest, entriesUntil, hasOlder, tenantNames, historyNames, company } =
    props;
  const now = company.clock.now();
  const { timezone: zone, currency } = unit.location;
  const path = unitPath(unit.unit_id);
  const at = Date.parse(unit.at);
  const decided = { ...unit, access: { ...unit.access, checks: unit.checks as readonly ShownCheck[] } };
  return (
    <>
      <Way unit={unit} />
      <SandboxMark clock={shownClock(company.clock)} zone={zone} />
      <p class="warning">
        {at > now ? (
          <>
            As it will be on <Instant at={unit.at} zone={zone} />, if nothing is written until then.
          </>
        ) : (
          <>
            As it was on <Instant at={unit.at} zone={zone} />.
          </>
        )}{' '}
        <a href={path}>See it as it is now</a>
      </p>
      <UnitTabs unit_id={unit.unit_id} />
      <Section title="Time">
        <UnitTime
          {...{ now, zone, currency, path, at }}
          entries={newest}
          reports={reports}
          current={current}
        />
      </Section>
      {unit.retired ? <p class="warning">It was retired: lists and integrators did not see it.</p> : null}
      <DecisionSection unit={decided} />
      <RulesChecked unit={decided} />
      <PeopleAndEquipment unit={unit} />
      <FactsSection unit={unit} entries={entriesUntil} />
      <Section title="Activity until then">
        <ReportTable
          of={reports}
          tenantNames={tenantNames}
          {...{ path, zone, currency }}
          then={at}
          dayOf={(day) => instantText(day, zone, 'day')}
        />
      </Section>
      <Section title="Policy then">
        <Facts
          of={Object.entries(unit.policy).map(
            ([name, value]) => [capitalized(fieldText(name)), valueText(name, value, currency)] as const,
          )}
        />
      </Section>
      <Section title="History until then">
        {hasOlder ? (
          <p class="hint">
            The newest {ENTRIES} entries until then. <a href={`${path}/history`}>All of them, page by page</a>
          </p>
        ) : null}
        <HistoryList entries={entriesUntil} {...{ zone, currency, path }} names={historyNames} />
      </Section>
    </>
  );
}

function PeopleAndEquipment({ unit }: { readonly unit: WholeUnitAtInstant }) {
  const { timezone: zone } = unit.location;
  return (
    <div class="grid">
      <Section title="Tenant">
        {unit.tenant === null ? <Empty>Nobody rented it.</Empty> : <Tenant of={unit.tenant} />}
        <Sharing of={unit.shares} zone={zone} />
        <PassesThen of={unit.passes} zone={zone} />
        <PersonalDetailsNotice people={[unit.tenant ?? [], unit.shares].flat()} zone={zone} />
      </Section>
      <Section title="Set by staff">
        <Override of={unit.override} zone={zone} />
      </Section>
      <Section title="Locks and keys">
        <LocksThen locks={unit.locks} keys={unit.keys} zone={zone} />
        <h3>Zones</h3>
        <p>{unit.zones.length === 0 ? 'In no zone.' : unit.zones.map(({ name }) => name).join(', ')}</p>
      </Section>
    </div>
  );
}

/** The passes that opened the unit then. */
function PassesThen({ of, zone }: { readonly of: WholeUnitAtInstant['passes']; readonly zone: string }) {
  if (of.length === 0) return null;
  return (
    <>
      <h3>Passes</h3>
      <ul>
        {of.map(({ pass_id, name, reason, until }) => (
          <li key={pass_id}>
            <a href={passPath(pass_id)}>{name ?? 'Erased'}</a>, {REASON_TEXTS[reason]}, until{' '}
            <Instant at={until} zone={zone} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface NoticeProps {
  readonly people: readonly { readonly tenant_id: string; readonly erased_at: string | null }[];
  readonly zone: string;
}

/** Says that names are those of today, and which details were erased since. */
function PersonalDetailsNotice({ people, zone }: NoticeProps) {
  if (people.length === 0) return null;
  return (
    <>
      {people.map(({ tenant_id, erased_at }) =>
        erased_at === null ? null : (
          <p key={tenant_id} class="warning">
            Personal details were erased: <Instant at={erased_at} zone={zone} />. What is left is the PMS’s
            id.
          </p>
        ),
      )}
      <NamesOfToday />
    </>
  );
}
