import { isInNoPms } from '#domain/tenants/index.js';
import { type LastReport, LOW_BATTERY } from '#domain/locks/index.js';
import type { LastReports } from './unit-location.reader.js';
import { BatteryMark } from '../parts/battery-mark.js';
import { Facts, None } from '../parts/layout.js';
import { Recent } from '../parts/times.js';
import { amountText, dateText } from '../parts/words.js';
import { lockPath, unitPath } from '../links/paths.js';
import { ClearOverride } from './override-forms.js';
import { idleOverrideText, isStandalone } from './sentence.js';
import { FactsForm } from './standalone-forms.js';
import type { UnitDetail } from './unit-detail.js';
import type { Refused } from '../page/page.js';
import { type NamedTies, OthersOpened } from './unit-ties.js';
import { Override } from './unit-parts.js';

interface OverrideCardProps {
  readonly unit: UnitDetail;
  readonly ties: NamedTies;
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** What staff decided otherwise. Nothing where nobody did. */
export function OverrideCard({ unit, ties, mayChange, refused }: OverrideCardProps) {
  const { override, location, access } = unit;
  if (override === null) return null;
  const idle = idleOverrideText(access.state);
  return (
    <section class="card bare" aria-labelledby="override-head">
      <div class="card-head">
        <h2 id="override-head">Set by staff</h2>
        {mayChange ? (
          <div class="acts end">
            <ClearOverride path={unitPath(unit.unit_id)} refused={refused} isOurs={isStandalone(unit)} />
          </div>
        ) : null}
      </div>
      <div class="card-body">
        <Override of={override} zone={location.timezone} />
        <OthersOpened {...{ ties, override }} zone={location.timezone} />
        {idle === undefined ? null : <p class="warning">{idle}</p>}
      </div>
    </section>
  );
}

interface LockCardsProps {
  readonly unit: UnitDetail;
  /** By `lock_id`. */
  readonly lastReports: LastReports;
  readonly mayChange: boolean;
  readonly now: number;
}

/** A card for each lock on the unit. */
export function LockCards({ unit: { locks, location }, lastReports, mayChange, now }: LockCardsProps) {
  const zone = location.timezone;
  return (
    <>
      {locks.map(({ lock_id, name, serial }) => {
        const report = lastReports.get(lock_id);
        return (
          <section key={lock_id} class="card bare" aria-label={`Lock ${name}`}>
            <div class="card-head">
              <h2>Lock</h2>
              {mayChange ? (
                <a class="button ghost small end" href={lockPath(lock_id)}>
                  {name}
                </a>
              ) : (
                <span class="end">{name}</span>
              )}
            </div>
            <div class="card-body">
              <Facts
                of={[
                  ['Serial', serial ?? <None />],
                  ['Battery', <Battery of={report} {...{ zone, now }} />],
                  [
                    'Last report',
                    report === undefined ? (
                      <None>none yet</None>
                    ) : (
                      <Recent at={report.at} {...{ zone, now }} />
                    ),
                  ],
                ]}
              />
            </div>
          </section>
        );
      })}
    </>
  );
}

interface BatteryProps {
  readonly of: LastReport | undefined;
  readonly zone: string;
  readonly now: number;
}

/** With its own instant: not every report tells of the battery. */
function Battery({ of, zone, now }: BatteryProps) {
  const battery = of?.battery ?? null;
  if (battery === null) return <None>not reported yet</None>;
  const { percent, at } = battery;
  return (
    <>
      {percent < LOW_BATTERY ? <BatteryMark percent={percent} /> : `${percent} %`},{' '}
      <Recent {...{ at, zone, now }} />
    </>
  );
}

interface DataCardProps {
  readonly unit: UnitDetail;
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** What a caller asks for of a unit's data. */
export function DataCard({ unit, mayChange, refused }: DataCardProps) {
  const { facts, location, tenant, crm_unit_id } = unit;
  const isOurs = isStandalone(unit);
  return (
    <section class="card bare" aria-labelledby="data-head">
      <div class="card-head">
        <h2 id="data-head">{isOurs ? 'Balance and flags' : 'PMS data'}</h2>
        {isOurs && mayChange ? (
          <div class="acts end">
            <FactsForm path={unitPath(unit.unit_id)} refused={refused} facts={facts} />
          </div>
        ) : null}
      </div>
      <div class="card-body">
        <Facts
          of={[
            ['Balance', amountText(facts.balance_due, location.currency)],
            ['Paid through', facts.paid_through_date === null ? <None /> : dateText(facts.paid_through_date)],
            ...(tenant === null || isInNoPms(tenant.pms_tenant_id)
              ? []
              : [['Tenant in the PMS', tenant.pms_tenant_id] as const]),
            ...(isOurs ? [] : [['Unit in the PMS', crm_unit_id] as const]),
          ]}
        />
      </div>
    </section>
  );
}
