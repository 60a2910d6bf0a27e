import { LOW_BATTERY } from '#domain/locks/index.js';
import { None } from '../parts/layout.js';
import { instantText } from '../parts/words.js';

interface BatteryBarProps {
  /** Null where no app has reported it. */
  readonly percent: number | null;
  /** ISO 8601: when it was reported. */
  readonly at: string | null;
  readonly zone: string;
}

/** Charges below this one are soon low. */
const WORN = 30;

/** The last charge that an app reported. The tooltip says when. */
export function BatteryBar({ percent, at, zone }: BatteryBarProps) {
  if (percent === null) return <None>–</None>;
  const tone = percent < LOW_BATTERY ? 'bad' : percent < WORN ? 'warn' : 'calm';
  return (
    <span class="battery" title={at === null ? undefined : `Reported ${instantText(at, zone)}`}>
      <svg class="share-bar" aria-hidden="true">
        <rect class="share-track" width="100%" height="100%" />
        <rect class={`share-fill ${tone}`} width={`${percent}%`} height="100%" />
      </svg>
      <span>{percent} %</span>
    </span>
  );
}
