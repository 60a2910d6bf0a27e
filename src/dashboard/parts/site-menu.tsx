import { Icon } from './icon.js';

interface SiteMenuProps {
  /** What is narrowed, for people who do not see the menu. */
  readonly label: string;
  readonly sites: readonly { readonly location_id: string; readonly name: string }[];
  /** Undefined: all sites. */
  readonly chosen: string | undefined;
  readonly pathOf: (location_id: string | undefined) => string;
}

/** Narrows a page to a site. */
export function SiteMenu({ label, sites, chosen, pathOf }: SiteMenuProps) {
  const site = (one: string | undefined, name: string) => (
    <a key={one} href={pathOf(one)} aria-current={one === chosen ? 'true' : undefined}>
      <Icon name={one === chosen ? 'check' : 'map-pin'} />
      {name}
    </a>
  );
  return (
    <>
      <button type="button" class="button" popovertarget="site-menu">
        {sites.find(({ location_id }) => location_id === chosen)?.name ?? 'All sites'}
        <Icon name="chevron-down" />
      </button>
      <nav class="menu" id="site-menu" popover="auto" aria-label={label}>
        {site(undefined, 'All sites')}
        {sites.map((one) => site(one.location_id, one.name))}
      </nav>
    </>
  );
}
