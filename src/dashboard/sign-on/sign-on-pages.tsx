import { Get, HttpCode, Inject, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { errorOf } from '#kernel/errors/api-error.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { Public } from '#web/authentication.js';
import { cookieOf, setCookie } from '#web/cookies.js';
import { PublicAddress } from '#web/public-address.js';
import { contextOf } from '#web/request-context.js';
import { SecurityLog } from '#web/security-log.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { type Purpose, SignOn, type SignOnRefusal } from '#domain/sign-on/index.js';
import { HttpBrowsers } from '#api/operator/index.js';
import { safePath } from '../frame/page-errors.js';
import { Pages } from '../frame/pages.js';
import { leadOn } from '../page/lead-on.js';
import { Page, SeeOther } from '../page/page.js';
import { keepSession } from '../session/session-cookie.js';
import { codePage, signInPage } from '../session/sign-in-page.js';
import { refusalWords } from './refusal-words.js';

const COOKIE = 'operator_sign_on';
const CALLBACK = '/dashboard/sign-on/callback';
const FINISH = '/dashboard/sign-on/finish';
/** Parameters of the provider's answer. Others are its own. */
const ANSWER = ['code', 'state', 'iss', 'error'];

type Query = Readonly<Record<string, unknown>>;

/**
 * Single sign-on in the dashboard (decisions §6): a link leads to the provider, which sends the browser back to the callback.
 * That page leads on to `finish`, so that the browser sends the cookie that binds the sign-on to it.
 */
@Pages('dashboard')
export class SignOnPages {
  constructor(
    private readonly signOns: SignOn,
    private readonly browsers: HttpBrowsers,
    private readonly address: PublicAddress,
    private readonly security: SecurityLog,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'production' | 'sign_on'>,
  ) {}

  @Public()
  @Get('sign-on')
  begin(@PlainQuery() { next, again }: Query, @Req() request: Request): Promise<Page | SeeOther> {
    const path = typeof next === 'string' ? safePath(next) : undefined;
    return this.#begin({ next: path, invitation: undefined, asks_again: again === '1' }, request);
  }

  /** From the page of an invitation. The link is spent when the person comes back. */
  @Public()
  @Get('join/:token/sign-on')
  join(@Param('token') invitation: string, @Req() request: Request): Promise<Page | SeeOther> {
    return this.#begin({ next: undefined, invitation, asks_again: false }, request);
  }

  @Public()
  @Get('sign-on/callback')
  @HttpCode(200)
  callback(@PlainQuery() query: Query): Page {
    this.#settings();
    return leadOn(`${FINISH}?${answerIn(query).toString()}`, 'Go on');
  }

  @Public()
  @Get('sign-on/finish')
  async finish(@PlainQuery() query: Query, @Req() request: Request): Promise<Page | SeeOther> {
    this.#settings();
    const token = cookieOf(request, COOKIE);
    this.#keep({ value: '', seconds: 0 }, request);
    const answer = { parameters: answerIn(query), redirect_uri: this.#callbackFor(request) };
    const finished = await this.signOns.finish(token, answer, this.browsers.browserOf(request));
    const { next } = finished;
    if (finished.kind === 'refused') return this.#refused(finished, { next, request });
    if (finished.kind === 'code_due') return codePage({ ticket: finished.ticket, next });
    keepSession(finished.session, { request, production: this.environment.production });
    return new SeeOther(safePath(next));
  }

  async #begin(purpose: Purpose, request: Request): Promise<Page | SeeOther> {
    this.#settings();
    const browser = this.browsers.browserOf(request);
    const begun = await this.signOns.begin(purpose, this.#callbackFor(request), browser);
    if (begun.kind === 'refused') return this.#refused(begun, { next: purpose.next, request });
    this.#keep({ value: begun.token, seconds: begun.seconds }, request);
    return new SeeOther(begun.location);
  }

  #refused(
    refused: { readonly reason: SignOnRefusal; readonly fault?: string },
    { next, request }: { readonly next: string | undefined; readonly request: Request },
  ): Page {
    this.security.signOnRefused(refused, request);
    const sign_on = this.#settings();
    const { status, message } = refusalWords(refused.reason, sign_on);
    const shown = { form: 'sign-on', values: {}, status, message, errors: {} };
    return signInPage({ next, sign_on, refused: shown });
  }

  /** @throws ApiError 404 where no provider is set */
  #settings(): SignOnSettings {
    const { sign_on } = this.environment;
    if (sign_on === undefined) throw errorOf('not_found');
    return sign_on;
  }

  #callbackFor(request: Request): string {
    return `${this.address.originFor(request)}${CALLBACK}`;
  }

  #keep(cookie: { readonly value: string; readonly seconds: number }, request: Request): void {
    const { production } = this.environment;
    setCookie(request, contextOf(request)!.headers, { name: COOKIE, ...cookie, production });
  }
}

function answerIn(query: Query): URLSearchParams {
  const given = ANSWER.flatMap((name): [string, string][] => {
    const value = query[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return new URLSearchParams(given);
}
