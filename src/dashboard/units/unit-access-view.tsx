import type { UnitPeople } from '#api/operator/index.js';
import type { UnitGate } from '#domain/access/index.js';
import type { HistoryEntry } from '#domain/history/index.js';
import type { LastReports } from './unit-location.reader.js';
import type { Refused } from '../page/page.js';
import { Section } from '../parts/layout.js';
import { unitPath } from '../links/paths.js';
import { UnitPeopleCard } from '../people/unit-people.js';
import { type DecidedUnit, RulesChecked } from './decision.js';
import { Keys, keysOf } from './locks-and-keys.js';
import type { ChartData } from './unit-chart.js';
import type { UnitDetail } from './unit-detail.js';
import { UnitGatesCard } from './unit-gates-card.js';
import { chartStateOf, FactsSection } from './unit-parts.js';
import { ShareActs, ShareDialog } from './share-search.js';
import { DataCard, LockCards, OverrideCard } from './unit-side-cards.js';
import type { NamedTies } from './unit-ties.js';
import { type Period, TimeCard } from './unit-time.js';

interface UnitAccessProps {
  readonly unit: UnitDetail;
  readonly decided: DecidedUnit;
  readonly gates: readonly UnitGate[];
  readonly ties: NamedTies;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** The taps of the picture, newest first. */
  readonly reports: ChartData['reports'];
  readonly period: Period;
  readonly lastReports: LastReports;
  readonly people: UnitPeople;
  readonly mayChange: boolean;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  readonly refused: Refused | undefined;
}

/** The grounds of the decision: time, rules, gates, locks, data; then people and keys. */
export function UnitAccessView(props: UnitAccessProps) {
  const {
    unit,
    decided,
    gates,
    ties,
    entries,
    reports,
    period,
    lastReports,
    people,
    mayChange,
    now,
    refused,
  } = props;
  const { timezone: zone, currency } = unit.location;
  const keys = keysOf(unit);
  const forms = { path: unitPath(unit.unit_id), refused, zone };
  return (
    <div class="stack">
      <TimeCard
        {...{ zone, currency, entries, reports, period, now }}
        path={unitPath(unit.unit_id)}
        current={chartStateOf(unit)}
      />
      <div class="split">
        <RulesChecked unit={decided} />
        <div class="stack">
          <OverrideCard {...{ unit, ties, mayChange, refused }} />
          <UnitGatesCard {...{ unit, gates }} />
          <LockCards {...{ unit, lastReports, mayChange, now }} />
          <DataCard {...{ unit, mayChange, refused }} />
        </div>
      </div>
      <UnitPeopleCard
        of={people}
        location={unit.location}
        mayChange={mayChange}
        share={mayChange && unit.facts.occupied ? <ShareDialog {...forms} /> : null}
        shareActs={(tenant_id) => {
          const share = unit.shares.find((one) => one.tenant_id === tenant_id);
          return share === undefined ? null : <ShareActs {...forms} of={share} />;
        }}
      />
      {unit.locks.length === 0 && keys.length === 0 ? null : (
        <Section title="Keys">
          <Keys keys={keys} zone={zone} />
        </Section>
      )}
      <FactsSection unit={unit} entries={entries} />
    </div>
  );
}
