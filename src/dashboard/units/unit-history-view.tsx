import type { VNode } from 'preact';
import { Section } from '../parts/layout.js';
import type { ChartData } from './unit-chart.js';
import { UnitTime } from './unit-time.js';

interface UnitHistoryProps {
  /** The path of the unit. */
  readonly path: string;
  readonly zone: string;
  readonly currency: string;
  /** The entries. */
  readonly list: VNode;
  /** Absent on the pages of older entries. */
  readonly picture: ChartData | undefined;
  /** The history ends where somebody damaged what is stored. */
  readonly isDamaged: boolean;
}

/** A unit's time: the picture, then the entries. */
export function UnitHistoryView({ path, zone, currency, list, picture, isDamaged }: UnitHistoryProps) {
  return (
    <>
      {isDamaged ? (
        <p class="warning">
          Somebody damaged the stored history of this unit. It ends with the newest entry here, and the unit
          takes no changes. Tell the person who runs the service, whose log says what happened.
        </p>
      ) : null}
      {picture === undefined ? null : (
        <Section title="Time">
          <UnitTime {...picture} {...{ zone, currency, path }} />
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
