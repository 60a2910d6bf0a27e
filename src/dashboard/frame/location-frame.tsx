import type { ComponentChildren, VNode } from 'preact';
import { type LockedOutBySite, Page, type Refused } from '../page/page.js';
import { Counted, Tabs, Trail } from '../parts/layout.js';
import { SandboxMark, type ShownClock } from '../parts/sandbox-mark.js';
import { recentText } from '../parts/words.js';
import { locationPath } from '../links/paths.js';
import type { SiteCounts, SiteHead } from './site-head.reader.js';

const PARTS = [
  ['', 'Units'],
  ['/tenants', 'Tenants'],
  ['/equipment', 'Equipment'],
  ['/passes', 'Passes'],
  ['/hours', 'Hours'],
  ['/policy', 'Policy'],
  ['/contact', 'Contact'],
  ['/texts', 'Texts'],
  ['/sharing', 'Sharing'],
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
  readonly head: SiteHead;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

interface Head {
  /** The title of a thing at the location. Absent: the location's name. */
  readonly title?: string;
  /** Absent: the part's. */
  readonly tab?: string;
  readonly refused?: Refused | undefined;
  /** What an action did, after its message. */
  readonly outcome?: string | undefined;
  /** The state beside the heading. */
  readonly mark?: ComponentChildren;
  /** Soft text beside the heading. */
  readonly sub?: ComponentChildren;
  /** The button for new things. */
  readonly acts?: ComponentChildren;
  /** A list beside the page, from which it was chosen. */
  readonly beside?: VNode;
  /** The panel about one row or tile. */
  readonly peek?: VNode;
}

interface SitePageHead extends Head {
  /** Locked-out units of the location, as the page counted them. */
  readonly lockedOut?: number | undefined;
  /** Tenants who rent, as the page counted them. Undefined: it did not. */
  readonly renting?: number | undefined;
  /** Locks, zones and gates, as the page counted them. Undefined: it did not. */
  readonly equipment?: number | undefined;
}

/** A page of a location. @param current the part that it belongs to */
export function locationPage(
  { location, company, head: site, now }: Framed,
  current: LocationPart,
  content: ComponentChildren,
  { title, tab, refused, outcome, sub, lockedOut, renting, equipment, ...head }: SitePageHead = {},
): Page {
  const { location_id, company_id, name } = location;
  const path = locationPath(location_id);
  const counts = asCounted(site.counts, { tenants: renting, equipment });
  const framed = (
    <>
      {title === undefined ? null : <Trail to={[[path, name]]} />}
      <SandboxMark clock={company.clock} zone={location.timezone} />
      <Tabs
        of={PARTS.map(([part, text]) => [
          `${path}${part}`,
          <Counted text={text} count={countOf(part, counts)} />,
        ])}
        current={`${path}${current}`}
        label="Parts of this site"
      />
      {content}
    </>
  );
  return new Page(title ?? name, framed, refused?.status, {
    tab: tab ?? PARTS.find(([part]) => part === current)![1],
    company_id,
    lockedOut: bySite(location_id, lockedOut),
    ...(outcome !== undefined && { outcome }),
    ...head,
    sub:
      title === undefined && company.clock === null ? (
        <Sub said={sub} synced={site.synced_at} zone={location.timezone} now={now} />
      ) : (
        sub
      ),
    location: { location_id, name },
  });
}

/**
 * A page of a thing at a location, without the parts of the location.
 * @param trail the way to it behind the location; undefined: the page shows where it is itself
 */
export function thingPage(
  { location, company }: Framed,
  trail: readonly (readonly [href: string, text: string])[] | undefined,
  content: ComponentChildren,
  { title, refused, outcome, ...head }: Head & { readonly title: string },
): Page {
  const { location_id, company_id, name, timezone } = location;
  const framed = (
    <>
      {trail === undefined ? null : <Trail to={[[locationPath(location_id), name], ...trail]} />}
      <SandboxMark clock={company.clock} zone={timezone} />
      {content}
    </>
  );
  return new Page(title, framed, refused?.status, {
    company_id,
    ...(outcome !== undefined && { outcome }),
    ...head,
    location: { location_id, name },
  });
}

/** Things that a tab counts. */
const COUNTED: Readonly<Partial<Record<LocationPart, keyof SiteCounts>>> = {
  '': 'units',
  '/tenants': 'tenants',
  '/equipment': 'equipment',
  '/passes': 'passes',
};

function countOf(part: LocationPart, counts: SiteCounts): number | undefined {
  const counted = COUNTED[part];
  return counted && (counts[counted] || undefined);
}

interface SubProps {
  /** What a page says beside the name of the site. */
  readonly said: ComponentChildren;
  readonly synced: number | null;
  readonly zone: string;
  readonly now: number;
}

/** `107 of 120 rented, PMS seen today 11:13 AM` */
function Sub({ said, synced, zone, now }: SubProps) {
  if (synced === null) return <>{said}</>;
  return (
    <span title="When your PMS last called for any site of the company, or was last read. What it sent may have been refused.">
      {said === undefined ? 'PMS seen' : <>{said}, PMS seen</>}{' '}
      <time dateTime={new Date(synced).toISOString()}>{recentText(synced, zone, now, 'within')}</time>
    </span>
  );
}

function bySite(location_id: string, units: number | undefined): LockedOutBySite {
  return new Map(units === undefined ? [] : [[location_id, units]]);
}

/** What the page counted itself takes the place of what was counted before. */
function asCounted(counts: SiteCounts, { tenants, equipment }: Partial<SiteCounts>): SiteCounts {
  return {
    ...counts,
    tenants: tenants ?? counts.tenants,
    equipment: equipment ?? counts.equipment,
  };
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
