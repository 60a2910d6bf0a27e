import type { OperatorRole } from '#kernel/principals.js';
import { mayDo } from '../parts/roles.js';
import { withQuery } from '../links/with-query.js';
import type { Page } from '../page/page.js';

/** The operator who looks at a page. */
export interface Viewer {
  readonly role: OperatorRole;
  /** Null: unknown at the moment. */
  readonly email: string | null;
}

const SIDE = 'side';

interface TopProps {
  /** Absent for one who has not signed in. */
  readonly viewer: Viewer | undefined;
  /** The text in the search box. */
  readonly sought: string | undefined;
  /** The company of the page. */
  readonly company_id: string | undefined;
}

/** One row above every page. On a narrow screen its first button opens the side bar. */
export function Top({ viewer, sought, company_id }: TopProps) {
  return (
    <header class="top">
      {viewer === undefined ? null : (
        <button type="button" class="menu quiet" popovertarget={SIDE} aria-label="Menu">
          ☰
        </button>
      )}
      <a class="brand" href={todayOf(company_id)}>
        Storage Access
      </a>
      {viewer === undefined ? null : <SearchBox sought={sought} />}
    </header>
  );
}

function SearchBox({ sought }: Pick<TopProps, 'sought'>) {
  return (
    <form class="find" method="get" action="/dashboard/find" role="search" aria-label="Everything">
      <input
        id="find"
        name="q"
        type="text"
        value={sought}
        role="combobox"
        aria-label="Find a unit, tenant, phone number, company, location, gate or serial number"
        aria-autocomplete="list"
        aria-controls="hits"
        aria-expanded="false"
        aria-keyshortcuts="/ Control+K"
        placeholder="Find"
        autocomplete="off"
        maxLength={255}
      />
      <button class="quiet" name="open" value="only">
        Find
      </button>
      <div id="hits" role="listbox" aria-label="Found" hidden />
      <p id="hits-said" class="unseen" role="status" />
    </form>
  );
}

/** Without a company it is the day of the first one. */
function todayOf(company_id: string | undefined): string {
  return withQuery('/dashboard', { company_id });
}

interface SideProps {
  readonly viewer: Viewer;
  readonly of: Pick<Page['about'], 'location' | 'company_id'>;
  /** The path of the page. */
  readonly path: string | undefined;
}

/** The side bar: always there on a wide screen, a popover on a narrow one. */
export function Side({ viewer: { role, email }, of: { location, company_id }, path }: SideProps) {
  const parts: (readonly [href: string, text: string])[] = [
    ['/dashboard/companies', 'Companies'],
    ['/dashboard/audit', 'Audit'],
  ];
  if (mayDo(role, 'admin')) parts.push(['/dashboard/operators', 'Operators']);
  return (
    <div class="side" id={SIDE} popover="auto">
      <nav aria-label="Main">
        <a href={todayOf(company_id)} aria-current={path === '/dashboard' ? 'page' : undefined}>
          Today
        </a>
        {parts.map(([href, text]) => (
          <a key={href} href={href} aria-current={currentIn(href, path)}>
            {text}
          </a>
        ))}
      </nav>
      {location === undefined ? null : (
        <nav aria-label={location.name}>
          <p class="place">{location.name}</p>
          {location.links.map(([href, text]) => (
            <a key={href} href={href} aria-current={href === location.current ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
      )}
      <nav class="account" aria-label="Account">
        <a href="/dashboard/account">
          Your account{email === null ? null : <span class="hint"> {email}</span>}
        </a>
        <form method="post" action="/dashboard/sign-out">
          <button class="quiet">Sign out</button>
        </form>
      </nav>
    </div>
  );
}

/** Pages below a part mark it, too. */
function currentIn(part: string, path = '') {
  if (path === part) return 'page';
  return path.startsWith(`${part}/`) ? 'true' : undefined;
}
