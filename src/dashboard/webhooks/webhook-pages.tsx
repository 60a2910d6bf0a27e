import { Get, Inject, Param, Post } from '@nestjs/common';
import type { Ids } from '#kernel/ids.js';
import { IDS } from '#kernel/injection-tokens.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, PlainQuery } from '#web/validation/parameters.js';
import { validForm } from '#web/validation/read-form.js';
import { CompanyAdministration, OperatorWebhooks, WebhookBody } from '#api/operator/index.js';
import { DELIVERY_STATES, type DeliveryState } from '#domain/webhooks/index.js';
import { CompanyFrame, zoneOf } from '../frame/company-frame.js';
import { webhookPath, webhooksPath } from '../links/paths.js';
import { formOf, onceFor } from '../page/once.js';
import { type FormValues, Page, type Refused, SeeOther, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { submit } from '../page/submit.js';
import { settingsIn } from './webhook-form.js';
import { WebhookSecret } from './webhook-secret.js';
import { Deliveries, deliveryList } from './delivery-list.js';
import { addressText, type IssuedWebhook } from './webhook-texts.js';
import { WebhookActs, WebhookSettings, WebhookState } from './webhook-view.js';

interface Beside {
  readonly refused?: Refused;
  readonly issued?: IssuedWebhook;
  readonly query?: DeliveryQuery;
}

interface DeliveryQuery {
  readonly state?: string;
  readonly cursor?: string;
}

/** The webhooks of a company, each with its deliveries (decisions §11). */
@ForOperators('admin')
@ForSiteOperators('refused')
@Pages('dashboard/companies/:company_id/webhooks')
export class WebhookPages {
  constructor(
    private readonly webhooks: OperatorWebhooks,
    private readonly companies: CompanyAdministration,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  @Get(':webhook_id')
  show(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @PlainQuery() query: DeliveryQuery,
  ): Promise<Page> {
    return this.#page(company_id, webhook_id, { query });
  }

  @Get(':webhook_id/deliveries.csv')
  deliveries(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @PlainQuery() query: DeliveryQuery,
  ): Promise<StreamedDownload> {
    return this.#list(company_id, webhook_id, 'UTC', query).csv();
  }

  @Post(':webhook_id')
  change(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#act('webhook', { company_id, webhook_id }, form, async () => {
      const { url, types = null, description = null } = validForm(WebhookBody, settingsIn(form));
      await this.webhooks.changeWebhook({ company_id, webhook_id }, { url, types, description }, context);
      return 'webhook';
    });
  }

  @Post(':webhook_id/enabled')
  enable(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#act('enabled', { company_id, webhook_id }, form, async () => {
      const enabled = form['enabled'] === 'true';
      await this.webhooks.changeWebhook({ company_id, webhook_id }, { enabled }, context);
      return enabled ? 'webhook_on' : 'webhook_off';
    });
  }

  @Post(':webhook_id/test')
  test(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    return this.#act('test', { company_id, webhook_id }, form, async () => {
      await this.webhooks.sendTest({ company_id, webhook_id }, context);
      return 'webhook_test';
    });
  }

  @Post(':webhook_id/deliveries/:delivery_id/resend')
  resend(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @Param('delivery_id') delivery_id: string,
    @ObjectBody() form: FormValues,
  ) {
    return this.#act(`resend-${delivery_id}`, { company_id, webhook_id }, form, async () => {
      await this.webhooks.sendAgain({ company_id, webhook_id }, delivery_id);
      return 'webhook_resent';
    });
  }

  /** The answer shows the new secret, once. */
  @Post(':webhook_id/secret')
  rotate(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @ObjectBody() form: FormValues,
    @Context() context: OperatorContext,
  ) {
    const { form_id, fields } = formOf(form);
    return submit({
      form: 'secret',
      values: fields,
      act: async () => {
        const once = onceFor(form_id, ['webhook secret form', webhook_id], context);
        const issued = await this.webhooks.rotateSecret({ company_id, webhook_id }, once);
        return this.#page(company_id, webhook_id, { issued });
      },
      again: (refused) => this.#page(company_id, webhook_id, { refused }),
    });
  }

  @Post(':webhook_id/delete')
  async remove(
    @Param('company_id') company_id: string,
    @Param('webhook_id') webhook_id: string,
    @Context() context: OperatorContext,
  ): Promise<SeeOther> {
    await this.webhooks.removeWebhook({ company_id, webhook_id }, context);
    return new SeeOther(webhooksPath(company_id), 'webhook_removed');
  }

  #act(
    form: string,
    key: { readonly company_id: string; readonly webhook_id: string },
    values: FormValues,
    act: () => Promise<ConstructorParameters<typeof SeeOther>[1]>,
  ) {
    return submit({
      form,
      values,
      act: async () => {
        const done = await act();
        return new SeeOther(webhookPath(key), done);
      },
      again: (refused) => this.#page(key.company_id, key.webhook_id, { refused }),
    });
  }

  async #page(
    company_id: string,
    webhook_id: string,
    { refused, issued, query = {} }: Beside,
  ): Promise<Page> {
    const webhook = await this.webhooks.readWebhook({ company_id, webhook_id });
    const company = await this.companies.readWholeCompany(company_id);
    const zone = zoneOf(company.locations);
    const state = stateIn(query);
    const { view } = await this.#list(company_id, webhook_id, zone, query, refused).show(query.cursor);
    const forms = { webhook, refused, ids: this.ids };
    const content = (
      <CompanyFrame company={company} above={[webhooksPath(company_id), 'API']}>
        {issued === undefined ? null : <WebhookSecret of={issued} path={webhookPath(webhook)} />}
        <WebhookState {...{ webhook, zone }} />
        <Deliveries {...{ webhook, state }}>{view}</Deliveries>
        <WebhookSettings {...forms} />
      </CompanyFrame>
    );
    const status = refused?.status ?? (issued === undefined ? 200 : 201);
    return new Page(addressText(webhook.url), content, status, {
      company_id,
      acts: <WebhookActs {...forms} />,
    });
  }

  #list(company_id: string, webhook_id: string, zone: string, query: DeliveryQuery, refused?: Refused) {
    const key = { company_id, webhook_id };
    const state = stateIn(query);
    return deliveryList({
      path: webhookPath(key),
      state,
      zone,
      refused,
      read: (range) => this.webhooks.listDeliveries(key, { ...range, state }),
    });
  }
}

/** An unknown state shows all. */
function stateIn({ state }: DeliveryQuery): DeliveryState | undefined {
  return DELIVERY_STATES.find((one) => one === state);
}
