import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { FIXES } from '#kernel/errors/error-codes.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import { CompanyDirectory } from '#domain/companies/index.js';
import {
  type DeliveryRecord,
  type DeliveryState,
  type IssuedWebhook,
  type RefusedWebhook,
  WebhookAdministration,
  WebhookDeliveries,
  type WebhookRecord,
  Webhooks,
} from '#domain/webhooks/index.js';
import { OperatorRightsCheck } from '#web/operator-access.js';
import type { OperatorContext } from '#web/request-context.js';
import { answerTo, found } from '../facility.refusals.js';
import { presentDelivery, presentWebhook } from './webhook.answers.js';
import { WebhookDestinations } from './webhook-destinations.js';
import type { WebhookBody, WebhookChangeBody } from './webhooks.dto.js';

/** Names a webhook. Another company's is 404. */
export interface WebhookKey {
  readonly company_id: string;
  readonly webhook_id: string;
}

export interface DeliveryRange {
  /** Undefined: all. */
  readonly state?: DeliveryState | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The webhooks of a company for pages and API (decisions §11). Its callers admit admins only.
 * Every method throws ApiError and StoreUnavailableError.
 */
@Injectable()
export class OperatorWebhooks {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly webhooks: Webhooks,
    private readonly deliveries: WebhookDeliveries,
    private readonly administration: WebhookAdministration,
    private readonly destinations: WebhookDestinations,
    private readonly rights: OperatorRightsCheck,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async listWebhooks(company_id: string) {
    found(await this.companies.company(company_id), 'company_not_found');
    const webhooks = await this.webhooks.listOfCompany(company_id);
    const now = this.clock.now();
    return webhooks.map((webhook) => presentWebhook(webhook, now));
  }

  /** When each webhook last sent a message, in milliseconds, by `webhook_id`. Without those that sent none. */
  async readLastTries(
    webhooks: readonly { readonly webhook_id: string }[],
  ): Promise<ReadonlyMap<string, number>> {
    const tries = await Promise.all(
      webhooks.map(
        async ({ webhook_id }) => [webhook_id, await this.deliveries.readLastTry(webhook_id)] as const,
      ),
    );
    return new Map(
      tries.flatMap(([webhook_id, at]) => (at === undefined ? [] : [[webhook_id, at] as const])),
    );
  }

  /** Those that the service switched off, or whose last try failed. */
  async listTroubled(company_id: string) {
    const webhooks = await this.listWebhooks(company_id);
    return webhooks.filter(({ enabled, disabled_reason, failing_since }) =>
      enabled ? failing_since !== null : disabled_reason !== null,
    );
  }

  async readWebhook(key: WebhookKey) {
    return presentWebhook(await this.#read(key), this.clock.now());
  }

  async addWebhook(
    company_id: string,
    { url, types = null, description = null }: WebhookBody,
    context: OperatorContext,
  ) {
    found(await this.companies.company(company_id), 'company_not_found');
    await this.destinations.assertAllowed(url);
    await this.rights.assertRights(context.principal);
    const stated = { url: new URL(url).href, types: eachOnce(types), description };
    return this.#presentIssued(await this.administration.addWebhook(company_id, stated, context));
  }

  async changeWebhook(
    key: WebhookKey,
    { url, types, ...others }: WebhookChangeBody,
    context: OperatorContext,
  ) {
    const before = await this.#read(key);
    if (url !== undefined) {
      await this.destinations.assertAllowed(url);
      await this.rights.assertRights(context.principal);
    }
    const changes = {
      ...others,
      ...(url === undefined ? {} : { url: new URL(url).href }),
      ...(types === undefined ? {} : { types: eachOnce(types) }),
    };
    const changed = await this.administration.changeWebhook(before, changes, context);
    if (changed !== undefined && 'refusal' in changed) throw answerTo(changed.refusal);
    return presentWebhook(found(changed, 'webhook_not_found'), this.clock.now());
  }

  async removeWebhook(key: WebhookKey, context: OperatorContext): Promise<void> {
    const refused = await this.administration.removeWebhook(await this.#read(key), context);
    if (refused !== undefined) throw answerTo(refused.refusal);
  }

  async rotateSecret(key: WebhookKey, context: OperatorContext) {
    const webhook = await this.#read(key);
    await this.rights.assertRights(context.principal);
    return this.#presentIssued(await this.administration.rotateSecret(webhook, context));
  }

  async sendTest(key: WebhookKey, context: OperatorContext) {
    return presentDelivery(await this.administration.sendTest(await this.#readEnabled(key), context));
  }

  /** Newest first. @throws InvalidCursorError */
  async listDeliveries(key: WebhookKey, { state, limit, cursor }: DeliveryRange) {
    await this.#read(key);
    const page = await this.deliveries.listOfWebhook(key.webhook_id, { state, limit, cursor });
    return { deliveries: page.documents.map(presentDelivery), next_cursor: page.next_cursor };
  }

  async sendAgain(key: WebhookKey, delivery_id: string) {
    const webhook = await this.#readEnabled(key);
    const delivery = await this.#readDelivery(webhook, delivery_id);
    const again = await this.administration.sendAgain(delivery);
    return presentDelivery(found(again, 'delivery_not_found'));
  }

  async #read({ company_id, webhook_id }: WebhookKey): Promise<WebhookRecord> {
    const webhook = await this.webhooks.readWebhook(webhook_id);
    if (webhook?.company_id !== company_id) throw errorOf('webhook_not_found');
    return webhook;
  }

  async #readEnabled(key: WebhookKey): Promise<WebhookRecord> {
    const webhook = await this.#read(key);
    if (webhook.enabled_since === null) throw errorOf('webhook_disabled', { hint: FIXES.webhook_disabled });
    return webhook;
  }

  async #readDelivery({ _id: webhook_id }: WebhookRecord, delivery_id: string): Promise<DeliveryRecord> {
    const delivery = await this.deliveries.readDelivery(delivery_id);
    if (delivery?.webhook_id !== webhook_id) throw errorOf('delivery_not_found');
    return delivery;
  }

  #presentIssued(outcome: IssuedWebhook | RefusedWebhook) {
    if (outcome.kind === 'rejected') throw answerTo(outcome.refusal);
    const { webhook, secret } = outcome;
    return { ...presentWebhook(webhook, this.clock.now()), secret };
  }
}

function eachOnce(types: readonly string[] | null): string[] | null {
  return types === null ? null : [...new Set(types)];
}
