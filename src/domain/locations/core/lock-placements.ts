/** A period in which a lock was on a unit, in milliseconds. `until` is exclusive; null while the lock is there. */
export interface LockPlacement {
  readonly unit_id: string;
  readonly from: number;
  readonly until: number | null;
}

export function withPlacement(
  placements: readonly LockPlacement[],
  unit_id: string,
  from: number,
): LockPlacement[] {
  return [...placements, { unit_id, from, until: null }];
}

export function endPlacement(placements: readonly LockPlacement[], until: number): LockPlacement[] {
  return placements.map((one) => (one.until === null ? { ...one, until } : one));
}

/** The unit that a lock was on at an instant (milliseconds); null: on no unit. */
export function unitOfLockAt(
  { placements }: { readonly placements: readonly LockPlacement[] },
  instant: number,
): string | null {
  const one = placements.find(({ from, until }) => from <= instant && (until === null || instant < until));
  return one?.unit_id ?? null;
}
