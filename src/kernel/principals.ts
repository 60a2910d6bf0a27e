/** `write`: everything that the company may do. `read`: reads only. */
export const TOKEN_SCOPES = ['write', 'read'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** An integrator's server, authenticated by an API token (specification §5.1). */
export interface ApiTokenPrincipal {
  readonly kind: 'api_token';
  readonly id: string;
  readonly company_id: string;
  readonly scope: TokenScope;
}

/** Roles of operators. Each has more rights than the one before (decisions §6). */
export const OPERATOR_ROLES = ['auditor', 'manager', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A location with the company that owns it for ever. */
export interface Site {
  readonly company_id: string;
  readonly location_id: string;
}

/** The owner of a thing: a location, or a company as a whole. */
export type Owner = Site | { readonly company_id: string; readonly location_id?: undefined };

/** An operator, authenticated by a session. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly id: string;
  readonly role: OperatorRole;
  /**
   * The companies that this operator sees as a whole; null: all. Empty for an operator of sites, so that code that asks for
   * companies alone shows nothing.
   */
  readonly companies: readonly string[] | null;
  /** The sites of an operator who sees these alone; null for an operator of whole companies. */
  readonly sites: readonly Site[] | null;
  /** Grows with every change of the operator's password, second factor or rights. */
  readonly rights_version: number;
  /** Somebody else made the password. The session may only change it. */
  readonly must_change_password?: true;
  /** All operators need a second factor, and this one has none. The session may only set it. */
  readonly lacks_factor?: true;
  /** The operator signed on at the provider a few minutes ago: no password is asked as a proof. */
  readonly is_present?: true;
  /** The session was opened with a second factor of the provider: no code is asked as a proof. */
  readonly has_factor?: true;
}

/** A tenant's app, authenticated by the token of a login (specification §5.2). */
export interface TenantPrincipal {
  readonly kind: 'tenant';
  readonly id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly session_id: string;
}

export type Principal = ApiTokenPrincipal | OperatorPrincipal | TenantPrincipal;
export type PrincipalKind = Principal['kind'];

/** What an operator may see. */
export type OperatorScope = Pick<OperatorPrincipal, 'companies' | 'sites'>;

/** Whether the operator sees the whole company. */
export function isInScope({ companies }: Pick<OperatorPrincipal, 'companies'>, company_id: string): boolean {
  return companies === null || companies.includes(company_id);
}

/** Whether the operator sees at least one site of the company. */
export function seesPartOf(scope: OperatorScope, company_id: string): boolean {
  if (scope.sites === null) return isInScope(scope, company_id);
  return scope.sites.some((site) => site.company_id === company_id);
}

/** Whether the operator sees this site. */
export function seesSite(scope: OperatorScope, { company_id, location_id }: Site): boolean {
  if (scope.sites === null) return isInScope(scope, company_id);
  return scope.sites.some((site) => site.location_id === location_id && site.company_id === company_id);
}

/** Where lists of an operator look. */
export interface SeenPlaces {
  /** Null: all companies. */
  readonly companies: readonly string[] | null;
  /** The only locations of these companies; undefined: all of their locations. */
  readonly locations: readonly string[] | undefined;
}

export function placesOf({ companies, sites }: OperatorScope): SeenPlaces {
  if (sites === null) return { companies, locations: undefined };
  return {
    companies: [...new Set(sites.map(({ company_id }) => company_id))],
    locations: sites.map(({ location_id }) => location_id),
  };
}
