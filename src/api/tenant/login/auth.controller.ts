import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { errorOf, invalidField, serviceUnavailable } from '#kernel/errors/api-error.js';
import { Authenticated, Public } from '#web/authentication.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { ClientAddresses } from '#web/client-address.js';
import { Answers } from '#web/openapi/answers.js';
import { type Acknowledgement, type Envelope, envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { ValidBody } from '#web/validation/parameters.js';
import { TENANT_PREFIXES } from '#web/versions.js';
import { phoneIn, PhoneNumber } from '../phone-number.dto.js';
import { OtpVerification } from './auth.dto.js';
import { LimitedLogin } from './login-limit.js';
import {
  ATTEMPTS,
  type LoginNetwork,
  LoginNetworks,
  OtpLimits,
  OtpRequests,
  REQUESTS,
  SmsUnavailableError,
  TenantLogin,
  TenantSessions,
} from '#domain/tenants/index.js';
import { LoginAnswers } from './login-answer.js';
import { type LoginAnswer, LOGIN_SCHEMA } from './login.schemas.js';

const SMS_RETRY_SECONDS = 5;

/** Login of tenants' apps by phone and one-time code (specification §4.2). */
@Controller(TENANT_PREFIXES.map((prefix) => `${prefix}/auth`))
export class AuthController {
  constructor(
    private readonly requests: OtpRequests,
    private readonly limits: OtpLimits,
    private readonly login: TenantLogin,
    private readonly sessions: TenantSessions,
    private readonly answers: LoginAnswers,
    private readonly addresses: ClientAddresses,
    private readonly networks: LoginNetworks,
  ) {}

  @Public()
  @LimitedLogin(REQUESTS.name)
  @Post('phone')
  @HttpCode(200)
  @Answers({
    id: 'requestCode',
    quota: 'answers',
    description:
      'Sends a code of six digits by SMS. A new code replaces the one before. Each network where the phone signed in before has a code of its own, and all others share one. Between two codes there are at least 30 s, otherwise 429. A phone that no account has is 422 `phone_unknown`.',
    summary: 'Have a code sent by SMS',
    message: 'OTP sent successfully.',
    errors: ['phone_unknown', 'rate_limited', 'sms_unavailable'],
  })
  async requestOtp(
    @ValidBody(PhoneNumber) body: PhoneNumber,
    @Req() request: Request,
  ): Promise<Acknowledgement> {
    const from = await this.#networkOf(body, request);
    const outcome = await this.requests.request(from).catch(answerSmsFailure);
    if (outcome.kind === 'unknown_phone') throw errorOf('phone_unknown');
    if (outcome.kind === 'cooling_down') throw this.limits.tooSoon(outcome.wait);
    return envelope(undefined, 'OTP sent successfully.');
  }

  @Public()
  @LimitedLogin(ATTEMPTS.name)
  @Post('verify-otp')
  @HttpCode(200)
  @Answers({
    id: 'verifyCode',
    quota: 'answers',
    description:
      'Answers a session (`TenantSession`), or the accounts to choose from (`AccountChoice`) if the phone has several and no `tenant_id` is given. The code stays good for that second request. It ends with the login, after 5 minutes, or after 5 wrong tries.',
    summary: 'Sign in with the code',
    message: 'Login successful.',
    data: LOGIN_SCHEMA,
    errors: ['phone_unknown', 'otp_invalid', 'rate_limited'],
  })
  async verifyOtp(
    @ValidBody(OtpVerification) body: OtpVerification,
    @Req() request: Request,
  ): Promise<Envelope<LoginAnswer>> {
    const from = await this.#networkOf(body, request);
    const outcome = await this.login.verifyOtp(from, body.otp, body.tenant_id);
    switch (outcome.kind) {
      case 'logged_in':
        return envelope(this.answers.loggedIn(outcome.session, outcome.account), 'Login successful.');
      case 'several':
        return envelope(await this.answers.several(outcome.accounts), 'Multiple accounts found.');
      case 'wrong_code':
        throw errorOf('otp_invalid');
      case 'unknown_phone':
        throw errorOf('phone_unknown');
      case 'wrong_tenant':
        throw invalidField('tenant_id', 'unknown_value', 'The selected tenant id is invalid.');
    }
  }

  @Authenticated('tenant')
  @Post('logout')
  @HttpCode(200)
  @Answers({
    id: 'logout',
    description: 'The token is refused from then on.',
    summary: 'End the session that asks',
  })
  async logout(@Context() { principal }: RequestContext<TenantPrincipal>): Promise<Acknowledgement> {
    await this.sessions.end(principal.session_id);
    return envelope();
  }

  #networkOf(body: PhoneNumber, request: Request): Promise<LoginNetwork> {
    return this.networks.findNetwork(phoneIn(body), this.addresses.networkOf(request));
  }
}

function answerSmsFailure(error: unknown): never {
  throw error instanceof SmsUnavailableError
    ? serviceUnavailable(SMS_RETRY_SECONDS, 'sms_unavailable')
    : error;
}
