import { Get, Inject, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { ApiError } from '#kernel/errors/api-error.js';
import { OPERATOR_COOKIE, Public } from '#web/authentication.js';
import { cookieOf } from '#web/cookies.js';
import {
  ForOperators,
  ForSiteOperators,
  WithoutOwnPassword,
  WithoutSecondFactor,
} from '#web/operator-access.js';
import { SecurityLog } from '#web/security-log.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { type OpenedSession, OperatorLogin, OperatorSessions } from '#domain/operators/index.js';
import { HttpBrowsers, LoginBody, SignInCodeBody } from '#api/operator/index.js';
import { SignOn } from '#domain/sign-on/index.js';
import { PublicAddress } from '#web/public-address.js';
import { Page, type Refused, SeeOther } from '../page/page.js';
import { safePath } from '../frame/page-errors.js';
import { Pages } from '../frame/pages.js';
import { leadOn } from '../page/lead-on.js';
import { codePage, signInPage } from './sign-in-page.js';
import { dropSession, keepSession } from './session-cookie.js';

interface SignInForm {
  readonly email?: string;
  readonly password?: string;
  readonly next?: string;
}

interface CodeForm {
  readonly ticket?: string;
  readonly code?: string;
  readonly next?: string;
}

const OVER = 'That took too long, or your account has changed. Sign in again.';

/** Signing in and out of the dashboard: the same sessions as the operator API's, in a cookie (decisions §6). */
@Pages('dashboard')
export class SignInPages {
  constructor(
    private readonly logins: OperatorLogin,
    private readonly browsers: HttpBrowsers,
    private readonly sessions: OperatorSessions,
    private readonly security: SecurityLog,
    private readonly signOns: SignOn,
    private readonly address: PublicAddress,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'production' | 'sign_on'>,
  ) {}

  @Public()
  @Get('sign-in')
  form(@PlainQuery() { next }: { readonly next?: string }): Page {
    return this.#page(next);
  }

  @Public()
  @Post('sign-in')
  async signIn(
    @ObjectBody() { next, ...form }: SignInForm,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    try {
      const signIn = await this.logins.login(validForm(LoginBody, form), this.browsers.browserOf(request));
      return signIn.kind === 'code_due'
        ? codePage({ ticket: signIn.ticket, next })
        : this.#signedIn(signIn.session, { request, next });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      this.security.refused(error, request);
      return this.#page(next, this.#refusedBy(error, form)).with(error.headers);
    }
  }

  /** The second step of a sign-in with a second factor. */
  @Public()
  @Post('sign-in/code')
  async enterCode(
    @ObjectBody() { next, ticket, code }: CodeForm,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    try {
      const given = validForm(SignInCodeBody, { ticket, code });
      const session = await this.logins.finish(given.ticket, given.code, this.browsers.browserOf(request));
      return this.#signedIn(session, { request, next });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      this.security.refused(error, request);
      const { status, message, errors = {} } = error;
      const isOver = error.code === 'unauthorized' || errors['ticket'] !== undefined;
      if (isOver) return this.#page(next, { form: 'sign-in', values: {}, status, message: OVER, errors: {} });
      const refused = { form: 'code', values: {}, status, message, errors };
      return codePage({ ticket: ticket!, next }, refused).with(error.headers);
    }
  }

  #signedIn(
    session: OpenedSession,
    {
      request,
      next,
    }: {
      readonly request: Request;
      readonly next: string | undefined;
    },
  ): SeeOther {
    keepSession(session, { request, production: this.environment.production });
    return new SeeOther(safePath(next));
  }

  @ForOperators('auditor')
  @ForSiteOperators('own')
  @WithoutSecondFactor()
  @WithoutOwnPassword()
  @Post('sign-out')
  async signOut(@Req() request: Request): Promise<Page | SeeOther> {
    const token = cookieOf(request, OPERATOR_COOKIE) ?? '';
    await this.sessions.end(token);
    dropSession({ request, production: this.environment.production });
    const back = `${this.address.originFor(request)}/dashboard/sign-in`;
    const elsewhere = await this.signOns.signOutUrl(token, back);
    const { sign_on } = this.environment;
    if (sign_on === undefined || elsewhere === undefined)
      return new SeeOther('/dashboard/sign-in', 'signed_out');
    return leadOn(elsewhere, `Sign out of ${sign_on.label}, too`);
  }

  #page(next: string | undefined, refused?: Refused): Page {
    const { sign_on } = this.environment;
    return signInPage({ next, sign_on, refused });
  }

  #refusedBy({ status, code, message, errors = {} }: ApiError, { email }: SignInForm): Refused {
    return { form: 'sign-in', values: { email }, status, message: this.#wordsOf(code) ?? message, errors };
  }

  #wordsOf(code: ApiError['code']): string | undefined {
    const { sign_on } = this.environment;
    if (code === 'unauthorized') return 'The e-mail or the password is wrong.';
    if (code !== 'sign_on_required' || sign_on === undefined) return undefined;
    return `Passwords are off. Sign in with ${sign_on.label}.`;
  }
}
