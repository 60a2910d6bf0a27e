import type { ComponentChildren, VNode } from 'preact';
import { Page, type Refused } from '../page/page.js';
import { Tabs, Trail } from '../parts/layout.js';
import { SandboxMark, type ShownClock } from '../parts/sandbox-mark.js';
import { locationPath } from '../links/paths.js';

const PARTS = [
  ['', 'Units'],
  ['/tenants', 'Tenants'],
  ['/equipment', 'Locks, zones and gates'],
  ['/hours', 'Hours'],
  ['/contact', 'Contact'],
  ['/texts', 'Texts'],
  ['/sharing', 'Sharing'],
  ['/policy', 'Policy'],
  ['/forecast', 'Forecast'],
] as const;

type LocationPart = (typeof PARTS)[number][0];

interface Framed {
  readonly location: {
    readonly location_id: string;
    readonly company_id: string;
    readonly name: string;
    readonly timezone: string;
  };
  readonly company: { readonly name: string; readonly clock: ShownClock | null };
}

interface Head {
  /** The title of a thing at the location. Absent: the location's name. */
  readonly title?: string;
  /** Absent: the part's. */
  readonly tab?: string;
  readonly refused?: Refused | undefined;
  /** What an action did, after its message. */
  readonly outcome?: string | undefined;
  /** Soft text beside the heading. */
  readonly sub?: ComponentChildren;
  /** The button for new things. */
  readonly acts?: ComponentChildren;
  /** A list beside the page, from which it was chosen. */
  readonly beside?: VNode;
}

/** A page of a location. @param current the part that it belongs to */
export function locationPage(
  { location, company }: Framed,
  current: LocationPart,
  content: ComponentChildren,
  { title, tab, refused, outcome, ...head }: Head = {},
): Page {
  const { location_id, company_id, name } = location;
  const path = locationPath(location_id);
  const framed = (
    <>
      {title === undefined ? null : <Trail to={[[path, name]]} />}
      <SandboxMark clock={company.clock} zone={location.timezone} />
      <Tabs
        of={PARTS.map(([part, text]) => [`${path}${part}`, text] as const)}
        current={`${path}${current}`}
        label="Parts of this site"
      />
      {content}
    </>
  );
  return new Page(title ?? name, framed, refused?.status, {
    tab: tab ?? PARTS.find(([part]) => part === current)![1],
    company_id,
    ...(outcome !== undefined && { outcome }),
    ...head,
    location: { location_id, name },
  });
}

interface Placed {
  readonly company_id: string;
  readonly location: { readonly id: string; readonly name: string };
}

/** Title and side bar for a page of something at a location. */
export function aboutThing({ company_id, location: { id, name } }: Placed, tab?: string) {
  const about = { company_id, location: { location_id: id, name } };
  return tab === undefined ? about : { ...about, tab };
}
