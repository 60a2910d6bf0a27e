/**
 * How a controller is written with this folder:
 *
 *   class MoveIn {
 *     @Required() @IsText({ min: 1 }) pms_tenant_id!: string;
 *     @Required() @IsDateOnly() move_in_date!: string;
 *     @Optional() @Nullable() @IsText() ledger_id?: string | null;
 *   }
 *   class WriteOptions {
 *     @Optional() @IsFlag() dry_run?: boolean;
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
 * Bodies and queries are plain objects with declared fields only. Answers are returned, never sent by hand.
 * Nest answers POST with 201 unless `@HttpCode(200)` says otherwise.
 */
export * from './api-error.js';
export * from './authentication.js';
export * from './client-address.js';
export * from './configure-application.js';
export * from './credential-hash.js';
export * from './envelope.js';
export * from './health.js';
export * from './http.module.js';
export { IDEMPOTENCY_SETTINGS, Idempotency } from './idempotency/idempotency.js';
export type { IdempotencySettings } from './idempotency/idempotency.js';
export * from './mongodb-rate-limiters.js';
export { ForOperators, isInScope, OWNERS } from './operator-access.js';
export type { Owners } from './operator-access.js';
export { isPossibleId } from './possible-id.js';
export * from './rate-limiter.js';
export * from './rate-limits.js';
export { Context } from './request-context.js';
export type { Actor, RequestContext } from './request-context.js';
export { STORE_PRESENCE } from './request-deadlines.js';
export { LARGEST_BODY } from './request-body.js';
export { Costly, Idempotent, NotImplemented, RateLimited } from './route-options.js';
export * from './server-lifecycle.js';
export * from './slots.js';
export { announceSuccessor, TENANT_PREFIXES } from './versions.js';
export * from './validation/index.js';
