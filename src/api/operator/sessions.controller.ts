import { Controller, Delete, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { toTimestamp } from '#kernel/timestamp.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { Public, sessionTokenOf } from '#web/authentication.js';
import {
  ForOperators,
  ForSiteOperators,
  WithoutOwnPassword,
  WithoutSecondFactor,
} from '#web/operator-access.js';
import { type Acknowledgement, envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';
import { ValidBody } from '#web/validation/parameters.js';
import { HttpBrowsers } from './http-browsers.js';
import { LoginBody } from './operators.dto.js';
import { OperatorLogin, OperatorSessions } from '#domain/operators/index.js';

/** Signing in and out of the operator API (decisions §6). */
@Controller('api/operator/sessions')
export class SessionsController {
  constructor(
    private readonly logins: OperatorLogin,
    private readonly browsers: HttpBrowsers,
    private readonly sessions: OperatorSessions,
  ) {}

  @Public()
  @Post()
  @Answers({
    id: 'signIn',
    quota: 'answers',
    headers: ['Set-Cookie'],
    description:
      'Answers a session of 12 h that ends after 60 min without a request. 5 failed sign-ins in 60 s for an address, or 20 from one client, answer 429.',
    summary: 'Sign in',
    data: schema.object({
      token: schema.says('Send it as `Authorization: Bearer`. It is shown only here.', schema.text),
      expires_at: schema.says('Instant at which the session ends at the latest.', schema.instant),
    }),
    errors: ['unauthorized', 'code_required', 'code_invalid', 'sign_on_required', 'rate_limited'],
  })
  async login(@ValidBody(LoginBody) body: LoginBody, @Req() request: Request) {
    const signIn = await this.logins.login(body, this.browsers.browserOf(request));
    if (signIn.kind === 'code_due') throw errorOf('code_required');
    const { token, expires_at } = signIn.session;
    return envelope({ token, expires_at: toTimestamp(expires_at) });
  }

  @ForOperators('auditor')
  @ForSiteOperators('own')
  @WithoutSecondFactor()
  @WithoutOwnPassword()
  @Delete()
  @HttpCode(200)
  @Answers({
    id: 'signOut',
    description: 'The token, or the cookie, is refused from then on. Other sessions stay.',
    summary: 'End the session that asks',
  })
  async logout(@Req() request: Request): Promise<Acknowledgement> {
    await this.sessions.end(sessionTokenOf(request));
    return envelope();
  }
}
