import { Controller, Get, Patch } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import {
  ForOperators,
  ForSiteOperators,
  WithoutOwnPassword,
  WithoutSecondFactor,
} from '#web/operator-access.js';
import { type Acknowledgement, envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ValidBody } from '#web/validation/parameters.js';
import { PasswordBody } from './operators.dto.js';
import { OPERATOR_SCHEMA } from './facility.schemas.js';
import { OwnAccount } from './own-account.js';

/** The signed-in operator, and their password (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('own')
@Controller('api/operator/session')
export class SessionController {
  constructor(private readonly account: OwnAccount) {}

  @Get()
  @WithoutSecondFactor()
  @WithoutOwnPassword()
  @Answers({
    id: 'getSession',
    description: 'Role and scope as they are now.',
    summary: 'Read who has signed in',
    data: OPERATOR_SCHEMA,
  })
  async who(@Context() { principal }: OperatorContext) {
    return envelope(await this.account.readOperator(principal));
  }

  @Patch('password')
  @WithoutOwnPassword()
  @Answers({
    id: 'changePassword',
    quota: 'refusals',
    description: 'Ends every session of the operator, this one too.',
    summary: 'Change the own password; all sessions end',
    errors: ['rate_limited'],
  })
  async changePassword(
    @ValidBody(PasswordBody) body: PasswordBody,
    @Context() context: OperatorContext,
  ): Promise<Acknowledgement> {
    await this.account.changePassword(body, context);
    return envelope();
  }
}
