import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import { OperatorLogin, Operators, SecondFactors } from '#domain/operators/index.js';
import type { CurrentPasswordBody } from './operator-proof.dto.js';
import type { SecondFactorRemovalBody, SecondFactorSetupBody } from './operators.dto.js';

/** The second factor of the operator who asks (decisions §6). */
@Injectable()
export class OwnSecondFactor {
  constructor(
    private readonly operators: Operators,
    private readonly factors: SecondFactors,
    private readonly logins: OperatorLogin,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'operator_require_totp'>,
  ) {}

  async readState(principal: OperatorPrincipal) {
    const { second_factor } = await this.operators.assertRights(principal);
    return {
      set: second_factor !== null,
      required: this.environment.operator_require_totp,
      recovery_codes_left: second_factor?.recovery_hashes.length ?? 0,
    };
  }

  /** Nothing is set until the first code is sent. @throws ApiError 409, 422, 429 */
  async beginSetup({ current }: CurrentPasswordBody, principal: OperatorPrincipal) {
    const operator = await this.operators.assertRights(principal);
    if (operator.second_factor !== null) throw errorOf('second_factor_exists');
    await this.logins.assertPresence(operator, principal, current);
    const begun = this.factors.begin(operator);
    return { ...begun, expires_at: toTimestamp(begun.expires_at) };
  }

  /** Ends the other sessions. @param session the token of the one that stays @throws ApiError 409, 422 */
  async finishSetup(body: SecondFactorSetupBody, context: OperatorContext, session: string) {
    const recovery_codes = await this.factors.set(body, context, session);
    if (typeof recovery_codes === 'string') throw errorOf(recovery_codes);
    return { recovery_codes };
  }

  /** Ends the other sessions. @param session the token of the one that stays @throws ApiError 422, 429 */
  async remove(
    { current, code }: SecondFactorRemovalBody,
    context: OperatorContext,
    session: string,
  ): Promise<void> {
    const { principal } = context;
    await this.logins.assertPresence(await this.operators.assertRights(principal), principal, current);
    const refusal = await this.factors.remove(code, context, session);
    if (refusal !== undefined) throw errorOf(refusal);
  }
}
