import { applyDecorators, SetMetadata } from '@nestjs/common';
import { forbidden, notFound, type NotFoundMessage, secondFactorRequired } from './api-error.js';
import { ADMITTED_KINDS, OPERATOR_ROLES } from './authentication.js';
import type { Request } from 'express';
import type { OperatorPrincipal, OperatorRole, PrincipalKind } from './authentication.js';

/** Metadata key: the least role with which operators are admitted to a route. */
export const LEAST_ROLE = Symbol('LeastRole');

/** Admits operators of this role or one that may do more, and callers of the other kinds (decisions §6). */
export const ForOperators = (least: OperatorRole, ...others: Exclude<PrincipalKind, 'operator'>[]) =>
  applyDecorators(SetMetadata(ADMITTED_KINDS, [...others, 'operator']), SetMetadata(LEAST_ROLE, least));

/** Metadata key: the route admits sessions that lack the second factor. */
export const WITHOUT_SECOND_FACTOR = Symbol('WithoutSecondFactor');

/** Admits sessions that lack the second factor that is demanded: for what sets it (decisions §6). */
export const WithoutSecondFactor = () => SetMetadata(WITHOUT_SECOND_FACTOR, true);

/** @throws ApiError 403 if the operator must set the second factor first */
export function demandFactor({ lacks_factor }: OperatorPrincipal, withoutFactor: boolean): void {
  if (lacks_factor === true && !withoutFactor) throw secondFactorRequired();
}

/**
 * The company of what a parameter of a path or a query names, by the parameter's name; undefined where there is no such thing.
 * Every parameter in the path of an operator's route stands here or in `UNOWNED`.
 */
export type Owners = Readonly<Record<string, (id: string) => Promise<string | undefined>>>;

/** Injection token of the `Owners`; bound by `app.module.ts`. */
export const OWNERS = Symbol('Owners');

/** Judges the rights of an operator again, after a wait. */
export interface OperatorRightsCheck {
  /** @throws ApiError 401 where they have changed since the request was admitted */
  demandRights(operator: OperatorPrincipal): Promise<unknown>;
}

/** Injection token of the {@link OperatorRightsCheck}; bound by `app.module.ts`. */
export const OPERATOR_RIGHTS = Symbol('OperatorRights');

/** Parameters whose scope is their controller's business: what they name is looked up there with the one who asks. */
export const UNOWNED: readonly string[] = ['token_id', 'operator_id'];

/** @throws ApiError 403 where the operator's role is less than the route asks for. */
export function demandRole({ role }: OperatorPrincipal, least: OperatorRole): void {
  if (OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(least)) throw forbidden();
}

/**
 * Looks at everything that a request's path and query name. To an operator of some companies the others' things are not
 * there. @throws ApiError 404. @throws StoreUnavailableError
 */
export async function demandScope(
  operator: OperatorPrincipal,
  { params, query }: Pick<Request, 'params' | 'query'>,
  owners: Owners,
): Promise<void> {
  if (operator.companies === null) return;
  for (const named of [params, query]) await demandOwn(operator, named, owners);
}

/** The same of the fields of a form, where one that is there repeatedly names several. @throws ApiError 404. @throws StoreUnavailableError */
export async function demandOwn(
  operator: OperatorPrincipal,
  named: Readonly<Record<string, unknown>>,
  owners: Owners,
): Promise<void> {
  if (operator.companies === null) return;
  for (const [name, given] of Object.entries(named)) {
    // A name such as toString would find what every object has.
    const companyOf = Object.hasOwn(owners, name) ? owners[name] : undefined;
    for (const id of companyOf === undefined ? [] : [given].flat()) {
      if (typeof id !== 'string' || id === '') continue;
      const company = await companyOf!(id);
      if (company === undefined || !isInScope(operator, company))
        throw notFound(`${labelOf(name)} not found.` as NotFoundMessage);
    }
  }
}

export function isInScope({ companies }: Pick<OperatorPrincipal, 'companies'>, company_id: string): boolean {
  return companies === null || companies.includes(company_id);
}

/** `Entry point` for `entry_point_id`. */
function labelOf(parameter: string): string {
  const words = parameter.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
