import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { type Acknowledgement, envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { HoldsSecrets } from '#web/route-options.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { OperatorWebhooks } from './operator-webhooks.js';
import { MESSAGES } from './webhook-messages.schemas.js';
import { DeliveriesQuery, USUAL_DELIVERIES, WebhookBody, WebhookChangeBody } from './webhooks.dto.js';
import {
  DELIVERIES_SCHEMA,
  DELIVERY_SCHEMA,
  ISSUED_WEBHOOK_SCHEMA,
  WEBHOOK_SCHEMA,
  WEBHOOKS_SCHEMA,
} from './webhooks.schemas.js';

/** The webhooks of a company and their deliveries (decisions §11). */
@ForOperators('admin')
@ForSiteOperators('refused')
@Controller('api/operator/companies/:company_id/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: OperatorWebhooks) {}

  @Post()
  @HoldsSecrets('secret')
  @Answers({
    id: 'addWebhook',
    description:
      'Messages begin with the next event. The secret is shown in this answer and never again. At most 10 a company: an eleventh is 422.',
    summary: 'Add a webhook',
    data: ISSUED_WEBHOOK_SCHEMA,
    errors: ['company_not_found'],
    messages: MESSAGES,
  })
  async add(
    @Param('company_id') company_id: string,
    @ValidBody(WebhookBody) body: WebhookBody,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.webhooks.addWebhook(company_id, body, context));
  }

  @Get()
  @Answers({
    id: 'listWebhooks',
    description: 'Those that are off are listed too. A secret is shown once, when it is made.',
    summary: 'List the webhooks of a company',
    data: WEBHOOKS_SCHEMA,
    errors: ['company_not_found'],
  })
  async list(@Param('company_id') company_id: string) {
    return envelope({ webhooks: await this.webhooks.listWebhooks(company_id) });
  }

  @Patch(':webhook_id')
  @Answers({
    id: 'changeWebhook',
    description:
      'Fields left out stay. What happens while a webhook is off is not sent later: switched on, it begins with the next event.',
    summary: 'Change a webhook, or switch it on or off',
    data: WEBHOOK_SCHEMA,
    errors: ['webhook_not_found'],
  })
  async change(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @ValidBody(WebhookChangeBody) body: WebhookChangeBody,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.webhooks.changeWebhook({ company_id, webhook_id }, body, context));
  }

  @Delete(':webhook_id')
  @Answers({
    id: 'removeWebhook',
    description: 'Messages that wait are not sent. It cannot be taken back.',
    summary: 'Remove a webhook',
    errors: ['webhook_not_found'],
  })
  async remove(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @Context() context: OperatorContext,
  ): Promise<Acknowledgement> {
    await this.webhooks.removeWebhook({ company_id, webhook_id }, context);
    return envelope();
  }

  @Post(':webhook_id/secret')
  @HoldsSecrets('secret')
  @Answers({
    id: 'rotateWebhookSecret',
    description:
      'The new secret is shown in this answer and never again. For 24 hours messages carry the signatures of both secrets.',
    summary: 'Give a webhook a new secret',
    data: ISSUED_WEBHOOK_SCHEMA,
    errors: ['webhook_not_found'],
  })
  async rotate(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.webhooks.rotateSecret({ company_id, webhook_id }, context));
  }

  @Post(':webhook_id/test')
  @HttpCode(202)
  @Answers({
    id: 'testWebhook',
    description:
      'Its `type` is `WebhookTest`, and it has no position. `GET …/deliveries` shows what came of it.',
    summary: 'Send a test message',
    data: DELIVERY_SCHEMA,
    errors: ['webhook_not_found', 'webhook_disabled'],
  })
  async test(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.webhooks.sendTest({ company_id, webhook_id }, context));
  }

  @Get(':webhook_id/deliveries')
  @Answers({
    id: 'listWebhookDeliveries',
    description: 'Each with its tries. It is kept for 30 days after the last one. `limit` is at most 100.',
    summary: 'List the deliveries of a webhook, newest first',
    data: DELIVERIES_SCHEMA,
    errors: ['webhook_not_found'],
  })
  async listDeliveries(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @ValidQuery(DeliveriesQuery) { state, cursor, limit = USUAL_DELIVERIES }: DeliveriesQuery,
  ) {
    const range = { state, limit, cursor };
    return envelope(await this.webhooks.listDeliveries({ company_id, webhook_id }, range));
  }

  @Post(':webhook_id/deliveries/:delivery_id/resend')
  @HttpCode(202)
  @Answers({
    id: 'resendWebhookDelivery',
    description: 'Any delivery can be sent again, with all its tries. One that waits is sent at once.',
    summary: 'Send a message again',
    data: DELIVERY_SCHEMA,
    errors: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
  })
  async resend(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @Param('delivery_id') delivery_id: string,
  ) {
    return envelope(await this.webhooks.sendAgain({ company_id, webhook_id }, delivery_id));
  }
}
