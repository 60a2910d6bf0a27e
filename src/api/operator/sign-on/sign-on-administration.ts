import { Injectable } from '@nestjs/common';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { OperatorContext } from '#web/request-context.js';
import type { OperatorRecord } from '#domain/operators/index.js';
import { type LinkRefusal, SignOnLinks } from '#domain/sign-on/index.js';
import { operatorAnswer, originOf, refusedOperator } from '../operator.answers.js';
import type { SubjectBody } from './sign-on.dto.js';

/** What admins do to the links between operators and persons at the provider of single sign-on (decisions §6). */
@Injectable()
export class SignOnAdministration {
  constructor(private readonly links: SignOnLinks) {}

  /** @throws ApiError 404, 409, 422 */
  async linkOperator(operator_id: string, { subject }: SubjectBody, context: OperatorContext) {
    if (!isPossibleId(operator_id)) throw errorOf('operator_not_found');
    return answerOf(await this.links.link(operator_id, subject, originOf(context)));
  }

  /** @throws ApiError 404, 409 */
  async unlinkOperator(operator_id: string, context: OperatorContext) {
    if (!isPossibleId(operator_id)) throw errorOf('operator_not_found');
    return answerOf(await this.links.unlink(operator_id, originOf(context)));
  }
}

function answerOf(outcome: OperatorRecord | LinkRefusal) {
  if (outcome === 'subject_taken')
    throw invalidField('subject', 'taken', 'The subject has already been taken.');
  if (outcome === 'sign_on_off') throw errorOf(outcome);
  if (typeof outcome === 'string') throw refusedOperator(outcome);
  return operatorAnswer(outcome);
}
