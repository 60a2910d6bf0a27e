import { Injectable } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { OperatorContext } from '#web/request-context.js';
import { OperatorAdministration, OperatorLogin, Operators } from '#domain/operators/index.js';
import { assertDone, operatorAnswer, originOf } from './operator.answers.js';
import type { PasswordBody } from './operators.dto.js';

/** The account of the operator who asks (decisions §6). */
@Injectable()
export class OwnAccount {
  constructor(
    private readonly operators: Operators,
    private readonly logins: OperatorLogin,
    private readonly administration: OperatorAdministration,
  ) {}

  async readOperator(principal: OperatorPrincipal) {
    return operatorAnswer(await this.operators.assertRights(principal));
  }

  /** Ends every session of the operator. @throws ApiError 422, 429 */
  async changePassword({ current, next }: PasswordBody, context: OperatorContext): Promise<void> {
    const operator = await this.operators.assertRights(context.principal);
    await this.logins.assertPresence(operator, context.principal, current);
    if (next === current && operator.password_state === 'given')
      throw invalidField('next', 'not_allowed', 'The next field must differ from the current password.');
    // If another request changes the password now, it raises `rights_version`, and this change is refused under the lease.
    const changed = await this.administration.change(operator._id, { password: next }, originOf(context));
    assertDone(changed, 'next');
  }
}
