import { LOW_BATTERY } from '#domain/locks/index.js';
import { BatteryMark } from '../parts/battery-mark.js';
import { None } from '../parts/layout.js';
import { Instant } from '../parts/times.js';

interface ChargeProps {
  /** Undefined where no app has reported it. */
  readonly battery: { readonly percent: number; readonly at: number | string | null } | undefined;
  readonly zone: string;
}

/** The last charge that an app reported, and when. */
export function ChargeOf({ battery, zone }: ChargeProps) {
  if (battery === undefined) return <None>not reported</None>;
  const { percent, at } = battery;
  return (
    <>
      {percent < LOW_BATTERY ? <BatteryMark percent={percent} /> : `${percent} %`},{' '}
      <Instant at={at} zone={zone} precision="day" />
    </>
  );
}
