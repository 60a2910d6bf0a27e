/** What locations must hear from units, bound by app.module.ts: a lock or zone is given only to a unit that exists. */
export interface UnitLookup {
  /** The unit, or undefined. @throws StoreUnavailableError */
  unit(
    unit_id: string,
  ): Promise<
    { readonly unit_id: string; readonly company_id: string; readonly location_id: string } | undefined
  >;
}

export const UNIT_LOOKUP = Symbol('UnitLookup');

/** Who must act when a location decides otherwise than before. Bound by app.module.ts; optional. */
export interface LocationPolicyListener {
  /**
   * The location's policy or time zone has changed and its document shows it. Every unit of the location has been
   * evaluated again when the promise resolves. May be called more than once for a change.
   * @throws StoreUnavailableError
   */
  policyChanged(location_id: string): Promise<void>;
}

export const LOCATION_POLICY_LISTENER = Symbol('LocationPolicyListener');
