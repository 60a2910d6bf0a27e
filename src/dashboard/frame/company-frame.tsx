import type { ComponentChildren } from 'preact';
import { DEFAULT_CURRENCY, usualTimezone } from '#domain/locations/index.js';
import { Trail } from '../parts/layout.js';
import { zoneText } from '../parts/words.js';
import { SandboxMark, type ShownClock } from '../parts/sandbox-mark.js';

interface CompanyName {
  readonly company_id: string;
  readonly name: string;
}

interface FramedCompany extends CompanyName {
  /** Null unless the company is a sandbox. */
  readonly clock: ShownClock | null;
  readonly locations: readonly { readonly timezone: string }[];
}

interface CompanyFrameProps {
  readonly company: FramedCompany;
  /** The list that a page of one thing belongs to. */
  readonly above?: readonly [href: string, text: string];
  readonly children: ComponentChildren;
}

/** The head of a company's pages. The side bar leads to the others. */
export function CompanyFrame({ company: { clock, locations }, above, children }: CompanyFrameProps) {
  return (
    <>
      {above === undefined ? null : <Trail to={[above]} />}
      <SandboxMark clock={clock} zone={zoneOf(locations)} />
      {children}
    </>
  );
}

/** The time zone of a company's pages: the one of most of its locations. */
export function zoneOf(locations: readonly { readonly timezone: string }[]): string {
  return usualTimezone(locations.map(({ timezone }) => timezone));
}

/** The time zone of times that belong to no location, where the locations have several. */
export function ZoneHint({ locations }: Pick<FramedCompany, 'locations'>) {
  const zone = zoneOf(locations);
  if (locations.every(({ timezone }) => timezone === zone)) return null;
  return <p class="hint">Time zone of these times: {zoneText(zone)}.</p>;
}

/** For choices: companies of the same name get the end of their identifier. */
export function distinctNames(companies: readonly CompanyName[]): CompanyName[] {
  return companies.map(({ company_id, name }) => {
    const isShared = companies.some((one) => one.name === name && one.company_id !== company_id);
    return { company_id, name: isShared ? `${name} (…${company_id.slice(-6)})` : name };
  });
}

type OfLocation = (location_id: string | undefined) => string;
export type ZoneOfLocation = OfLocation;

/** The time zone of each location, for lists with several locations. Without a location it is {@link zoneOf}. */
export function zonesOf(
  locations: readonly { readonly location_id: string; readonly timezone: string }[],
): ZoneOfLocation {
  return eachOf(locations, ({ timezone }) => timezone, zoneOf(locations));
}

/** The currency of each location, for lists with several locations. */
export function currenciesOf(
  locations: readonly { readonly location_id: string; readonly currency: string }[],
): OfLocation {
  return eachOf(locations, ({ currency }) => currency, DEFAULT_CURRENCY);
}

/** @param usual without a location */
function eachOf<Location extends { readonly location_id: string }>(
  locations: readonly Location[],
  valueOf: (location: Location) => string,
  usual: string,
): OfLocation {
  const values = new Map<string | undefined, string>(
    locations.map((location) => [location.location_id, valueOf(location)]),
  );
  return (location_id) => values.get(location_id) ?? usual;
}
