import { Controller, Get, HttpCode, Inject, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { toTimestamp } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { errorOf } from '../http/api-error.js';
import { sessionTokenOf } from '../http/authentication.js';
import { Answers } from '../http/openapi/answers.js';
import * as schema from '../http/openapi/schemas.js';
import { ForOperators, WithoutSecondFactor } from '../http/operator-access.js';
import { type Acknowledgement, envelope } from '../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { HoldsSecrets } from '../http/route-options.js';
import { ValidBody } from '../http/validation/valid.js';
import { OperatorLogin } from './operator-login.js';
import { Operators } from './operators.js';
import { CurrentPasswordBody, SecondFactorRemovalBody, SecondFactorSetupBody } from './operators.dto.js';
import { SecondFactors } from './second-factors.js';

const { flag, instant, list, named, object, says, text, whole } = schema;

const STATE = named(
  'SecondFactor',
  object({
    set: says('True if a second factor is set.', flag),
    required: says('True if every operator must set one.', flag),
    recovery_codes_left: says('Recovery codes that were not used yet.', whole),
  }),
);
const SETUP = named(
  'SecondFactorSetup',
  object({
    setup: says('Send it back with the first code.', text),
    secret: says('The secret for the authenticator, base32. It is shown only here.', text),
    uri: says('The same as an `otpauth:` address, for a QR code.', text),
    expires_at: says('Instant after which `setup` is refused.', instant),
  }),
);
const CODES = named(
  'RecoveryCodes',
  object({
    recovery_codes: says('Ten codes, each good for one sign-in. They are shown only here.', list(text)),
  }),
);

/** The second factor of the signed-in operator (decisions §6). */
@ForOperators('auditor')
@WithoutSecondFactor()
@Controller('api/operator/session/second-factor')
export class SecondFactorController {
  constructor(
    private readonly operators: Operators,
    private readonly factors: SecondFactors,
    private readonly logins: OperatorLogin,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'operator_require_totp'>,
  ) {}

  @Get()
  @Answers({
    id: 'getSecondFactor',
    description:
      '`required` holds for every operator: without a factor all other routes answer 403 `second_factor_required`.',
    summary: 'Read whether the own second factor is set',
    data: STATE,
  })
  async state(@Context() { principal }: OperatorContext) {
    const { second_factor } = await this.operators.demandRights(principal);
    return envelope({
      set: second_factor !== null,
      required: this.environment.operator_require_totp,
      recovery_codes_left: second_factor?.recovery_hashes.length ?? 0,
    });
  }

  @Post()
  @HttpCode(200)
  @HoldsSecrets()
  @Answers({
    id: 'beginSecondFactor',
    description:
      'Needs the password. The set-up ends after 10 minutes; nothing is set until its first code is sent. With a factor set it is refused (409).',
    quota: 'refusals',
    summary: 'Begin to set the own second factor',
    data: SETUP,
    errors: ['second_factor_exists', 'rate_limited'],
  })
  async begin(
    @ValidBody(CurrentPasswordBody) { current }: CurrentPasswordBody,
    @Context() { principal }: OperatorContext,
  ) {
    const operator = await this.operators.demandRights(principal);
    if (operator.second_factor !== null) throw errorOf('second_factor_exists');
    await this.logins.demandPassword(operator, current);
    const begun = this.factors.begin(operator);
    return envelope({ ...begun, expires_at: toTimestamp(begun.expires_at) });
  }

  @Put()
  @HoldsSecrets()
  @Answers({
    id: 'setSecondFactor',
    description:
      'Send `setup` and the first code. Answers ten recovery codes, shown once. A wrong code or an old set-up is refused (422).',
    summary: 'Set the own second factor; other sessions end',
    data: CODES,
    errors: ['second_factor_exists', 'second_factor_invalid'],
  })
  async set(
    @ValidBody(SecondFactorSetupBody) body: SecondFactorSetupBody,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ) {
    const recovery_codes = await this.factors.set(body, context, sessionTokenOf(request));
    if (typeof recovery_codes === 'string') throw errorOf(recovery_codes);
    return envelope({ recovery_codes });
  }

  @Post('removal')
  @HttpCode(200)
  @Answers({
    id: 'removeSecondFactor',
    description: 'Needs password and code. A wrong one is refused (422); too many of them answer 429.',
    quota: 'refusals',
    summary: 'Remove the own second factor; other sessions end',
    errors: ['second_factor_invalid', 'rate_limited'],
  })
  async remove(
    @ValidBody(SecondFactorRemovalBody) { current, code }: SecondFactorRemovalBody,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ): Promise<Acknowledgement> {
    await this.logins.demandPassword(await this.operators.demandRights(context.principal), current);
    const refusal = await this.factors.remove(code, context, sessionTokenOf(request));
    if (refusal !== undefined) throw errorOf(refusal);
    return envelope();
  }
}
