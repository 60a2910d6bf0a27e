import { Catch, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Logger } from '../../config/logger.js';
import { LOGGER } from '../../config/injection-tokens.js';
import type { ApiError } from '../../http/api-error.js';
import { ErrorFilter } from '../../http/error-filter.js';
import { isForeign } from '../../http/same-origin.js';
import { SecurityLog } from '../../http/security-log.js';
import { renderDocument } from './document.js';
import type { Viewer } from './shell.js';
import { withQuery } from '../parts/with-query.js';
import { setHtmlHeaders } from './html-headers.js';
import { Page } from './page.js';
import { Viewers } from './viewers.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many attempts',
  503: 'Not available',
};

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
    adapters: HttpAdapterHost,
    @Inject(LOGGER) logger: Logger,
    security: SecurityLog,
    private readonly viewers: Viewers,
  ) {
    super(adapters, logger, security);
  }

  protected override async answer(error: ApiError, response: Response, request: Request): Promise<void> {
    setHtmlHeaders(response);
    if (error.status === 401) return askToSignIn(request, response);
    if (error.code === 'second_factor_required') {
      response.status(303).setHeader('Location', '/dashboard/account/second-factor');
      response.send('');
      return;
    }
    const asksNoStore = error.status === 429 || error.status >= 500;
    const viewer = asksNoStore ? this.viewers.ofFailed(request) : await this.viewers.ofRefused(request);
    response.send(errorDocument(error, viewer, request));
  }
}

export function errorDocument(error: ApiError, viewer: Viewer | undefined, request: Request): string {
  return renderDocument(pageOf(error, viewer, request), { viewer });
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
          <a href={signInPath(request)}>Sign in</a>
        ) : (
          <a href="/dashboard">To the dashboard</a>
        )}
      </p>
    </>
  );
  return new Page(TITLES[status] ?? (status < 500 ? 'Refused' : 'Something failed'), content, status);
}

/** A link from another site comes without the SameSite=Strict cookie. The browser sends it when this page asks again. */
function askToSignIn(request: Request, response: Response): void {
  response.removeHeader('WWW-Authenticate');
  if (request.method === 'GET' && isForeign(request)) {
    response.setHeader('Refresh', `0; url=${safePath(request.originalUrl)}`);
    response.status(200).send(renderDocument(new Page('One moment', null), { viewer: undefined }));
    return;
  }
  response.status(303).setHeader('Location', signInPath(request));
  response.send('');
}

/** The sign-in, which leads back to the address. */
function signInPath({ method, originalUrl }: Request): string {
  return withQuery('/dashboard/sign-in', { next: method === 'GET' ? originalUrl : undefined });
}

/** A path of the dashboard. Anything else becomes the dashboard itself. */
export function safePath(path: unknown): string {
  const isOurs =
    typeof path === 'string' && /^\/dashboard(?:[/?][\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]*)?$/.test(path);
  return isOurs ? path : '/dashboard';
}
