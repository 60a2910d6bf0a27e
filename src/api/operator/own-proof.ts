import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { isLinked, mayUsePassword, Operators } from '#domain/operators/index.js';

/** By what an operator proves to be there, where a form asks for it. */
export type ProofAsked =
  /** A sign-on a few minutes ago did. */
  | { readonly by: 'sign_on_before'; readonly label: string }
  | { readonly by: 'password' }
  | { readonly by: 'password_or_sign_on'; readonly label: string }
  /** There is no password that counts. */
  | { readonly by: 'sign_on'; readonly label: string };

/** How the operator who asks proves to be there (decisions §6). */
@Injectable()
export class OwnProof {
  constructor(
    private readonly operators: Operators,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'sign_on'>,
  ) {}

  /** @throws ApiError 401 */
  async readAsked(principal: OperatorPrincipal): Promise<ProofAsked> {
    const operator = await this.operators.assertRights(principal);
    const { sign_on } = this.environment;
    if (sign_on === undefined || !isLinked(operator, sign_on)) return { by: 'password' };
    const { label } = sign_on;
    if (principal.is_present === true) return { by: 'sign_on_before', label };
    return { by: mayUsePassword(operator, sign_on) ? 'password_or_sign_on' : 'sign_on', label };
  }
}
