import { render } from 'preact-render-to-string';
import type { OperatorRole } from '../../http/index.js';
import { assetPath } from '../assets/assets.js';
import { Refusal, RefusalTold } from '../parts/refusal.js';
import { mayDo } from '../parts/roles.js';
import type { Page } from './page.js';

/** Who looks at a page. */
export interface Viewer {
  readonly role: OperatorRole;
  /** Null where it is not known now. */
  readonly email: string | null;
}

interface Frame {
  readonly viewer: Viewer | undefined;
  /** What was done just now. */
  readonly said?: string | undefined;
  /** What stands in the box that finds. */
  readonly sought?: string | undefined;
}

/** htmx without what the Content-Security-Policy forbids it. */
const HTMX = JSON.stringify({ allowEval: false, includeIndicatorStyles: false, historyCacheSize: 0 });

/** A page as HTML, with what surrounds every one. */
export function renderDocument({ title, content, refused }: Page, { viewer, said, sought }: Frame): string {
  const html = render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX} />
        <title>{`${title} · Storage Access`}</title>
        <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetPath('dashboard.css')} />
        <script src={assetPath('htmx.min.js')} defer />
        <script src={assetPath('dashboard.js')} defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header viewer={viewer} sought={sought} />
        <main id="main" tabIndex={-1}>
          {said === undefined ? null : (
            <p class="said" role="status">
              {said}
            </p>
          )}
          <h1>{title}</h1>
          {refused === undefined || tellsRefusal(content) ? null : <Refusal refused={refused} />}
          {content}
        </main>
      </body>
    </html>,
  );
  return `<!doctype html>${html}`;
}

/** Whether a form of some content tells why it was refused; the one that was may have gone since its page was loaded. */
function tellsRefusal(content: Page['content']): boolean {
  let tells = false;
  render(<RefusalTold.Provider value={() => (tells = true)}>{content}</RefusalTold.Provider>);
  return tells;
}

function Header({ viewer, sought }: Pick<Frame, 'viewer' | 'sought'>) {
  return (
    <header class="top">
      <a class="brand" href="/dashboard">
        Storage Access
      </a>
      {viewer === undefined ? null : <Navigation viewer={viewer} sought={sought} />}
    </header>
  );
}

function Navigation({ viewer, sought }: { readonly viewer: Viewer; readonly sought: string | undefined }) {
  return (
    <>
      <nav aria-label="Main">
        <a href="/dashboard">Today</a>
        <a href="/dashboard/companies">Companies</a>
        <a href="/dashboard/audit">Audit</a>
        {mayDo(viewer.role, 'admin') ? <a href="/dashboard/operators">Operators</a> : null}
      </nav>
      <form class="find" method="get" action="/dashboard/find" role="search">
        <input
          id="find"
          name="q"
          type="search"
          value={sought}
          aria-label="Find a unit, a tenant, a phone number or a PMS id"
          placeholder="Find (press /)"
          autocomplete="off"
          hx-get="/dashboard/find"
          hx-trigger="input changed delay:250ms"
          hx-target="#found"
          hx-select="#found"
          hx-swap="outerHTML"
        />
        <button class="quiet">Find</button>
      </form>
      <div class="account">
        <a href="/dashboard/account">{viewer.email ?? 'Your account'}</a>
        <form method="post" action="/dashboard/sign-out">
          <button class="quiet">Sign out</button>
        </form>
      </div>
    </>
  );
}
