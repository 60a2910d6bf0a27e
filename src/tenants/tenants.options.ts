/** What this feature needs of the environment. */
export interface TenantsOptions {
  /** How many days a tenant's token is good for. */
  readonly tenant_token_days: number;
}

/** Injection token; bound by app.module.ts. */
export const TENANTS_OPTIONS = Symbol('TenantsOptions');
