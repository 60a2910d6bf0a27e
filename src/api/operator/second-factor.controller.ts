import { Controller, Get, HttpCode, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { sessionTokenOf } from '#web/authentication.js';
import { Answers } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';
import { ForOperators, ForSiteOperators, WithoutSecondFactor } from '#web/operator-access.js';
import { type Acknowledgement, envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { HoldsSecrets } from '#web/route-options.js';
import { ValidBody } from '#web/validation/parameters.js';
import { CurrentPasswordBody } from './operator-proof.dto.js';
import { SecondFactorRemovalBody, SecondFactorSetupBody } from './operators.dto.js';
import { OwnSecondFactor } from './own-second-factor.js';

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
@ForSiteOperators('own')
@WithoutSecondFactor()
@Controller('api/operator/session/second-factor')
export class SecondFactorController {
  constructor(private readonly factor: OwnSecondFactor) {}

  @Get()
  @Answers({
    id: 'getSecondFactor',
    description:
      '`required` holds for every operator: without a factor all other routes answer 403 `second_factor_required`.',
    summary: 'Read whether the own second factor is set',
    data: STATE,
  })
  async state(@Context() { principal }: OperatorContext) {
    return envelope(await this.factor.readState(principal));
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
    @ValidBody(CurrentPasswordBody) body: CurrentPasswordBody,
    @Context() { principal }: OperatorContext,
  ) {
    return envelope(await this.factor.beginSetup(body, principal));
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
    return envelope(await this.factor.finishSetup(body, context, sessionTokenOf(request)));
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
    @ValidBody(SecondFactorRemovalBody) body: SecondFactorRemovalBody,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ): Promise<Acknowledgement> {
    await this.factor.remove(body, context, sessionTokenOf(request));
    return envelope();
  }
}
