/** Finds units: a lock or zone is only given to a unit that exists. app.module.ts binds it. */
export abstract class UnitLookup {
  /** The unit, or undefined. @throws StoreUnavailableError */
  abstract unit(
    unit_id: string,
  ): Promise<
    { readonly unit_id: string; readonly company_id: string; readonly location_id: string } | undefined
  >;
}

/** Runs after a change of a location's policy. Optional. app.module.ts binds it. */
export abstract class LocationPolicyListener {
  /**
   * The location's document shows the new policy already. The promise resolves after all units of the location were
   * decided again. May be called more than once for one change.
   * @throws StoreUnavailableError
   */
  abstract policyChanged(location_id: string): Promise<void>;
}
