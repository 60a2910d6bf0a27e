import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { CompanyDirectory } from '../companies/index.js';
import { toTimestamp } from '../config/clock.js';
import { type ApiError, errorOf, invalidField, validationFailed } from '../http/api-error.js';
import type { OperatorPrincipal } from '../http/authentication.js';
import type { Fault, FieldFault } from '../http/field-fault.js';
import { Answers } from '../http/openapi/answers.js';
import * as schema from '../http/openapi/schemas.js';
import { ForOperators, isInScope } from '../http/operator-access.js';
import { type Acknowledgement, envelope } from '../http/pipeline/answer.js';
import { isPossibleId } from '../http/possible-id.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { fieldFault, ValidBody } from '../http/validation/valid.js';
import { isInScopeOf, OperatorAdministration, type OperatorRefusal } from './operator-administration.js';
import type { ChangeOrigin } from './operator-lease.js';
import { NewOperatorBody, OperatorChangeBody } from './operators.dto.js';
import { type OperatorRecord, Operators } from './operators.js';
import { OPERATOR_SCHEMA } from './facility.schemas.js';

/** Administration of operators (decisions §6). An admin of some companies sees only operators of these companies. */
@ForOperators('admin')
@Controller('api/operator/operators')
export class OperatorsController {
  constructor(
    private readonly operators: Operators,
    private readonly administration: OperatorAdministration,
    private readonly companies: CompanyDirectory,
  ) {}

  @Get()
  @Answers({
    id: 'listOperators',
    description: 'An admin of some companies sees only operators of these companies.',
    summary: 'List operators',
    data: schema.object({ operators: schema.says('All operators.', schema.list(OPERATOR_SCHEMA)) }),
  })
  async list(@Context() { principal }: OperatorContext) {
    const operators = (await this.operators.all()).filter((one) => isInScopeOf(one.companies, principal));
    return envelope({ operators: operators.map(operatorAnswer) });
  }

  @Post()
  @Answers({
    id: 'createOperator',
    description:
      'The e-mail must be free and the password hard to guess (422). `companies` must be companies that you see yourself.',
    summary: 'Add an operator',
    data: OPERATOR_SCHEMA,
  })
  async add(@ValidBody(NewOperatorBody) body: NewOperatorBody, @Context() context: OperatorContext) {
    const { companies = null, disabled = false, ...rest } = body;
    await this.#demandCompanies(companies, context.principal);
    const added = await this.administration.add({ ...rest, companies, disabled }, originOf(context));
    return envelope(operatorAnswer(demandDone(added)));
  }

  @Patch(':operator_id')
  @Answers({
    id: 'changeOperator',
    description:
      'Fields left out stay. A changed password or role ends the sessions. The last admin stays (409).',
    summary: 'Change an operator',
    data: OPERATOR_SCHEMA,
    errors: ['operator_not_found', 'last_admin'],
  })
  async change(
    @Param('operator_id') operator_id: string,
    @ValidBody(OperatorChangeBody) body: OperatorChangeBody,
    @Context() context: OperatorContext,
  ) {
    await this.#demandWithin(operator_id, context.principal);
    if (body.companies !== undefined) await this.#demandCompanies(body.companies, context.principal);
    const changed = await this.administration.change(operator_id, body, originOf(context));
    return envelope(operatorAnswer(demandDone(changed)));
  }

  @Delete(':operator_id')
  @Answers({
    id: 'removeOperator',
    description: 'The last admin of all companies cannot be removed (409).',
    summary: 'Remove an operator',
    errors: ['operator_not_found', 'last_admin'],
  })
  async remove(
    @Param('operator_id') operator_id: string,
    @Context() context: OperatorContext,
  ): Promise<Acknowledgement> {
    await this.#demandWithin(operator_id, context.principal);
    const refusal = await this.administration.remove(operator_id, originOf(context));
    if (refusal !== undefined) throw answerTo(refusal);
    return envelope();
  }

  @Delete(':operator_id/second-factor')
  @Answers({
    id: 'removeSecondFactorOfOperator',
    description: 'For somebody who lost it. Remove your own with password and code instead (409 here).',
    summary: 'Remove the second factor of another operator; all their sessions end',
    data: OPERATOR_SCHEMA,
    errors: ['operator_not_found', 'own_second_factor'],
  })
  async resetSecondFactor(@Param('operator_id') operator_id: string, @Context() context: OperatorContext) {
    await this.#demandWithin(operator_id, context.principal);
    if (operator_id === context.principal.id) throw errorOf('own_second_factor');
    const changed = await this.administration.removeSecondFactor(operator_id, originOf(context));
    return envelope(operatorAnswer(demandDone(changed)));
  }

  async #demandWithin(operator_id: string, principal: OperatorPrincipal): Promise<OperatorRecord> {
    const operator = isPossibleId(operator_id) ? await this.operators.byId(operator_id) : undefined;
    if (operator === undefined || !isInScopeOf(operator.companies, principal))
      throw answerTo('operator_not_found');
    return operator;
  }

  /** An operator can give another one only companies of the own scope. @throws ApiError 422 */
  async #demandCompanies(companies: readonly string[] | null, principal: OperatorPrincipal): Promise<void> {
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

/** @param password the field that holds the new password @throws ApiError */
export function demandDone(
  outcome: OperatorRecord | OperatorRefusal,
  password: 'password' | 'next' = 'password',
): OperatorRecord {
  if (typeof outcome === 'string') throw answerTo(outcome, password);
  return outcome;
}

export function originOf(context: OperatorContext): ChangeOrigin {
  return { author: context.principal, context };
}

export const TOO_WEAK: Fault = { code: 'too_weak', text: 'must not be common or easily guessed.' };

function answerTo(refusal: OperatorRefusal, password = 'password'): ApiError {
  switch (refusal) {
    case 'operator_not_found':
    case 'last_admin':
      return errorOf(refusal);
    case 'email_taken':
      return invalidField('email', 'taken', 'The email has already been taken.');
    case 'password_guessable':
      return validationFailed([fieldFault(password, TOO_WEAK)]);
  }
}

/** The operator as the API shows it. */
export function operatorAnswer(operator: OperatorRecord) {
  const { _id, email, role, companies, disabled } = operator;
  const second_factor = operator.second_factor !== null;
  const created_at = toTimestamp(operator.created_at);
  return { operator_id: _id, email, role, companies, disabled, second_factor, created_at };
}
