import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { assetPath } from '../assets/assets.js';
import { KeptFormContext } from '../parts/kept-form.js';
import { Refusal, RefusalShown } from '../parts/refusal.js';
import { Unbroken } from '../parts/unbroken.js';
import { COMPLETE, DONE, type Done, type Page, type Refused, WARNINGS } from '../page/page.js';
import { DoorWall, Logo } from './logo.js';
import { Palette, Side, Top, type Viewer } from './shell.js';

interface Frame {
  readonly viewer: Viewer | undefined;
  /** The message about the last action. */
  readonly said?: Done | undefined;
  /** The text in the search box. */
  readonly sought?: string | undefined;
  /** The path of the page, which the side bar marks. */
  readonly path?: string;
  /** The form that is shown as it was sent after the session had ended. */
  readonly kept?: Refused | undefined;
}

/** htmx without the features that the Content-Security-Policy forbids. */
const HTMX = JSON.stringify({ allowEval: false, includeIndicatorStyles: false, historyCacheSize: 0 });

/** A page as HTML, with its frame. */
export function renderDocument(page: Page, { viewer, said, sought, path, kept }: Frame): string {
  const { title, content, about } = page;
  const { refused } = about;
  const head = (
    <>
      {said === undefined ? null : (
        <p class={WARNINGS.has(said) ? 'said warning' : 'said'} role="status" tabIndex={-1} autofocus>
          <Unbroken text={messageOf(said, about)} />
        </p>
      )}
      <div class="title">
        <h1>
          <Unbroken text={about.heading ?? title} />
        </h1>
        {about.mark}
        {about.sub === undefined ? null : <p class="sub">{about.sub}</p>}
        {!about.acts ? null : <div class="acts keeps">{about.acts}</div>}
      </div>
      {refused === undefined || showsRefusal(page) ? null : <Refusal refused={refused} />}
    </>
  );
  const html = render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX} />
        <title>{tabTitle(page)}</title>
        <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
        <link
          rel="preload"
          href={assetPath('inter.woff2')}
          as="font"
          type="font/woff2"
          crossOrigin="anonymous"
        />
        <link rel="stylesheet" href={assetPath('tokens.css')} />
        <link rel="stylesheet" href={assetPath('console.css')} />
        <link rel="stylesheet" href={assetPath('pictures.css')} />
        <link rel="stylesheet" href={assetPath('map.css')} />
        <link rel="stylesheet" href={assetPath('unit.css')} />
        <script src={assetPath('htmx.min.js')} defer />
        <script src={assetPath('dashboard.js')} defer />
        <script src={assetPath('pictures.js')} defer />
        <script src={assetPath('map.js')} defer />
      </head>
      {viewer === undefined ? (
        <Alone>
          {head}
          {content}
        </Alone>
      ) : (
        <body class="framed">
          <Skip />
          <Top viewer={viewer} />
          <Side
            viewer={viewer}
            path={path}
            location_id={about.location?.location_id}
            lockedOut={about.lockedOut}
          />
          <KeptFormContext.Provider value={{ refused: kept, note: () => undefined }}>
            <main id="main" tabIndex={-1}>
              <Beside list={about.beside}>
                {head}
                {content}
              </Beside>
            </main>
            {about.peek}
          </KeptFormContext.Provider>
          <Palette viewer={viewer} location={about.location} sought={sought} />
        </body>
      )}
    </html>,
  );
  return `<!doctype html>${html}`;
}

function Beside({ list, children }: { readonly list: Page['about']['beside']; children: ComponentChildren }) {
  if (list === undefined) return <>{children}</>;
  return (
    <div class="pick-list">
      {list}
      <div>{children}</div>
    </div>
  );
}

function Skip() {
  return (
    <a class="skip" href="#main">
      Skip to the content
    </a>
  );
}

/** The page of one who has not signed in. */
function Alone({ children }: { readonly children: ComponentChildren }) {
  return (
    <body>
      <Skip />
      <div class="gate">
        <main id="main" tabIndex={-1}>
          <div class="gate-box">
            <Logo />
            {children}
          </div>
        </main>
        <DoorWall />
      </div>
    </body>
  );
}

/** Names the location, because units of two locations may have the same name. */
function tabTitle({ title, about: { tab, location } }: Page): string {
  const place = location?.name === title ? [] : (location?.name ?? []);
  return [tab ?? [], title, place, 'Storage Access'].flat().join(' · ');
}

/** Whether a form of the page shows the refusal. The refused form may be gone by now. */
function showsRefusal({ content, about: { acts } }: Page): boolean {
  let shows = false;
  render(
    <RefusalShown.Provider value={() => (shows = true)}>
      {acts}
      {content}
    </RefusalShown.Provider>,
  );
  return shows;
}

function messageOf(said: Done, { outcome, messages }: Pick<Page['about'], 'outcome' | 'messages'>): string {
  const message = messages?.[said] ?? DONE[said];
  return outcome === undefined || COMPLETE.has(said) ? message : `${message} ${outcome}`;
}
