import { Controller, Get, Patch } from '@nestjs/common';
import {
  Answers,
  Context,
  type Acknowledgement,
  envelope,
  ForOperators,
  type OperatorPrincipal,
  unauthorized,
  validationFailed,
  ValidBody,
  type OperatorContext,
} from '../http/index.js';
import { OperatorAdministration } from './operator-administration.js';
import { OperatorLogin } from './operator-login.js';
import { operatorAnswer } from './operators.controller.js';
import { PasswordBody } from './operators.dto.js';
import { type OperatorRecord, Operators } from './operators.js';
import { OPERATOR_SCHEMA } from './facility.schemas.js';

/** Who has signed in, and their password (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/session')
export class SessionController {
  constructor(
    private readonly operators: Operators,
    private readonly logins: OperatorLogin,
    private readonly administration: OperatorAdministration,
  ) {}

  @Get()
  @Answers({ summary: 'Read who has signed in', data: OPERATOR_SCHEMA })
  async who(@Context() { principal }: OperatorContext) {
    return envelope(operatorAnswer(await this.#operator(principal)));
  }

  /** Ends every session of the operator, the one that asks too. */
  @Patch('password')
  @Answers({ summary: 'Change the own password; all sessions end', errors: ['rate_limited'] })
  async changePassword(
    @ValidBody(PasswordBody) { current, next }: PasswordBody,
    @Context() context: OperatorContext,
  ): Promise<Acknowledgement> {
    const operator = await this.#operator(context.principal);
    if (!(await this.logins.confirms(operator, current))) {
      throw validationFailed({ current: ['The current field is incorrect.'] });
    }
    await this.administration.change(operator._id, { password: next }, context);
    return envelope();
  }

  /** Removed since the session was looked at: it holds no more. */
  async #operator({ id }: OperatorPrincipal): Promise<OperatorRecord> {
    const operator = await this.operators.byId(id);
    if (operator === undefined) throw unauthorized();
    return operator;
  }
}
