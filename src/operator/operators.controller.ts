import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { CompanyDirectory } from '../companies/index.js';
import { toTimestamp } from '../config/clock.js';
import {
  Answers,
  type ApiError,
  conflict,
  Context,
  type Acknowledgement,
  envelope,
  ForOperators,
  isInScope,
  isPossibleId,
  notFound,
  type OperatorPrincipal,
  schema,
  validationFailed,
  ValidBody,
  type OperatorContext,
} from '../http/index.js';
import { OperatorAdministration, type OperatorRefusal } from './operator-administration.js';
import { NewOperatorBody, OperatorChangeBody } from './operators.dto.js';
import { type OperatorRecord, Operators } from './operators.js';
import { OPERATOR_SCHEMA } from './facility.schemas.js';

/** Who runs the facilities (decisions §6). To an admin of some companies there are the operators of none but those. */
@ForOperators('admin')
@Controller('api/operator/operators')
export class OperatorsController {
  constructor(
    private readonly operators: Operators,
    private readonly administration: OperatorAdministration,
    private readonly companies: CompanyDirectory,
  ) {}

  @Get()
  @Answers({ summary: 'List operators', data: schema.object({ operators: schema.list(OPERATOR_SCHEMA) }) })
  async list(@Context() { principal }: OperatorContext) {
    const operators = (await this.operators.all()).filter((one) => isWithin(one.companies, principal));
    return envelope({ operators: operators.map(operatorAnswer) });
  }

  @Post()
  @Answers({ summary: 'Add an operator', data: OPERATOR_SCHEMA })
  async add(@ValidBody(NewOperatorBody) body: NewOperatorBody, @Context() context: OperatorContext) {
    const { companies = null, disabled = false, ...rest } = body;
    await this.#demandCompanies(companies, context.principal);
    const added = await this.administration.add({ ...rest, companies, disabled }, context);
    return envelope(operatorAnswer(demandDone(added)));
  }

  @Patch(':operator_id')
  @Answers({
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
    return envelope(operatorAnswer(demandDone(await this.administration.change(operator_id, body, context))));
  }

  @Delete(':operator_id')
  @Answers({ summary: 'Remove an operator', errors: ['operator_not_found', 'last_admin'] })
  async remove(
    @Param('operator_id') operator_id: string,
    @Context() context: OperatorContext,
  ): Promise<Acknowledgement> {
    await this.#demandWithin(operator_id, context.principal);
    const refusal = await this.administration.remove(operator_id, context);
    if (refusal !== undefined) throw answerTo(refusal);
    return envelope();
  }

  async #demandWithin(operator_id: string, principal: OperatorPrincipal): Promise<void> {
    const operator = isPossibleId(operator_id) ? await this.operators.byId(operator_id) : undefined;
    if (operator === undefined || !isWithin(operator.companies, principal))
      throw answerTo('operator_not_found');
  }

  /** Nobody gives what they do not have. */
  async #demandCompanies(companies: readonly string[] | null, principal: OperatorPrincipal): Promise<void> {
    if (companies === null) {
      if (principal.companies === null) return;
      throw validationFailed({ companies: ['The companies field is required.'] });
    }
    const found = await Promise.all(companies.map((company_id) => this.companies.company(company_id)));
    const errors = companies.flatMap((company_id, index) =>
      found[index] !== undefined && isInScope(principal, company_id)
        ? []
        : [[`companies.${index}`, [`The ${index} field must be a company.`]]],
    );
    if (errors.length > 0) throw validationFailed(Object.fromEntries(errors) as Record<string, string[]>);
  }
}

/** Whether a scope holds nothing but what there is for the one who asks. */
function isWithin(companies: readonly string[] | null, principal: OperatorPrincipal): boolean {
  if (companies === null) return principal.companies === null;
  return companies.every((company_id) => isInScope(principal, company_id));
}

function demandDone(outcome: OperatorRecord | OperatorRefusal): OperatorRecord {
  if (typeof outcome === 'string') throw answerTo(outcome);
  return outcome;
}

function answerTo(refusal: OperatorRefusal): ApiError {
  switch (refusal) {
    case 'operator_not_found':
      return notFound('Operator not found.');
    case 'email_taken':
      return validationFailed({ email: ['The email has already been taken.'] });
    case 'last_admin':
      return conflict('There must be an admin of all companies.', 'last_admin');
  }
}

/** An operator as the API shows one. */
export function operatorAnswer({ _id, email, role, companies, disabled, created_at }: OperatorRecord) {
  return { operator_id: _id, email, role, companies, disabled, created_at: toTimestamp(created_at) };
}
