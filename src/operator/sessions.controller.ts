import { Controller, Delete, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { toTimestamp } from '../config/clock.js';
import { errorOf } from '../http/api-error.js';
import { Public, sessionTokenOf } from '../http/authentication.js';
import { ForOperators, WithoutSecondFactor } from '../http/operator-access.js';
import { envelope, type Acknowledgement, type Envelope } from '../http/pipeline/answer.js';
import { Answers } from '../http/openapi/answers.js';
import * as schema from '../http/openapi/schemas.js';
import { ValidBody } from '../http/validation/valid.js';
import { LoginBody } from './operators.dto.js';
import { OperatorLogin } from './operator-login.js';
import { OperatorSessions } from './operator-sessions.js';

/** Signing in and out of the operator API (decisions §6). */
@Controller('api/operator/sessions')
export class SessionsController {
  constructor(
    private readonly logins: OperatorLogin,
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
    errors: ['unauthorized', 'code_required', 'code_invalid', 'rate_limited'],
  })
  async login(
    @ValidBody(LoginBody) body: LoginBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<object>> {
    const opened = await this.logins.login(body, { request, response });
    if ('ticket' in opened) throw errorOf('code_required');
    const { token, expires_at } = opened;
    return envelope({ token, expires_at: toTimestamp(expires_at) });
  }

  @ForOperators('auditor')
  @WithoutSecondFactor()
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
