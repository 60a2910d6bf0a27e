import { Catch, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { ApiError } from '#kernel/errors/api-error.js';
import { ErrorFilter } from '#web/error-filter.js';
import { Answer, errorHeaders } from '#web/pipeline/answer.js';
import { FinishedAnswers } from '#web/pipeline/finished-answers.js';
import { Refusals } from '#web/refusals.js';
import { isForeign } from '#web/same-origin.js';
import { renderDocument } from './document.js';
import type { Viewer } from './shell.js';
import { KeptForms } from './kept-forms.js';
import { withQuery } from '../links/with-query.js';
import { HTML_HEADERS } from './html-headers.js';
import { type Done, Page, SeeOther } from '../page/page.js';
import { Viewers } from './viewers.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many attempts',
  503: 'Not available',
};

const UNCACHED = { ...HTML_HEADERS, 'Cache-Control': 'no-store' };

const ADVICE: Readonly<Record<number, string>> = {
  403: 'Your role does not allow this. An admin can give you another role.',
  404: 'There is no such page, or nothing by that name that you may see.',
  503: 'A store cannot be reached at the moment. Try again shortly; nothing was lost.',
};

/** Renders errors as pages. Without a session it redirects to the sign-in. */
@Injectable()
@Catch()
export class PageErrors extends ErrorFilter {
  constructor(
    refusals: Refusals,
    answers: FinishedAnswers,
    private readonly viewers: Viewers,
    private readonly keptForms: KeptForms,
  ) {
    super(refusals, answers);
  }

  protected override async answerTo(error: ApiError, request: Request): Promise<Answer> {
    if (error.status === 401) return this.#askToSignIn(request);
    if (error.code === 'password_change_required') return redirectTo('/dashboard/account/password');
    if (error.code === 'second_factor_required') return redirectTo('/dashboard/account/second-factor');
    const asksNoStore = error.status === 429 || error.status >= 500;
    const viewer = asksNoStore
      ? this.viewers.findViewerOfFailed(request)
      : await this.viewers.findViewerOfRefused(request);
    const html = renderDocument(pageOf(error, viewer, request), { viewer });
    return new Answer(error.status, { ...errorHeaders(error), ...HTML_HEADERS }, html);
  }

  async #askToSignIn(request: Request): Promise<Answer> {
    const isKept = mayBeKept(request) && (await this.keptForms.keep(request, pageOfForm(request)));
    const path = signInPath(request, isKept ? 'form_kept' : 'session_ended');
    // htmx would look in the page of the sign-in for the part that it wants.
    if (isByHtmx(request)) return new Answer(200, { ...UNCACHED, 'HX-Redirect': path }, '');
    if (request.method !== 'GET' || !isForeign(request)) return redirectTo(path);
    return askOnceMore(request);
  }
}

function pageOf(
  { status, message, errors = {} }: ApiError,
  viewer: Viewer | undefined,
  request: Request,
): Page {
  const content = (
    <>
      <p>{message}</p>
      {Object.values(errors)
        .flat()
        .map((fault) => (
          <p key={fault}>{fault}</p>
        ))}
      {status in ADVICE ? <p>{ADVICE[status]}</p> : null}
      {status === 403 && request.method === 'POST' ? <p>Or another site sent this form.</p> : null}
      <p>
        {viewer === undefined ? (
          <a class="button primary" href={signInPath(request)}>
            Sign in
          </a>
        ) : (
          <a class="button primary" href="/dashboard">
            To the dashboard
          </a>
        )}
      </p>
    </>
  );
  return new Page(TITLES[status] ?? (status < 500 ? 'Refused' : 'Something failed'), content, status);
}

/** A link from another site comes without the SameSite=Strict cookie. The browser sends it when this page asks again. */
function askOnceMore(request: Request): Answer {
  const headers = { ...UNCACHED, Refresh: `0; url=${safePath(request.originalUrl)}` };
  return new Answer(200, headers, renderDocument(new Page('One moment', null), { viewer: undefined }));
}

function isByHtmx({ headers }: Request): boolean {
  return headers['hx-request'] === 'true';
}

function redirectTo(location: string): Answer {
  return new Answer(303, { ...UNCACHED, Location: location }, '');
}

function isOwnForm(request: Request): boolean {
  return request.method === 'POST' && !isForeign(request);
}

/** Whoever signs out wants no form back. */
function mayBeKept(request: Request): boolean {
  return isOwnForm(request) && request.path !== SIGN_OUT;
}

/** The sign-in, which leads back to the address, or to the page of the form or the part that was asked for. */
function signInPath(request: Request, said: Done = 'session_ended'): string {
  const isRead = request.method === 'GET';
  if (isRead && !isByHtmx(request)) return withQuery(SIGN_IN, { next: request.originalUrl });
  if (isRead) return withQuery(SIGN_IN, { next: pageOfForm(request) });
  if (!isOwnForm(request)) return SIGN_IN;
  if (request.path === SIGN_OUT) return new SeeOther(SIGN_IN, 'signed_out').location;
  return new SeeOther(withQuery(SIGN_IN, { next: pageOfForm(request) }), said).location;
}

const SIGN_IN = '/dashboard/sign-in';
const SIGN_OUT = '/dashboard/sign-out';

/** The page that sent a form, as it was before any action. Undefined: the browser does not say, or it is none of ours. */
function pageOfForm({ headers: { referer } }: Request): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, searchParams } = new URL(referer);
  searchParams.delete('done');
  const path = withQuery(pathname, Object.fromEntries(searchParams));
  return safePath(path) === path ? path : undefined;
}

/** A path of the dashboard. Anything else becomes the dashboard itself. */
export function safePath(path: unknown): string {
  const isOurs =
    typeof path === 'string' && /^\/dashboard(?:[/?][\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]*)?$/.test(path);
  return isOurs ? path : '/dashboard';
}
