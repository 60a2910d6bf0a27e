import type { CodeOf } from './error-codes.js';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { errorOf } from './api-error.js';
import { ADMITTED_KINDS, OPERATOR_ROLES } from './authentication.js';
import type { Request } from 'express';
import type { OperatorPrincipal, OperatorRole, PrincipalKind } from './authentication.js';

/** Metadata key: the least role of operators for a route. */
export const LEAST_ROLE = Symbol('LeastRole');

/** Admits operators with at least this role, and the other kinds of principal (decisions §6). */
export const ForOperators = (least: OperatorRole, ...others: Exclude<PrincipalKind, 'operator'>[]) =>
  applyDecorators(SetMetadata(ADMITTED_KINDS, [...others, 'operator']), SetMetadata(LEAST_ROLE, least));

/** Metadata key: the route admits sessions without the required second factor. */
export const WITHOUT_SECOND_FACTOR = Symbol('WithoutSecondFactor');

/** Admits sessions without the required second factor, for routes that set it (decisions §6). */
export const WithoutSecondFactor = () => SetMetadata(WITHOUT_SECOND_FACTOR, true);

/** @throws ApiError 403 if the operator must set the second factor first */
export function demandFactor({ lacks_factor }: OperatorPrincipal, withoutFactor: boolean): void {
  if (lacks_factor === true && !withoutFactor) throw errorOf('second_factor_required');
}

/**
 * By the name of a path or query parameter: the error if the named thing does not exist for the operator, and what finds
 * the company that owns it; undefined if the thing does not exist.
 * Every path parameter of an operator's route must be here or in `UNOWNED`.
 */
export type Owners = Readonly<
  Record<string, readonly [CodeOf<404>, (id: string) => Promise<string | undefined>]>
>;

/** Injection token of the `Owners`; bound by `app.module.ts`. */
export const OWNERS = Symbol('Owners');

/** Checks the rights of an operator again, after a wait. */
export interface OperatorRightsCheck {
  /** @throws ApiError 401 if the rights have changed since the request was admitted */
  demandRights(operator: OperatorPrincipal): Promise<unknown>;
}

/** Injection token of the {@link OperatorRightsCheck}; bound by `app.module.ts`. */
export const OPERATOR_RIGHTS = Symbol('OperatorRights');

/** Parameters whose controller itself checks what the operator may see. */
export const UNOWNED: readonly string[] = ['token_id', 'operator_id'];

/** @throws ApiError 403 if the operator's role is too low */
export function demandRole({ role }: OperatorPrincipal, least: OperatorRole): void {
  if (OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(least)) throw errorOf('forbidden');
}

/**
 * Checks all ids in a request's path and query. For an operator of some companies, things of other companies do not
 * exist. @throws ApiError 404. @throws StoreUnavailableError
 */
export async function demandScope(
  operator: OperatorPrincipal,
  { params, query }: Pick<Request, 'params' | 'query'>,
  owners: Owners,
): Promise<void> {
  if (operator.companies === null) return;
  for (const named of [params, query]) await demandOwn(operator, named, owners);
}

/** As {@link demandScope}, for the fields of a form. A repeated field has several ids. @throws ApiError 404. @throws StoreUnavailableError */
export async function demandOwn(
  operator: OperatorPrincipal,
  named: Readonly<Record<string, unknown>>,
  owners: Owners,
): Promise<void> {
  if (operator.companies === null) return;
  for (const [name, [code, companyOf]] of Object.entries(owners)) {
    for (const id of [named[name]].flat()) {
      if (typeof id !== 'string' || id === '') continue;
      const company = await companyOf(id);
      if (company === undefined || !isInScope(operator, company)) throw errorOf(code);
    }
  }
}

export function isInScope({ companies }: Pick<OperatorPrincipal, 'companies'>, company_id: string): boolean {
  return companies === null || companies.includes(company_id);
}
