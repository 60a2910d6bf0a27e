import type { CodeOf } from '#kernel/errors/error-codes.js';
import { applyDecorators, SetMetadata } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import { isInScope, OPERATOR_ROLES, seesPartOf, seesSite } from '#kernel/principals.js';
import { ADMITTED_KINDS } from './authentication.js';
import type { Request } from 'express';
import type { OperatorPrincipal, OperatorRole, Owner, PrincipalKind } from '#kernel/principals.js';

/** Metadata key: the least role of operators for a route. */
export const LEAST_ROLE = Symbol('LeastRole');

/** Admits operators with at least this role, and the other kinds of principal (decisions §6). */
export const ForOperators = (least: OperatorRole, ...others: Exclude<PrincipalKind, 'operator'>[]) =>
  applyDecorators(SetMetadata(ADMITTED_KINDS, [...others, 'operator']), SetMetadata(LEAST_ROLE, least));

/**
 * How a route serves an operator of sites:
 * - `named`: all that it reads and changes belongs to the site of a thing in its path.
 * - `narrowed`: its service looks at the operator's sites alone.
 * - `own`: it concerns nothing but the operator's own account and session.
 * - `refused`: it concerns companies as a whole. 403.
 */
export type SiteAccess = 'named' | 'narrowed' | 'own' | 'refused';

/** Metadata key: the `SiteAccess` of a route. */
export const SITE_ACCESS = Symbol('SiteAccess');

/** Declares how the route serves operators of sites (decisions §6). A route without it refuses them: 403. */
export const ForSiteOperators = (access: SiteAccess) => SetMetadata(SITE_ACCESS, access);

/** @throws ApiError 403 for an operator of sites, unless the route declares how it serves them */
export function assertServed({ sites }: OperatorPrincipal, access: SiteAccess | undefined): void {
  if (sites !== null && (access === undefined || access === 'refused')) throw errorOf('forbidden');
}

/** Metadata key: the route admits sessions without the required second factor. */
export const WITHOUT_SECOND_FACTOR = Symbol('WithoutSecondFactor');

/** Admits sessions without the required second factor, for routes that set it (decisions §6). */
export const WithoutSecondFactor = () => SetMetadata(WITHOUT_SECOND_FACTOR, true);

/** Metadata key: the route admits sessions with a password that somebody else made. */
export const WITHOUT_OWN_PASSWORD = Symbol('WithoutOwnPassword');

/** Admits sessions with a password that somebody else made, for routes that change it (decisions §6). */
export const WithoutOwnPassword = () => SetMetadata(WITHOUT_OWN_PASSWORD, true);

/** What a route does not ask of a session. */
export interface Unasked {
  readonly withoutFactor: boolean;
  readonly withoutOwnPassword: boolean;
}

/** The password comes first: its change ends the session. @throws ApiError 403 if the operator must change the password, or set the second factor, first */
export function assertCredentials(
  { lacks_factor, must_change_password }: OperatorPrincipal,
  { withoutFactor, withoutOwnPassword }: Unasked,
): void {
  if (must_change_password === true) {
    if (!withoutOwnPassword) throw errorOf('password_change_required');
    return;
  }
  if (lacks_factor === true && !withoutFactor) throw errorOf('second_factor_required');
}

/**
 * By the name of a path or query parameter: the error if the named thing does not exist for the operator, and what finds
 * the location or company that owns it; undefined if the thing does not exist.
 * Every path parameter of an operator's route must be here or in `UNOWNED`.
 */
export type Owners = Readonly<
  Record<string, readonly [CodeOf<404>, (id: string) => Promise<Owner | undefined>]>
>;

/** Injection token of the `Owners`; bound by `app.module.ts`. */
export const OWNERS = Symbol('Owners');

/** Checks the rights of an operator again, after a wait. */
export abstract class OperatorRightsCheck {
  /** @throws ApiError 401 if the rights have changed since the request was admitted */
  abstract assertRights(operator: OperatorPrincipal): Promise<unknown>;
}

/** Parameters whose controller itself checks what the operator may see. */
export const UNOWNED: readonly string[] = ['token_id', 'operator_id'];

/** @throws ApiError 403 if the operator's role is too low */
export function assertRole({ role }: OperatorPrincipal, least: OperatorRole): void {
  if (OPERATOR_ROLES.indexOf(role) < OPERATOR_ROLES.indexOf(least)) throw errorOf('forbidden');
}

/**
 * Checks all ids in a request's path and query. For an operator of some companies or sites, things of others do not
 * exist. @throws ApiError 404. @throws StoreUnavailableError
 */
export async function assertScope(
  operator: OperatorPrincipal,
  { params, query }: Pick<Request, 'params' | 'query'>,
  owners: Owners,
): Promise<void> {
  if (operator.companies === null) return;
  for (const named of [params, query]) await assertOwn(operator, named, owners);
}

/** As {@link assertScope}, for the fields of a form. A repeated field has several ids. @throws ApiError 404. @throws StoreUnavailableError */
export async function assertOwn(
  operator: OperatorPrincipal,
  named: Readonly<Record<string, unknown>>,
  owners: Owners,
): Promise<void> {
  if (operator.companies === null) return;
  for (const [name, [code, ownerOf]] of Object.entries(owners)) {
    for (const id of [named[name]].flat()) {
      if (typeof id !== 'string' || id === '') continue;
      const owner = await ownerOf(id);
      if (owner === undefined || !sees(operator, owner, name)) throw errorOf(code);
    }
  }
}

/** An operator of sites sees a company in parts, and nothing that belongs to the company and to none of these sites. */
function sees(operator: OperatorPrincipal, owner: Owner, name: string): boolean {
  if (owner.location_id !== undefined) return seesSite(operator, owner);
  if (name === 'company_id') return seesPartOf(operator, owner.company_id);
  return isInScope(operator, owner.company_id);
}
