import type { ComponentChildren } from 'preact';
import type { OperatorRole } from '#kernel/principals.js';
import { companyPath, locationPath, todayPath } from '../links/paths.js';
import { addPath } from '../parts/drawer.js';
import { Icon, type IconName } from '../parts/icon.js';
import { capitalized } from '../parts/labels.js';
import { mayDo } from '../parts/roles.js';
import { countText } from '../parts/words.js';
import { distinctNames } from './company-frame.js';
import { Logo } from './logo.js';
import type { LockedOutBySite } from '../page/page.js';
import type { SideBar, SideSite } from './side-bar.reader.js';

/** The operator who looks at a page. */
export interface Viewer {
  readonly role: OperatorRole;
  /** Null: unknown at the moment. */
  readonly email: string | null;
  /** Only an operator of all companies may register one; one of sites has no settings. */
  readonly scope: 'all' | 'companies' | 'sites';
  /** Undefined where there is no company, or no store to ask. */
  readonly sideBar: SideBar | undefined;
}

const SIDE = 'side';
const PALETTE = 'palette';
const COMPANIES = 'companies';
const ACCOUNT = 'account';

interface ShellProps {
  readonly viewer: Viewer;
  /** The path of the page. */
  readonly path?: string | undefined;
  /** The site that the page belongs to. */
  readonly location_id?: string | undefined;
  /** What the page has counted itself. */
  readonly lockedOut?: LockedOutBySite | undefined;
}

/** The row above a page on a narrow screen. */
export function Top({ viewer: { sideBar } }: Pick<ShellProps, 'viewer'>) {
  return (
    <header class="top">
      <button type="button" class="button ghost only" popovertarget={SIDE} aria-label="Menu">
        <Icon name="menu-2" />
      </button>
      <Logo />
      <b>{sideBar?.company.name ?? 'Storage Access'}</b>
      <button type="button" class="button ghost only" popovertarget={PALETTE} aria-label="Find or do">
        <Icon name="search" />
      </button>
    </header>
  );
}

/** The side bar: always there on a wide screen, a popover on a narrow one. */
export function Side({ viewer, path, location_id, lockedOut }: ShellProps) {
  const { role, scope, email, sideBar } = viewer;
  return (
    <>
      <div class="side" id={SIDE} popover="auto">
        <CompanyHead viewer={viewer} />
        <button class="jump" type="button" popovertarget={PALETTE} aria-keyshortcuts="/ Control+K">
          <Icon name="search" kind="s" />
          <span>Find or do</span>
          <kbd>Ctrl K</kbd>
        </button>
        <Work sideBar={sideBar} path={path} />
        {sideBar === undefined ? null : <Sites of={sideBar} {...{ role, path, location_id, lockedOut }} />}
        {scope === 'sites' ? null : <Settings role={role} sideBar={sideBar} path={path} />}
        <div class="side-foot">
          <button class="me" type="button" popovertarget={ACCOUNT}>
            <span class="avatar" aria-hidden="true">
              {email === null ? '–' : email.slice(0, 2).toUpperCase()}
            </span>
            <span>
              <span>{email ?? 'Your account'}</span>
              <span class="soft">{capitalized(role)}</span>
            </span>
            <Icon name="dots" />
          </button>
        </div>
      </div>
      <Companies viewer={viewer} />
      <nav class="menu up" id={ACCOUNT} popover="auto" aria-label="Account">
        <a href="/dashboard/account">
          <Icon name="user" />
          Your account
        </a>
        <form method="post" action="/dashboard/sign-out">
          <button class="item">
            <Icon name="logout" />
            Sign out
          </button>
        </form>
      </nav>
    </>
  );
}

function CompanyHead({ viewer }: Pick<ShellProps, 'viewer'>) {
  const name = (
    <>
      <Logo />
      <span class="company-name">
        <b>{viewer.sideBar?.company.name ?? 'Storage Access'}</b>
        Storage Access
      </span>
    </>
  );
  if (!hasChoice(viewer)) return <div class="company">{name}</div>;
  return (
    <button class="company" type="button" popovertarget={COMPANIES}>
      {name}
      <Icon name="selector" />
    </button>
  );
}

/** An operator of one company, who may register none, has nothing to switch to. */
function hasChoice({ sideBar, role, scope }: Viewer): boolean {
  return (sideBar?.companies.length ?? 0) > 1 || (scope === 'all' && mayDo(role, 'manager'));
}

function Companies({ viewer }: Pick<ShellProps, 'viewer'>) {
  if (!hasChoice(viewer)) return null;
  const { sideBar } = viewer;
  return (
    <nav class="menu from-start" id={COMPANIES} popover="auto" aria-label="Company">
      <p class="menu-head">Company</p>
      {sideBar &&
        distinctNames(sideBar.companies).map(({ company_id, name }) => {
          const isShown = company_id === sideBar.company.company_id;
          return (
            <a key={company_id} href={todayPath(company_id)} aria-current={isShown ? 'true' : undefined}>
              <Icon name={isShown ? 'check' : 'building-warehouse'} />
              {name}
            </a>
          );
        })}
      <hr />
      <a href="/dashboard/companies">
        <Icon name="layout-grid" />
        All companies
      </a>
    </nav>
  );
}

interface WorkProps {
  readonly sideBar: SideBar | undefined;
  readonly path: string | undefined;
}

/** A gate is chosen from the list of the company's gates. */
function isGatePage(path = ''): boolean {
  return path.startsWith('/dashboard/entry-points/');
}

function companyIn(sideBar: SideBar | undefined): string | undefined {
  return sideBar && companyPath(sideBar.company.company_id);
}

function Work({ sideBar, path }: WorkProps) {
  const company = companyIn(sideBar);
  const today = sideBar === undefined ? '/dashboard' : todayPath(sideBar.company.company_id);
  return (
    <nav aria-label="Main">
      <ul>
        <SideLink href={today} icon="home" isCurrent={path === '/dashboard' ? 'page' : undefined}>
          Today
        </SideLink>
        {sideBar === undefined ? (
          <SideLink href="/dashboard/companies" icon="building-warehouse" path={path}>
            Companies
          </SideLink>
        ) : null}
        {company === undefined ? null : (
          <>
            <SideLink href={`${company}/units`} icon="layout-grid" path={path}>
              Units
            </SideLink>
            <SideLink href={`${company}/tenants`} icon="users" path={path}>
              Tenants
            </SideLink>
            <SideLink
              href={`${company}/gates`}
              icon="barrier-block"
              isCurrent={isGatePage(path) ? 'true' : currentIn(`${company}/gates`, path)}
            >
              Gates
            </SideLink>
            <SideLink href={`${company}/changes`} icon="history" path={path}>
              Changes
            </SideLink>
          </>
        )}
      </ul>
    </nav>
  );
}

interface SideLinkProps {
  readonly href: string;
  readonly icon?: IconName;
  /** Pages below the link's own mark it, too. */
  readonly path?: string | undefined;
  readonly isCurrent?: 'page' | 'true' | undefined;
  readonly children: ComponentChildren;
}

function SideLink({ href, icon, path, isCurrent = currentIn(href, path), children }: SideLinkProps) {
  return (
    <li>
      <a href={href} aria-current={isCurrent}>
        {icon === undefined ? null : <Icon name={icon} />}
        {children}
      </a>
    </li>
  );
}

interface SitesProps extends Omit<ShellProps, 'viewer'> {
  readonly of: SideBar;
  readonly role: OperatorRole;
}

function Sites({ of, role, path, location_id, lockedOut }: SitesProps) {
  const { sites } = of;
  const all = companyPath(of.company.company_id);
  return (
    <nav aria-label="Sites">
      <p class="side-head">
        <a href={all} aria-current={path === all ? 'page' : undefined}>
          Sites
        </a>
        {of.isWhole && mayDo(role, 'manager') ? (
          <a class="button ghost only small" href={addPath(all, 'location')} aria-label="Add site">
            <Icon name="plus" />
          </a>
        ) : null}
      </p>
      <ul>
        {sites.map((site) => (
          <SideLink
            key={site.location_id}
            href={locationPath(site.location_id)}
            isCurrent={siteMark(site, path, location_id)}
          >
            <span class="site-mark" />
            {site.name}
            <LockedOut of={site} now={lockedOut?.get(site.location_id)} />
          </SideLink>
        ))}
      </ul>
    </nav>
  );
}

function siteMark(site: SideSite, path: string | undefined, location_id: string | undefined) {
  if (path === locationPath(site.location_id)) return 'page';
  if (isGatePage(path)) return undefined;
  return site.location_id === location_id ? 'true' : undefined;
}

interface LockedOutProps {
  readonly of: SideSite;
  /** Undefined: the page has not counted them. */
  readonly now: number | undefined;
}

function LockedOut({ of: { locked_out, counted }, now }: LockedOutProps) {
  const units = now ?? locked_out ?? 0;
  if (units === 0) return null;
  const when = now === undefined ? `, counted at ${counted ?? 'an unknown time'}` : '';
  return (
    <span class="badge" title={`${countText(units, 'unit')} locked out${when}`}>
      {units.toLocaleString('en-US')}
      <span class="unseen"> {units === 1 ? 'unit' : 'units'} locked out</span>
    </span>
  );
}

interface SettingsProps extends WorkProps {
  readonly role: OperatorRole;
}

function Settings({ role, sideBar, path }: SettingsProps) {
  const company = companyIn(sideBar);
  const isAdmin = mayDo(role, 'admin');
  // The pages of one source and of one webhook have addresses of their own.
  const links: (readonly [href: string, text: string, also?: string])[] = [['/dashboard/audit', 'Audit']];
  if (isAdmin) links.push(['/dashboard/operators', 'Operators']);
  if (isAdmin && company !== undefined) links.push([`${company}/api-tokens`, 'API', `${company}/webhooks`]);
  if (company !== undefined)
    links.push([`${company}/pull-sources`, 'Pull sources', '/dashboard/pull-sources']);
  const marked = links.map(([href, text, also]) => {
    const isBelow = also !== undefined && currentIn(also, path) !== undefined;
    return { href, text, isCurrent: currentIn(href, path) ?? (isBelow ? 'true' : undefined) };
  });
  return (
    <nav aria-label="Settings">
      <details open={marked.some(({ isCurrent }) => isCurrent !== undefined)}>
        <summary>
          <Icon name="settings" />
          Settings
          <Icon name="chevron-right" kind="s turn" />
        </summary>
        <ul>
          {marked.map(({ href, text, isCurrent }) => (
            <SideLink key={href} {...{ href, isCurrent }}>
              {text}
            </SideLink>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** Pages below a part mark it, too. */
function currentIn(part: string, path = ''): 'page' | 'true' | undefined {
  if (path === part) return 'page';
  return path.startsWith(`${part}/`) ? 'true' : undefined;
}

interface PaletteProps extends Pick<ShellProps, 'viewer'> {
  /** The site that the page belongs to. */
  readonly location: { readonly location_id: string } | undefined;
  /** The text in the field. */
  readonly sought: string | undefined;
}

/** Finds everything. Without a script its form leads to a page of results. */
export function Palette({ viewer: { sideBar }, location, sought }: PaletteProps) {
  return (
    <div class="palette" id={PALETTE} popover="auto" role="dialog" aria-label="Find or do">
      <form method="get" action="/dashboard/find" role="search" aria-label="Everything">
        <Icon name="search" />
        <input
          id="find"
          name="q"
          type="text"
          value={sought}
          role="combobox"
          aria-label="Find a unit, tenant, phone number, company, site, gate, serial number or page"
          aria-autocomplete="list"
          aria-controls="hits"
          aria-expanded="false"
          placeholder="Find, or say what to do: let in B147"
          autocomplete="off"
          maxLength={255}
          autofocus
        />
        {sideBar && <input type="hidden" name="company_id" value={sideBar.company.company_id} />}
        {location && <input type="hidden" name="location_id" value={location.location_id} />}
        <button class="button ghost small" name="open" value="only">
          Find
        </button>
      </form>
      <div id="hits" class="palette-part" role="listbox" aria-label="Found" hidden />
      <p id="hits-said" class="unseen" role="status" />
      <div class="palette-foot">
        <p id="hits-keys" class="keys" hidden>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> choose
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          <span>
            <kbd>Esc</kbd> close
          </span>
        </p>
        <p>
          Type the beginning of a name, a unit, a gate or a site, the last digits of a phone, or a page such
          as Policy or Hours; or let in, lock out, move in, move out, call or text and one of them.
        </p>
      </div>
    </div>
  );
}
