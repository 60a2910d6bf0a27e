import type { VNode } from 'preact';
import { aboutThing } from '../frame/location-frame.js';
import { unitPath } from '../links/paths.js';
import { Page } from '../page/page.js';
import { Section, Trail } from '../parts/layout.js';
import type { UnitDetail } from './unit-detail.js';

interface ActNames {
  readonly title: string;
  /** In the title of the browser's tab. */
  readonly tab: string;
}

/** A page of one act on a unit, for a browser without a script, with the way back to the unit. */
export function actPage(unit: UnitDetail, { title, tab }: ActNames, content: VNode): Page {
  const path = unitPath(unit.unit_id);
  const framed = (
    <>
      <Trail to={[[path, unit.unit_name]]} />
      <Section title={title}>
        {content}
        <p>
          <a href={path}>Cancel</a>
        </p>
      </Section>
    </>
  );
  return new Page(unit.unit_name, framed, 200, aboutThing(unit, tab));
}
