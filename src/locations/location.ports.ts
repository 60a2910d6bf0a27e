/** Units as locations must know them: a lock or zone is given only to a unit that exists. app.module.ts binds it. */
export interface UnitLookup {
  /** The unit, or undefined. @throws StoreUnavailableError */
  unit(
    unit_id: string,
  ): Promise<
    { readonly unit_id: string; readonly company_id: string; readonly location_id: string } | undefined
  >;
}

export const UNIT_LOOKUP = Symbol('UnitLookup');

/** Acts when a location decides otherwise than before. Optional. app.module.ts binds it. */
export interface LocationPolicyListener {
  /**
   * The location's policy or time zone has changed and its document shows it. Every unit of the location has been
   * evaluated again when the promise resolves. May be called more than once for a change.
   * @throws StoreUnavailableError
   */
  policyChanged(location_id: string): Promise<void>;
}

export const LOCATION_POLICY_LISTENER = Symbol('LocationPolicyListener');
