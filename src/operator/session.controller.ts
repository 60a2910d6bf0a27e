import { Controller, Get, Patch } from '@nestjs/common';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators, WithoutSecondFactor } from '../http/operator-access.js';
import { type Acknowledgement, envelope } from '../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { ValidBody } from '../http/validation/valid.js';
import { OperatorAdministration } from './operator-administration.js';
import { OperatorLogin } from './operator-login.js';
import { originOf, demandDone, operatorAnswer } from './operators.controller.js';
import { PasswordBody } from './operators.dto.js';
import { Operators } from './operators.js';
import { OPERATOR_SCHEMA } from './facility.schemas.js';

/** The signed-in operator, and their password (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/session')
export class SessionController {
  constructor(
    private readonly operators: Operators,
    private readonly logins: OperatorLogin,
    private readonly administration: OperatorAdministration,
  ) {}

  @Get()
  @WithoutSecondFactor()
  @Answers({
    id: 'getSession',
    description: 'Role and scope as they are now.',
    summary: 'Read who has signed in',
    data: OPERATOR_SCHEMA,
  })
  async who(@Context() { principal }: OperatorContext) {
    return envelope(operatorAnswer(await this.operators.demandRights(principal)));
  }

  @Patch('password')
  @Answers({
    id: 'changePassword',
    quota: 'refusals',
    description: 'Ends every session of the operator, this one too.',
    summary: 'Change the own password; all sessions end',
    errors: ['rate_limited'],
  })
  async changePassword(
    @ValidBody(PasswordBody) { current, next }: PasswordBody,
    @Context() context: OperatorContext,
  ): Promise<Acknowledgement> {
    const operator = await this.operators.demandRights(context.principal);
    await this.logins.demandPassword(operator, current);
    // If another request changes the password now, it raises `rights_version`, and this change is refused under the lease.
    const changed = await this.administration.change(operator._id, { password: next }, originOf(context));
    demandDone(changed, 'next');
    return envelope();
  }
}
