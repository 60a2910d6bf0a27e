import type { VNode } from 'preact';
import type { Refused } from '../frame/page.js';
import { Section } from '../parts/layout.js';
import { AsOf } from './as-of-forms.js';
import type { ChartData } from './unit-chart.js';
import { UnitTime } from './unit-time.js';

interface UnitHistoryProps {
  /** The path of the unit. */
  readonly path: string;
  readonly zone: string;
  /** The entries. */
  readonly list: VNode;
  /** Absent on the pages of older entries. */
  readonly picture: ChartData | undefined;
  readonly refused: Refused | undefined;
}

/** A unit's time: the picture, then the entries. */
export function UnitHistoryView({ path, zone, list, picture, refused }: UnitHistoryProps) {
  return (
    <>
      {picture === undefined ? null : (
        <Section title="Time">
          <UnitTime {...picture} zone={zone} path={path} />
          <AsOf path={path} zone={zone} refused={refused} />
        </Section>
      )}
      <Section title="What happened, newest first">
        <p>
          <a href={`${path}/report`}>Report to print, with proof</a>
        </p>
        {list}
      </Section>
    </>
  );
}
