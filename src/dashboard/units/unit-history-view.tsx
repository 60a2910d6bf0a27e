import type { VNode } from 'preact';
import { Section } from '../parts/layout.js';
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
}

/** A unit's time: the picture, then the entries. */
export function UnitHistoryView({ path, zone, list, picture }: UnitHistoryProps) {
  return (
    <>
      {picture === undefined ? null : (
        <Section title="Time">
          <UnitTime {...picture} zone={zone} path={path} />
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
