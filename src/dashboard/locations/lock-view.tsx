import type { UnitPeople } from '#api/operator/index.js';
import type { LockDocument } from '#domain/locations/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { TapResult } from '../activity/tap-result.js';
import { tenantPath } from '../links/paths.js';
import { Happened } from '../parts/happened.js';
import { Empty, Facts, None, Section, Table } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';
import { keyFormatText } from './key-format-field.js';
import type { EquipmentItemReader } from './equipment-item.reader.js';
import { ChargeOf } from './lock-charge.js';
import { ZoneLinks } from './lock-peek.js';
import { LastReported, NeedSentence } from './lock-state.js';

type LockParts = ResultOf<EquipmentItemReader['readLock']>;

interface LockViewProps {
  readonly lock: Pick<LockDocument, 'serial' | 'key_format'>;
  readonly parts: LockParts;
  readonly zone: string;
  readonly isRemoved: boolean;
}

interface LockPlaceProps extends Pick<LockParts, 'zones'> {
  readonly unit: UnitPeople;
}

/** `On A102, Building A` */
export function LockPlace({ unit, zones }: LockPlaceProps) {
  return (
    <>
      On <UnitLink unit={unit} />
      {zones.length === 0 ? null : (
        <>
          , <ZoneLinks of={zones} />
        </>
      )}
    </>
  );
}

/** What a lock needs, who may open it, and who did. */
export function LockView({ lock: { serial, key_format }, parts, zone, isRemoved }: LockViewProps) {
  const { report, need, taps, names, people, now } = parts;
  return (
    <>
      {isRemoved ? null : <NeedSentence {...{ need, report, zone, now }} />}
      <div class="split">
        <div class="stack">
          <Section title="Who may open it">
            <LockPeople of={people} zone={zone} />
          </Section>
          <Section title="Last taps">
            <Taps {...{ taps, names, zone }} />
          </Section>
        </div>
        <Section title="Lock">
          <Facts
            of={[
              ['Unit', people === null ? 'Spare: on no unit' : <UnitLink unit={people} />],
              ['Serial number', serial ?? <None />],
              ['Battery', <ChargeOf battery={report?.battery ?? undefined} zone={zone} />],
              ['Last report', <LastReported {...{ report, zone, now }} />],
              ['Key format', keyFormatText(key_format)],
            ]}
          />
        </Section>
      </div>
    </>
  );
}

const RIGHTS = {
  tenant: 'Tenant',
  share: 'Shares the unit',
  pass: 'Pass',
  invitation: 'Invited',
  locked_invitation: 'Invited, closed by five wrong codes',
  key_holder: 'A key from before, without a right',
} as const;

function LockPeople({ of, zone }: { readonly of: UnitPeople | null; readonly zone: string }) {
  if (of === null) return <Empty>Nobody: it is on no unit.</Empty>;
  const { people, state, reason } = of;
  if (people.length === 0) return <Empty>Nobody: nobody rents {of.unit_name}.</Empty>;
  const rows = people.map((one, index) => ({
    key: String(index),
    cells: [
      <a href={tenantPath(one.tenant_id)}>{one.name ?? 'tenant'}</a>,
      RIGHTS[one.kind],
      'opens' in one ? one.opens ? 'Opens' : <StateMark state={state} reason={reason} /> : 'No new key',
      'key_expires_at' in one ? <Instant at={one.key_expires_at} zone={zone} none="none" /> : <None />,
    ],
  }));
  return <Table caption="Who may open it" head={['Who', 'By', 'Now', 'Has a key until']} rows={rows} />;
}

function Taps({ taps, names, zone }: Pick<LockParts, 'taps' | 'names'> & { readonly zone: string }) {
  if (taps.length === 0) return <Empty>No taps yet. Tenants’ apps report them.</Empty>;
  const rows = taps.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zone} />,
      <a href={tenantPath(one.tenant_id)}>{names.get(one.tenant_id) ?? 'tenant'}</a>,
      <TapResult of={one} />,
    ],
  }));
  return <Table caption="Taps, newest first" head={['When', 'Who', 'Result']} rows={rows} />;
}
