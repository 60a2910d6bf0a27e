/** Whether an entry point leads to a unit: one zone of the unit is enough. Both lists hold ids of zones. */
export function sharesZone(one: readonly string[], other: readonly string[]): boolean {
  return one.some((zone_id) => other.includes(zone_id));
}
