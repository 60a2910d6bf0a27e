import { Injectable } from '@nestjs/common';
import { errorOf, invalidField, validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { isInScope, type OperatorPrincipal } from '#kernel/principals.js';
import type { OperatorContext } from '#web/request-context.js';
import { CompanyDirectory } from '#domain/companies/index.js';
import { isInScopeOf, OperatorAdministration, Operators } from '#domain/operators/index.js';
import { assertDone, operatorAnswer, originOf, refusedOperator } from './operator.answers.js';
import type { NewOperatorBody, OperatorChangeBody } from './operators.dto.js';

/** What admins do to operators (decisions §6). An admin of some companies sees only operators of these companies. */
@Injectable()
export class OperatorAccounts {
  constructor(
    private readonly operators: Operators,
    private readonly administration: OperatorAdministration,
    private readonly companies: CompanyDirectory,
  ) {}

  async listOperators(principal: OperatorPrincipal) {
    const operators = await this.operators.all();
    return operators.filter((one) => isInScopeOf(one.companies, principal)).map(operatorAnswer);
  }

  /** @throws ApiError 422 */
  async addOperator(body: NewOperatorBody, context: OperatorContext) {
    const { companies = null, disabled = false, ...rest } = body;
    await this.#assertCompanies(companies, context.principal);
    const added = await this.administration.add({ ...rest, companies, disabled }, originOf(context));
    return operatorAnswer(assertDone(added));
  }

  /** @throws ApiError 404, 409, 422 */
  async changeOperator(operator_id: string, body: OperatorChangeBody, context: OperatorContext) {
    await this.#assertInScope(operator_id, context.principal);
    if (body.companies !== undefined) await this.#assertCompanies(body.companies, context.principal);
    const changed = await this.administration.change(operator_id, body, originOf(context));
    return operatorAnswer(assertDone(changed));
  }

  /** @throws ApiError 404, 409 */
  async removeOperator(operator_id: string, context: OperatorContext): Promise<void> {
    await this.#assertInScope(operator_id, context.principal);
    const refusal = await this.administration.remove(operator_id, originOf(context));
    if (refusal !== undefined) throw refusedOperator(refusal);
  }

  /** Of another operator. Operators remove their own with password and code. @throws ApiError 404, 409 */
  async removeSecondFactor(operator_id: string, context: OperatorContext) {
    await this.#assertInScope(operator_id, context.principal);
    if (operator_id === context.principal.id) throw errorOf('own_second_factor');
    const changed = await this.administration.removeSecondFactor(operator_id, originOf(context));
    return operatorAnswer(assertDone(changed));
  }

  /** @throws ApiError 404 */
  async #assertInScope(operator_id: string, principal: OperatorPrincipal): Promise<void> {
    const operator = isPossibleId(operator_id) ? await this.operators.byId(operator_id) : undefined;
    if (operator === undefined || !isInScopeOf(operator.companies, principal))
      throw errorOf('operator_not_found');
  }

  /** An operator can give another one only companies of the own scope. @throws ApiError 422 */
  async #assertCompanies(companies: readonly string[] | null, principal: OperatorPrincipal): Promise<void> {
    if (companies === null) {
      if (principal.companies === null) return;
      throw invalidField('companies', 'required', 'The companies field is required.');
    }
    const found = await Promise.all(companies.map((company_id) => this.companies.company(company_id)));
    const faults = companies.flatMap((company_id, index): FieldFault[] => {
      if (found[index] !== undefined && isInScope(principal, company_id)) return [];
      const message = `The companies.${index} field must be a company.`;
      return [{ field: `companies.${index}`, code: 'unknown_value', message }];
    });
    if (faults.length > 0) throw validationFailed(faults);
  }
}
