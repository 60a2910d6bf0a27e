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
export * from './api-error.js';
export * from './authentication.js';
export * from './client-address.js';
export * from './configure-application.js';
export { cookieOf, setCookie } from './cookies.js';
export * from '../config/ids.js';
export { isKnown } from './pipeline/answer.js';
export * from './pipeline/answer.js';
export * from './error-codes.js';
export { errorsOf } from './field-fault.js';
export type { FaultCode, Fault, FieldErrors, FieldFault } from './field-fault.js';
export { ErrorFilter } from './error-filter.js';
export * from './health.js';
export * from './http.module.js';
export { IDEMPOTENCY_SETTINGS } from './pipeline/idempotency.js';
export type { IdempotencySettings } from './pipeline/idempotency.js';
export { ForOperators, isInScope, WithoutSecondFactor, OPERATOR_RIGHTS, OWNERS } from './operator-access.js';
export type { OperatorRightsCheck, Owners } from './operator-access.js';
export { isPossibleId } from './possible-id.js';
export { Answers } from './openapi/answers.js';
export { schemaOf } from './openapi/dto-schema.js';
export { ERROR_SCHEMA } from './openapi/parts.js';
export * as field from './openapi/fields.js';
export * as schema from './openapi/schemas.js';
export * from './pipeline/rate-limits.js';
export { Context, contextOf } from './request-context.js';
export type { Actor, OperatorContext, RequestContext } from './request-context.js';
export { STORE_PRESENCE } from './pipeline/request-deadlines.js';
export { PublicContent } from './public-content.js';
export { LARGEST_BODY } from './pipeline/read-body.js';
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
export * from './server-lifecycle.js';
export { ServiceAdapter } from './service-adapter.js';
export * from './slots.js';
export { TRAFFIC_OBSERVER } from './traffic-observer.js';
export type { Answered, TrafficObserver } from './traffic-observer.js';
export { TENANT_PREFIXES } from './versions.js';
export * from './validation/index.js';
export { within } from './within.js';
