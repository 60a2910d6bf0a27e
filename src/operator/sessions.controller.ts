import { Controller, Delete, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { toTimestamp } from '../config/clock.js';
import { cookieOf, OPERATOR_COOKIE, Public } from '../http/authentication.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/envelope.js';
import type { Acknowledgement, Envelope } from '../http/envelope.js';
import { ValidBody } from '../http/validation/index.js';
import { LoginBody } from './operators.dto.js';
import { OperatorLogin } from './operator-login.js';
import { OperatorSessions } from './operator-sessions.js';
import { Answers, schema } from '../http/index.js';

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
    summary: 'Sign in',
    data: schema.object({ token: schema.text, expires_at: schema.instant }),
    errors: ['unauthorized', 'rate_limited'],
  })
  async login(
    @ValidBody(LoginBody) { email, password }: LoginBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<object>> {
    const { token, expires_at } = await this.logins.login(email, password, request, response);
    return envelope({ token, expires_at: toTimestamp(expires_at) });
  }

  @ForOperators('auditor')
  @Delete()
  @HttpCode(200)
  @Answers({ summary: 'End the session that asks' })
  async logout(@Req() request: Request): Promise<Acknowledgement> {
    await this.sessions.end(credentialOf(request));
    return envelope();
  }
}

/** What the guard has just accepted: the header where there is one, otherwise the dashboard's cookie. */
function credentialOf(request: Request): string {
  const bearer = request.headers.authorization?.slice('bearer '.length);
  return bearer ?? cookieOf(request, OPERATOR_COOKIE) ?? '';
}
