import { Injectable } from '@nestjs/common';
import { OperatorLogin, Operators, SecondFactors } from '#domain/operators/index.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { assertRole } from '#web/operator-access.js';
import type { OperatorContext } from '#web/request-context.js';
import type { ProofBody } from './operator-proof.dto.js';

/** For acts that somebody with a stolen session must not do. */
@Injectable()
export class OperatorProof {
  constructor(
    private readonly operators: Operators,
    private readonly logins: OperatorLogin,
    private readonly factors: SecondFactors,
  ) {}

  /**
   * Demands an admin's password, and a code if there is a second factor. A sign-on at the provider a few minutes ago stands for
   * the password, and its second factor for the code.
   * @param proof the field `proof` of the body
   * @throws ApiError 403 for other roles, 422 at the field, 429 after too many wrong tries
   */
  async assertAdmin(proof: ProofBody | undefined, context: OperatorContext): Promise<void> {
    const { principal } = context;
    assertRole(principal, 'admin');
    if (proof === undefined && principal.is_present !== true)
      throw invalidField('proof', 'required', 'The proof field is required.');
    const operator = await this.operators.assertRights(principal);
    await this.logins.assertPresence(operator, principal, proof?.current, 'proof.current');
    if (operator.second_factor === null || principal.has_factor === true) return;
    if (proof?.code === undefined)
      throw invalidField('proof.code', 'required', 'The code field is required.');
    if (!(await this.factors.prove(operator, proof.code, context)))
      throw invalidField('proof.code', 'incorrect', 'The code field is incorrect.');
  }
}
