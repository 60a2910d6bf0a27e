import type { Today } from '#api/operator/index.js';
import type { ZoneOfLocation } from '../frame/company-frame.js';
import { gatePath } from '../links/paths.js';
import { Happened } from '../parts/happened.js';
import { Empty, Section } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { activityText } from '../activity/activity-text.js';
import { BatteryMark } from '../parts/battery-mark.js';
import { UnitLink } from '../parts/unit-link.js';

interface FailedEquipmentProps {
  readonly today: Pick<Today, 'failures' | 'low_batteries'>;
  readonly zoneIn: ZoneOfLocation;
}

/** What failed in the last 24 hours, and low batteries. */
export function FailedEquipment({ today: { failures, low_batteries }, zoneIn }: FailedEquipmentProps) {
  const { failed, first } = failures;
  return (
    <Section title="Locks and gates that failed in the last 24 hours">
      {failed === 0 ? (
        <Empty>No app reported that a lock, a gate or a door failed.</Empty>
      ) : (
        <ul class="numbers">
          {first.map((one) => (
            <li key={equipmentId(one)}>
              <Mark tone="bad">{activityText({ ...one, result: 'failure' })}</Mark> <Equipment of={one} />,{' '}
              <Happened of={one} zone={zoneIn(one.location_id)} />
            </li>
          ))}
          {failed > first.length ? <li>{`And ${failed - first.length} more`}</li> : null}
        </ul>
      )}
      <LowBatteries of={low_batteries} zoneIn={zoneIn} />
    </Section>
  );
}

type ReportedEquipment = Today['low_batteries']['first'][number] | Today['failures']['first'][number];

function equipmentId({ lock_id, entry_point_id }: ReportedEquipment): string {
  return entry_point_id ?? lock_id!;
}

/** A gate, or a lock with its unit. */
function Equipment({ of: { entry_point_id, unit_id, unit_name, name } }: { readonly of: ReportedEquipment }) {
  if (entry_point_id !== undefined) return <a href={gatePath(entry_point_id)}>{name}</a>;
  if (unit_id === null || unit_name === null) return <>{name}</>;
  return (
    <>
      {name}, <UnitLink unit={{ unit_id, unit_name }} />
    </>
  );
}

function LowBatteries({
  of: { batteries, first },
  zoneIn,
}: {
  readonly of: Today['low_batteries'];
  readonly zoneIn: ZoneOfLocation;
}) {
  if (batteries === 0) return <Empty>No battery is low by its last report.</Empty>;
  return (
    <>
      <p>Low batteries, by their last report:</p>
      <ul class="numbers">
        {first.map((one) => (
          <li key={equipmentId(one)}>
            <BatteryMark percent={one.battery_percent} /> <Equipment of={one} />,{' '}
            <Instant at={one.reported_at} zone={zoneIn(one.location_id)} />
          </li>
        ))}
        {batteries > first.length ? <li>{`And ${batteries - first.length} more`}</li> : null}
      </ul>
    </>
  );
}
