/** That a lock was on a unit's door: from an instant (milliseconds) on, up to another; null while it is. */
export interface LockPlacement {
  readonly unit_id: string;
  readonly from: number;
  readonly until: number | null;
}

/** The placements, oldest first, of a lock that is put on another door. */
export function placed(placements: readonly LockPlacement[], unit_id: string, from: number): LockPlacement[] {
  return [...placements, { unit_id, from, until: null }];
}

/** The same of a lock that is taken off. */
export function takenOff(placements: readonly LockPlacement[], until: number): LockPlacement[] {
  return placements.map((one) => (one.until === null ? { ...one, until } : one));
}

/** The unit that a lock was on at an instant; null for none. */
export function unitOfLockAt(
  { placements }: { readonly placements: readonly LockPlacement[] },
  instant: number,
): string | null {
  const one = placements.find(({ from, until }) => from <= instant && (until === null || instant < until));
  return one?.unit_id ?? null;
}
