import { Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { IgnoresQuery, ObjectBody } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { OperatorWebhooks, WebhookBody } from '#api/operator/index.js';
import { Pages } from '../frame/pages.js';
import { webhookPath } from '../links/paths.js';
import { formOf, onceFor } from '../page/once.js';
import type { FormValues, Page } from '../page/page.js';
import { submit } from '../page/submit.js';
import { settingsIn } from '../webhooks/webhook-form.js';
import { WebhookSecret } from '../webhooks/webhook-secret.js';
import { ApiPage } from './api-page.js';

/** Adds a webhook, in a drawer of the API page. */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/companies/:company_id/webhooks')
export class NewWebhookPages {
  constructor(
    private readonly api: ApiPage,
    private readonly webhooks: OperatorWebhooks,
  ) {}

  @IgnoresQuery()
  @Get('new')
  begin(@Param('company_id') company_id: string, @Context() context: OperatorContext): Promise<Page> {
    return this.api.show(company_id, context, { add: 'webhook' });
  }

  /** The answer shows the secret, once. */
  @Post()
  add(
    @Param('company_id') company_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { form_id, fields } = formOf(form);
    return submit({
      form: 'webhook',
      // Without `form_id`: the form that is sent after a refusal is another one.
      values: fields,
      act: async () => {
        const body = validForm(WebhookBody, settingsIn(fields));
        const asked = ['webhook form', company_id, JSON.stringify(body)] as const;
        const added = await this.webhooks.addWebhook(company_id, body, onceFor(form_id, asked, context));
        const issued = <WebhookSecret of={added} path={webhookPath(added)} />;
        return this.api.show(company_id, context, { issued });
      },
      again: (refused) => this.api.show(company_id, context, { refused }),
    });
  }
}
