import { Controller, Delete, Get, Param, Patch, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Answers } from '#web/openapi/answers.js';
import * as schema from '#web/openapi/schemas.js';
import { PublicAddress } from '#web/public-address.js';
import { HoldsSecrets } from '#web/route-options.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { type Acknowledgement, envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ValidBody } from '#web/validation/parameters.js';
import { NewOperatorBody, OperatorChangeBody } from './operators.dto.js';
import { INVITED_OPERATOR_SCHEMA, LISTED_OPERATOR_SCHEMA, OPERATOR_SCHEMA } from './facility.schemas.js';
import { OperatorAccounts } from './operator-accounts.js';

/** Administration of operators (decisions §6). An admin of some companies sees only operators of these companies. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Controller('api/operator/operators')
export class OperatorsController {
  constructor(
    private readonly accounts: OperatorAccounts,
    private readonly address: PublicAddress,
  ) {}

  @Get()
  @Answers({
    id: 'listOperators',
    description: 'An admin of some companies sees only operators of these companies.',
    summary: 'List operators',
    data: schema.object({ operators: schema.says('All operators.', schema.list(LISTED_OPERATOR_SCHEMA)) }),
  })
  async list(@Context() { principal }: OperatorContext) {
    return envelope({ operators: await this.accounts.listOperators(principal) });
  }

  @Post()
  @HoldsSecrets('invitation')
  @Answers({
    id: 'createOperator',
    description:
      'Without `password` the answer has a link, by which the operator sets one within 7 days. It is shown only here. The e-mail must be free and the password hard to guess (422). `companies` must be companies that you see yourself.',
    summary: 'Add an operator',
    data: INVITED_OPERATOR_SCHEMA,
    errors: ['operator_disabled', 'public_url_required'],
  })
  async add(
    @ValidBody(NewOperatorBody) body: NewOperatorBody,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ) {
    const linkOrigin = () => this.address.linkOriginFor(request);
    return envelope(await this.accounts.addOperator(body, context, linkOrigin));
  }

  @Post(':operator_id/invitation')
  @HoldsSecrets('invitation')
  @Answers({
    id: 'inviteOperator',
    description:
      'Also for somebody who lost the password. The link is shown only here, works once and for 7 days, and replaces the one before. It ends when e-mail, password or rights of the operator change. A second factor stays.',
    summary: 'Make a link by which an operator sets a password',
    data: INVITED_OPERATOR_SCHEMA,
    errors: ['operator_not_found', 'operator_disabled', 'public_url_required'],
  })
  async invite(
    @Param('operator_id') operator_id: string,
    @Context() context: OperatorContext,
    @Req() request: Request,
  ) {
    const linkOrigin = () => this.address.linkOriginFor(request);
    return envelope(await this.accounts.inviteOperator(operator_id, context, linkOrigin));
  }

  @Delete(':operator_id/invitation')
  @Answers({
    id: 'withdrawInvitation',
    description: 'The link stops working at once. Without an open invitation nothing changes.',
    summary: 'Withdraw the invitation of an operator',
    data: OPERATOR_SCHEMA,
    errors: ['operator_not_found'],
  })
  async withdraw(@Param('operator_id') operator_id: string, @Context() context: OperatorContext) {
    return envelope(await this.accounts.withdrawInvitation(operator_id, context));
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
    return envelope(await this.accounts.changeOperator(operator_id, body, context));
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
    await this.accounts.removeOperator(operator_id, context);
    return envelope();
  }

  @Delete(':operator_id/sessions')
  @Answers({
    id: 'endSessionsOfOperator',
    description:
      'For a lost device. Password, second factor and link stay, so the operator can sign in again.',
    summary: 'Sign an operator out everywhere',
    data: OPERATOR_SCHEMA,
    errors: ['operator_not_found'],
  })
  async endSessions(@Param('operator_id') operator_id: string, @Context() context: OperatorContext) {
    return envelope(await this.accounts.endSessions(operator_id, context));
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
    return envelope(await this.accounts.removeSecondFactor(operator_id, context));
  }
}
