import { Get, Inject, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '#kernel/errors/api-error.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { SignOnSettings } from '#kernel/environment/sign-on-settings.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { Public } from '#web/authentication.js';
import { ProvenByAddress } from '#web/route-options.js';
import { SecurityLog } from '#web/security-log.js';
import { ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { OperatorInvitations, type OperatorRecord } from '#domain/operators/index.js';
import { assertDone, HttpBrowsers, InvitationBody } from '#api/operator/index.js';
import { Page, type Refused, SeeOther } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { Form } from '../parts/form.js';
import { NewPassword } from './new-password.js';
import { Instant } from '../parts/times.js';
import { SignOnButton } from './sign-in-page.js';

const PATH = '/dashboard/join';
/** The address is the secret, so no page and no file learns it from a `Referer`. */
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' } as const;

/** The page behind an invitation. Opening it changes nothing; its form spends the link (decisions §6). */
@Public()
@Pages('dashboard/join')
export class JoinPages {
  constructor(
    private readonly invitations: OperatorInvitations,
    private readonly browsers: HttpBrowsers,
    private readonly security: SecurityLog,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
  ) {}

  @Get(':token')
  show(@Param('token') token: string, @Req() request: Request): Promise<Page> {
    return this.#answer(request, () => this.#page(token, request));
  }

  @ProvenByAddress()
  @Post(':token')
  join(
    @Param('token') token: string,
    @ObjectBody() form: object,
    @Req() request: Request,
  ): Promise<Page | SeeOther> {
    return this.#answer(request, () =>
      submit({
        form: 'join',
        values: form,
        act: async () => {
          const { password } = validForm(InvitationBody, form);
          const browser = this.browsers.browserOf(request);
          assertDone(await this.invitations.acceptWithPassword(token, password, browser));
          return new SeeOther('/dashboard/sign-in', 'joined');
        },
        again: (refused) => this.#page(token, request, refused),
      }),
    );
  }

  async #page(token: string, request: Request, refused?: Refused): Promise<Page> {
    const operator = await this.invitations.read(token, this.browsers.browserOf(request));
    return joinPage({ token, operator, sign_on: this.environment.sign_on, refused });
  }

  async #answer<T>(request: Request, work: () => Promise<T>): Promise<T | Page> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invitation_invalid') throw error;
      this.security.refused(error, request);
      return overPage();
    }
  }
}

interface JoinProps {
  readonly token: string;
  readonly operator: OperatorRecord;
  readonly sign_on: Pick<SignOnSettings, 'label' | 'only'> | undefined;
  readonly refused: Refused | undefined;
}

function joinPage({ token, operator, sign_on, refused }: JoinProps): Page {
  const { email, invitation } = operator;
  const content = (
    <>
      <p>
        For <b>{email}</b>
        {sign_on?.only === true ? '' : ', with which you sign in'}. This link works once, until{' '}
        <Instant at={invitation!.expires_at} />.
      </p>
      {sign_on === undefined ? null : (
        <SignOnButton label={sign_on.label} path={`${PATH}/${token}/sign-on`} />
      )}
      {sign_on?.only === false ? <p class="or">or with a password</p> : null}
      {sign_on?.only === true ? null : (
        <Form name="join" action={`${PATH}/${token}`} submit="Save the password" refused={refused}>
          {/* Tells password managers whose password it is. Without a name it is not sent. */}
          <input type="hidden" value={email} autocomplete="username" />
          <NewPassword name="password" />
        </Form>
      )}
    </>
  );
  const title = sign_on === undefined ? 'Choose a password' : 'Set up your account';
  return new Page(title, content, refused?.status, { headers: HEADERS });
}

function overPage(): Page {
  const content = (
    <>
      <p>It was used, withdrawn or replaced, or it is older than 7 days. Ask an admin for a new one.</p>
      <p>
        <a href="/dashboard/sign-in">Sign in</a>
      </p>
    </>
  );
  return new Page('This link does not work any more', content, 404, { headers: HEADERS });
}
