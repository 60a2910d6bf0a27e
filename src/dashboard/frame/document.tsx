import { render } from 'preact-render-to-string';
import { assetPath } from '../assets/assets.js';
import { Refusal, RefusalShown } from '../parts/refusal.js';
import { Unbroken } from '../parts/unbroken.js';
import { COMPLETE, DONE, type Done, type Page, WARNINGS } from '../page/page.js';
import { Side, Top, type Viewer } from './shell.js';

interface Frame {
  readonly viewer: Viewer | undefined;
  /** The message about the last action. */
  readonly said?: Done | undefined;
  /** The text in the search box. */
  readonly sought?: string | undefined;
  /** The path of the page, which the side bar marks. */
  readonly path?: string;
}

/** htmx without the features that the Content-Security-Policy forbids. */
const HTMX = JSON.stringify({ allowEval: false, includeIndicatorStyles: false, historyCacheSize: 0 });

/** A page as HTML, with its frame. */
export function renderDocument(page: Page, { viewer, said, sought, path }: Frame): string {
  const { title, content, about } = page;
  const { refused, outcome } = about;
  const html = render(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX} />
        <title>{tabTitle(page)}</title>
        <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetPath('dashboard.css')} />
        <link rel="stylesheet" href={assetPath('pictures.css')} />
        <script src={assetPath('htmx.min.js')} defer />
        <script src={assetPath('dashboard.js')} defer />
        <script src={assetPath('pictures.js')} defer />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Top viewer={viewer} sought={sought} company_id={about.company_id} />
        <div class={viewer === undefined ? 'shell alone' : 'shell'}>
          {viewer === undefined ? null : <Side viewer={viewer} of={about} path={path} />}
          <main id="main" tabIndex={-1}>
            {said === undefined ? null : (
              <p class={WARNINGS.has(said) ? 'said warning' : 'said'} role="status" tabIndex={-1} autofocus>
                <Unbroken text={messageOf(said, outcome)} />
              </p>
            )}
            <h1>
              <Unbroken text={title} />
            </h1>
            {refused === undefined || showsRefusal(content) ? null : <Refusal refused={refused} />}
            {content}
          </main>
        </div>
      </body>
    </html>,
  );
  return `<!doctype html>${html}`;
}

/** Names the location, because units of two locations may have the same name. */
function tabTitle({ title, about: { tab, location } }: Page): string {
  const place = location?.name === title ? [] : (location?.name ?? []);
  return [tab ?? [], title, place, 'Storage Access'].flat().join(' · ');
}

/** Whether a form in the content shows the refusal. The refused form may be gone by now. */
function showsRefusal(content: Page['content']): boolean {
  let shows = false;
  render(<RefusalShown.Provider value={() => (shows = true)}>{content}</RefusalShown.Provider>);
  return shows;
}

function messageOf(said: Done, outcome: string | undefined): string {
  return outcome === undefined || COMPLETE.has(said) ? DONE[said] : `${DONE[said]} ${outcome}`;
}
