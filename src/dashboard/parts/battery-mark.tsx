import { Mark } from './states.js';

/** `Battery low: 9 %` */
export function BatteryMark({ percent }: { readonly percent: number }) {
  return <Mark tone="warn">{`Battery low: ${percent} %`}</Mark>;
}
