export type { Answer, CallOptions, Given } from './calls.js';
export type { RetryPolicy } from './core/backoff.js';
export type {
  BulkEntry,
  BulkResult,
  Data,
  FieldFault,
  Inputs,
  Method,
  Operation,
  PathOf,
  TenantAccess,
} from './routes.js';
export type { components, paths } from './generated/openapi.js';
export { type ErrorCode, isServiceError, ServiceError } from './service.error.js';
export {
  connect,
  type ConnectOptions,
  type FollowOptions,
  StorageAccessClient,
  type SyncOptions,
} from './storage-access-client.js';
export type { ClientEnvironment } from './client-environment.js';
export type { KeptAccess, KnownAccess, TenantAccessCache } from './tenant-access-cache.js';
export {
  isWebhookError,
  verifyWebhook,
  WebhookError,
  type WebhookErrorCode,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookOptions,
} from './webhooks.js';
