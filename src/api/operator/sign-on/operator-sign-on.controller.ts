import { Controller, Delete, Param, Put } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ValidBody } from '#web/validation/parameters.js';
import { OPERATOR_SCHEMA } from '../facility.schemas.js';
import { SubjectBody } from './sign-on.dto.js';
import { SignOnAdministration } from './sign-on-administration.js';

/** Links between operators and persons at the provider of single sign-on (decisions §6). */
@ForOperators('admin')
@ForSiteOperators('refused')
@Controller('api/operator/operators/:operator_id/sign-on')
export class OperatorSignOnController {
  constructor(private readonly links: SignOnAdministration) {}

  @Put()
  @Answers({
    id: 'linkOperator',
    description:
      'The person signs in as this operator from now on. A link before and an open invitation end, and all sessions. A person is linked to one operator (422).',
    summary: 'Link an operator to a person at the provider of single sign-on',
    data: OPERATOR_SCHEMA,
    errors: ['operator_not_found', 'sign_on_off'],
  })
  async link(
    @Param('operator_id') operator_id: string,
    @ValidBody(SubjectBody) body: SubjectBody,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.links.linkOperator(operator_id, body, context));
  }

  @Delete()
  @Answers({
    id: 'unlinkOperator',
    description:
      'All sessions of the operator end. An admin who could not sign in any more, as the last of all companies, stays linked (409).',
    summary: 'Remove the link of an operator to a person at the provider',
    data: OPERATOR_SCHEMA,
    errors: ['operator_not_found', 'last_admin'],
  })
  async unlink(@Param('operator_id') operator_id: string, @Context() context: OperatorContext) {
    return envelope(await this.links.unlinkOperator(operator_id, context));
  }
}
