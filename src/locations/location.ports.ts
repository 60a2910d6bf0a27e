/** Finds units: a lock or zone is only given to a unit that exists. app.module.ts binds it. */
export interface UnitLookup {
  /** The unit, or undefined. @throws StoreUnavailableError */
  unit(
    unit_id: string,
  ): Promise<
    { readonly unit_id: string; readonly company_id: string; readonly location_id: string } | undefined
  >;
}

export const UNIT_LOOKUP = Symbol('UnitLookup');

/** Runs after a change of a location's policy. Optional. app.module.ts binds it. */
export interface LocationPolicyListener {
  /**
   * The location's document shows the new policy already. The promise resolves after all units of the location were
   * decided again. May be called more than once for one change.
   * @throws StoreUnavailableError
   */
  policyChanged(location_id: string): Promise<void>;
}

export const LOCATION_POLICY_LISTENER = Symbol('LocationPolicyListener');
