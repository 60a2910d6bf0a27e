/** Prefix of a path key that is the service's own identifier of a unit. */
export const UNIT_ID_PREFIX = 'ulid:';

/** Whether a path's key is `ulid:{unit_id}`. Any other key is the integrator's own identifier. */
export function isUnitId(key: string): boolean {
  return key.startsWith(UNIT_ID_PREFIX);
}
