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
import { Page, type Refused, SeeOther } from '../page/page.js';
import { safePath } from '../frame/page-errors.js';
import { Pages } from '../frame/pages.js';
import { Field, Form } from '../parts/form.js';
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
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'production'>,
  ) {}

  @Public()
  @Get('sign-in')
  form(@PlainQuery() { next }: { readonly next?: string }): Page {
    return signInPage(next);
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
      return signInPage(next, refusedBy(error, form)).with(error.headers);
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
      if (isOver) return signInPage(next, { form: 'sign-in', values: {}, status, message: OVER, errors: {} });
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
  async signOut(@Req() request: Request): Promise<SeeOther> {
    await this.sessions.end(cookieOf(request, OPERATOR_COOKIE) ?? '');
    dropSession({ request, production: this.environment.production });
    return new SeeOther('/dashboard/sign-in', 'signed_out');
  }
}

function refusedBy({ status, message, errors = {} }: ApiError, { email }: SignInForm): Refused {
  const shown = status === 401 ? 'The e-mail or the password is wrong.' : message;
  return { form: 'sign-in', values: { email }, status, message: shown, errors };
}

function signInPage(next: string | undefined, refused?: Refused): Page {
  const content = (
    <>
      <Form name="sign-in" action="/dashboard/sign-in" submit="Sign in" refused={refused}>
        {/* Of type text: an address is what the operator was made with, whatever a browser takes for one. */}
        <Field name="email" label="E-mail" required autocomplete="username" />
        <Field name="password" label="Password" type="password" required autocomplete="current-password" />
        <input type="hidden" name="next" value={safePath(next)} />
      </Form>
      <p class="hint">
        No account yet? Ask an admin to add you. A new service has one account: its first start printed it, or
        its settings name it.
      </p>
    </>
  );
  return new Page('Sign in', content, refused?.status);
}

function codePage({ ticket, next }: Pick<CodeForm, 'ticket' | 'next'>, refused?: Refused): Page {
  const content = (
    <Form name="code" action="/dashboard/sign-in/code" submit="Sign in" refused={refused}>
      <Field
        name="code"
        label="Code"
        hint="Of your authenticator app, or a recovery code."
        required
        maxLength={64}
        autocomplete="one-time-code"
      />
      <input type="hidden" name="ticket" value={ticket} />
      <input type="hidden" name="next" value={safePath(next)} />
    </Form>
  );
  return new Page('Sign in', content, refused?.status);
}
