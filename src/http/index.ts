/**
 * How a controller is written with this folder:
 *
 *   class MoveIn {
 *     @IsString() @Length(1, LONGEST_TEXT) pms_tenant_id!: string;
 *     @IsDateOnly() move_in_date!: string;
 *     @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) ledger_id?: string | null;
 *     @ValidateIf(isGiven) @IsName() unit_name?: string;
 *   }
 *   class WriteOptions {
 *     @ValidateIf(isGiven) @IsBoolean() dry_run?: boolean;
 *   }
 *
 *   @Authenticated('api_token')
 *   @Controller('api/v2/units')
 *   export class TenancyController {
 *     @Put(':crm_unit_id/tenancy')
 *     @Idempotent()
 *     @RateLimited('pms-write')
 *     async moveIn(
 *       @Param('crm_unit_id') unit: string,
 *       @ValidBody(MoveIn) body: MoveIn,
 *       @ValidQuery(WriteOptions) { dry_run }: WriteOptions,
 *       @Context() context: RequestContext<ApiTokenPrincipal>,
 *       @Res({ passthrough: true }) response: Response,
 *     ) {
 *       const done = await …(context.principal.company_id, unit, body, context);
 *       if (done === undefined) throw notFound('Unit not found.');
 *       response.status(done.created ? 201 : 200);
 *       return envelope({ unit_id: done.unit_id, applied_at: done.applied_at });
 *     }
 *   }
 *
 * DTO classes carry class-validator's own decorators; those of `validation/decorators.ts` are the types of this domain. A field
 * is required unless it is `@IsOptional()` (absent or null) or `@ValidateIf(isGiven)` (absent, never null).
 * Bodies and queries are plain objects with declared fields only. Answers are returned, never sent by hand.
 * Nest answers POST with 201 unless `@HttpCode(200)` says otherwise.
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
export { within } from './within.js';
