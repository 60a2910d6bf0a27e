export { DELIVERY_STATES, type DeliveryState } from './core/delivery.js';
export { DISABLED_REASONS } from './core/disabling.js';
export { switchOffWebhooks } from './switch-off-webhooks.js';
export { UndiciWebhookHttp } from './undici-webhook-http.js';
export {
  type IssuedWebhook,
  type RefusedWebhook,
  type StatedWebhook,
  WebhookAdministration,
} from './webhook-administration.js';
export { type DeliveryRecord, WebhookDeliveries } from './webhook-deliveries.js';
export { WebhookDispatcher } from './webhook-dispatcher.js';
export { WebhookHttp } from './webhook-http.js';
export { WebhookObserver, WEBHOOK_OUTCOMES, type WebhookOutcome } from './webhook-observer.js';
export { type WebhookRecord, Webhooks } from './webhooks.js';
export { WEBHOOK_SECRETS_KEY, WebhooksModule } from './webhooks.module.js';
