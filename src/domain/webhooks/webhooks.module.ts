import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { SecretBox } from '#kernel/secret-box.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { HistoryModule } from '#domain/history/index.js';
import { WebhookAdministration } from './webhook-administration.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';
import { WebhookHttp } from './webhook-http.js';
import { Webhooks } from './webhooks.js';

/** The key that encrypts secrets of webhooks (`Buffer` of 32 bytes), derived from the master secret. */
export const WEBHOOK_SECRETS_KEY = Symbol('WebhookSecretsKey');

/**
 * Sends events to the systems of integrators. Global modules must provide CLOCK, IDS, LOGGER, RECORDS, EVENT_STORE,
 * WebhookHttp, WEBHOOK_SECRETS_KEY and WebhookObserver, and the needs of the imported modules.
 */
@Module({
  imports: [CompaniesModule, HistoryModule],
  providers: [
    Webhooks,
    WebhookDeliveries,
    WebhookAdministration,
    WebhookDispatcher,
    { provide: SecretBox, useFactory: (key: Buffer) => new SecretBox(key), inject: [WEBHOOK_SECRETS_KEY] },
  ],
  exports: [Webhooks, WebhookDeliveries, WebhookAdministration, WebhookDispatcher],
})
export class WebhooksModule implements OnApplicationShutdown {
  constructor(private readonly http: WebhookHttp) {}

  async onApplicationShutdown(): Promise<void> {
    await this.http.close();
  }
}
