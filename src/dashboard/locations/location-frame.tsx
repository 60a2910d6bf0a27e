import type { ComponentChildren } from 'preact';
import type { Place } from '../frame/page.js';
import { Tabs, Trail } from '../parts/layout.js';
import { SandboxMark, type ToldClock } from '../parts/sandbox-mark.js';

const PARTS = [
  ['', 'Units'],
  ['/tenants', 'Tenants'],
  ['/equipment', 'Locks, zones and gates'],
  ['/policy', 'Policy'],
  ['/forecast', 'Forecast'],
] as const;

type LocationPart = (typeof PARTS)[number][0];

interface LocationFrameProps {
  readonly location: { readonly location_id: string; readonly company_id: string; readonly timezone: string };
  readonly company: { readonly name: string; readonly clock: ToldClock | null };
  readonly current: LocationPart;
  readonly children: ComponentChildren;
}

/** What is around each part of a location's page. */
export function LocationFrame({
  location: { location_id, company_id, timezone },
  company,
  current,
  children,
}: LocationFrameProps) {
  const path = locationPath(location_id);
  return (
    <>
      <Trail
        to={[
          ['/dashboard/companies', 'Companies'],
          [`/dashboard/companies/${company_id}`, company.name],
        ]}
      />
      <SandboxMark clock={company.clock} zone={timezone} />
      <Tabs of={linksOf(location_id)} current={`${path}${current}`} inSideBar />
      {children}
    </>
  );
}

function linksOf(location_id: string): Place['links'] {
  const path = locationPath(location_id);
  return PARTS.map(([part, text]) => [`${path}${part}`, text]);
}

/** The location of a page, for the side bar. */
export function placeOf(
  { location_id, name }: { readonly location_id: string; readonly name: string },
  current?: LocationPart,
): Place {
  const links = linksOf(location_id);
  return current === undefined
    ? { name, links }
    : { name, links, current: `${locationPath(location_id)}${current}` };
}

/** Title and side bar of a location's page. */
export function aboutPart(
  location: { readonly location_id: string; readonly name: string },
  current: LocationPart,
) {
  const tab = PARTS.find(([part]) => part === current)![1];
  return { tab, place: placeOf(location, current) };
}

/** The same for a page of something at the location. */
export function aboutThing({ id, name }: { readonly id: string; readonly name: string }, tab?: string) {
  const place = placeOf({ location_id: id, name });
  return tab === undefined ? { place } : { tab, place };
}

export function locationPath(location_id: string): string {
  return `/dashboard/locations/${encodeURIComponent(location_id)}`;
}
