import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/injection-tokens.js';
import { ApiError } from '../../http/api-error.js';
import { OPERATOR_COOKIE, Public } from '../../http/authentication.js';
import { cookieOf } from '../../http/cookies.js';
import { ForOperators, WithoutSecondFactor } from '../../http/operator-access.js';
import { SecurityLog } from '../../http/security-log.js';
import { ObjectBody, PlainQuery, validForm } from '../../http/validation/valid.js';
import {
  type Browser,
  LoginBody,
  type OpenedSession,
  OperatorLogin,
  OperatorSessions,
  SignInCodeBody,
} from '../../operator/index.js';
import { Page, type Refused, SeeOther } from '../frame/page.js';
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
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    try {
      const opened = await this.logins.login(validForm(LoginBody, form), { request, response });
      if ('ticket' in opened) return codePage({ ticket: opened.ticket, next });
      return this.#signedIn(opened, { request, response, next });
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
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page | SeeOther> {
    try {
      const given = validForm(SignInCodeBody, { ticket, code });
      const session = await this.logins.finish(given.ticket, given.code, { request, response });
      return this.#signedIn(session, { request, response, next });
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
    { request, response, next }: Browser & { readonly next: string | undefined },
  ): SeeOther {
    keepSession(session, { request, response, production: this.environment.production });
    return new SeeOther(safePath(next));
  }

  @ForOperators('auditor')
  @WithoutSecondFactor()
  @Post('sign-out')
  async signOut(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SeeOther> {
    await this.sessions.end(cookieOf(request, OPERATOR_COOKIE) ?? '');
    dropSession({ request, response, production: this.environment.production });
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
