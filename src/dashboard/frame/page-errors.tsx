import { Catch, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type ApiError, ErrorFilter, isForeign } from '../../http/index.js';
import { renderDocument } from './document.js';
import { setHtmlHeaders } from './html-headers.js';
import { Page } from './page.js';

const TITLES: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many attempts',
  503: 'Not available',
};

const ADVICE: Readonly<Record<number, string>> = {
  403: 'Your role does not allow this, or the form was not sent from this page. An admin can give you another role.',
  404: 'There is no such page, or nothing by that name that you may see.',
  503: 'A store cannot be reached at the moment. Try again shortly; nothing was lost.',
};

/** Answers what a request to the dashboard ended with as a page; whoever is not signed in is led to where one does. */
@Injectable()
@Catch()
export class PageErrors extends ErrorFilter {
  protected override answer(error: ApiError, response: Response, request: Request): void {
    setHtmlHeaders(response);
    if (error.status === 401) return askToSignIn(request, response);
    response.send(renderDocument(pageOf(error), { viewer: undefined }));
  }
}

function pageOf({ status, message, errors = {} }: ApiError): Page {
  const content = (
    <>
      <p>{message}</p>
      {Object.values(errors)
        .flat()
        .map((fault) => (
          <p key={fault}>{fault}</p>
        ))}
      {status in ADVICE ? <p>{ADVICE[status]}</p> : null}
      <p>
        <a href="/dashboard">To the dashboard</a>
      </p>
    </>
  );
  return new Page(TITLES[status] ?? (status < 500 ? 'Refused' : 'Something failed'), content, status);
}

/**
 * A link from an e-mail or another site comes without the cookie, which is SameSite=Strict; the browser sends it once this
 * page itself has asked for the address again.
 */
function askToSignIn(request: Request, response: Response): void {
  response.removeHeader('WWW-Authenticate');
  if (request.method === 'GET' && isForeign(request)) {
    response.setHeader('Refresh', `0; url=${safePath(request.originalUrl)}`);
    response.status(200).send(renderDocument(new Page('One moment', null), { viewer: undefined }));
    return;
  }
  const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.originalUrl)}` : '';
  response.status(303).setHeader('Location', `/dashboard/sign-in${next}`);
  response.send('');
}

/** A path of the dashboard, or the dashboard itself for what is none. */
export function safePath(path: unknown): string {
  const isOurs =
    typeof path === 'string' && /^\/dashboard(?:[/?][\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e]*)?$/.test(path);
  return isOurs ? path : '/dashboard';
}
