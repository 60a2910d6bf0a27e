/**
 * DTO classes carry class-validator's own decorators; those of `validation/decorators.ts` are the types of this domain. A field
 * is required unless it is `@IsOptional()` (absent or null) or `@ValidateIf(isGiven)` (absent, never null).
 * Answers are returned, never sent by hand. `push/v2/units.controller.ts` shows how a controller is written.
 */
export {
  ApiError,
  codeInvalid,
  codeRequired,
  conflict,
  errorBody,
  type ErrorBody,
  forbidden,
  invalidField,
  isApiError,
  notFound,
  serviceUnavailable,
  tooManyAttempts,
  unauthorized,
  unprocessable,
  validationFailed,
} from './api-error.js';
export {
  type ApiTokenPrincipal,
  Authenticated,
  OPERATOR_COOKIE,
  OPERATOR_ROLES,
  type OperatorPrincipal,
  type OperatorRole,
  Public,
  sessionTokenOf,
  type TenantPrincipal,
  TOKEN_VERIFIERS,
  type TokenVerifier,
  type TokenVerifiers,
} from './authentication.js';
export { ClientAddresses } from './client-address.js';
export { configureApplication } from './configure-application.js';
export { cookieOf, setCookie } from './cookies.js';
export { type Acknowledgement, type DataOf, envelope, type Envelope, isKnown } from './pipeline/answer.js';
export { type ErrorCode, ERRORS } from './error-codes.js';
export { errorsOf, type Fault, type FaultCode, type FieldErrors, type FieldFault } from './field-fault.js';
export { ErrorFilter } from './error-filter.js';
export { PROJECTION_LAG, type ProjectionLag, READINESS_CHECKS, type ReadinessCheck } from './health.js';
export { HttpModule } from './http.module.js';
export { IDEMPOTENCY_SETTINGS, type IdempotencySettings } from './pipeline/idempotency.js';
export {
  ForOperators,
  isInScope,
  OPERATOR_RIGHTS,
  type OperatorRightsCheck,
  type Owners,
  OWNERS,
  WithoutSecondFactor,
} from './operator-access.js';
export { isPossibleId } from './possible-id.js';
export { Answers } from './openapi/answers.js';
export { schemaOf } from './openapi/dto-schema.js';
export { ERROR_SCHEMA } from './openapi/parts.js';
export * as field from './openapi/fields.js';
export * as schema from './openapi/schemas.js';
export {
  companyPolicies,
  type Counter,
  RATE_LIMITER_FACTORY,
  rateLimitersOn,
  RateLimits,
} from './pipeline/rate-limits.js';
export {
  type Actor,
  Context,
  contextOf,
  type OperatorContext,
  type RequestContext,
} from './request-context.js';
export { STORE_PRESENCE } from './pipeline/request-deadlines.js';
export { PublicContent } from './public-content.js';
export { SecurityLog } from './security-log.js';
export { isForeign } from './same-origin.js';
export {
  AnswersPages,
  Costly,
  Creates,
  HoldsSecrets,
  Idempotent,
  NotImplemented,
  RateLimited,
} from './route-options.js';
export { Draining, drainOnSignals } from './server-lifecycle.js';
export { ServiceAdapter } from './service-adapter.js';
export { Slots } from './slots.js';
export { type Answered, TRAFFIC_OBSERVER, type TrafficObserver } from './traffic-observer.js';
export { TENANT_PREFIXES } from './versions.js';
export {
  checkEntry,
  DemandedBody,
  fieldFault,
  ObjectBody,
  PlainQuery,
  refuseFields,
  REQUIRED,
  ValidBody,
  validForm,
  ValidQuery,
  validQuery,
} from './validation/valid.js';
export {
  type Dto,
  Example,
  fieldRule,
  IsCode,
  IsDateOnly,
  IsDigits,
  IsIdentifier,
  IsMoney,
  IsName,
  IsPhone,
  IsTimestamp,
  IsUlid,
  IsVisibleText,
  labelOf,
  Says,
} from './validation/decorators.js';
export { FILLED_TEXT, showsSomething } from './validation/text-patterns.js';
export {
  fromCents,
  LONGEST_TEXT,
  NO_OBJECT,
  notOfForm,
  parseTimestamp,
  rule,
  toCents,
  wellFormed,
} from './validation/rules.js';
export { IsChange } from './validation/change.js';
export { IsCursor, IsPageLimit, LARGEST_PAGE, PageQuery, USUAL_PAGE } from './validation/page-query.js';
export { isGiven, requiredWhen } from './validation/presence.js';
export { JsonSchema } from './validation/json-schema.js';
