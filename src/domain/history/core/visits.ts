/** A tap at a lock or an entry point. */
interface VisitTap {
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly at: number;
}

/** Taps of one tenant that are no further apart, in milliseconds, are one visit. */
const APART_MS = 15 * 60_000;

/**
 * Taps by visit: whoever opens a gate, a lobby and a door comes once. The newest visit first, and the taps of each.
 * @param taps the newest first
 * @param kindOf taps of different kinds are different visits
 */
export function visitsOf<Tap extends VisitTap>(
  taps: readonly Tap[],
  kindOf: (tap: Tap) => string,
): readonly (readonly Tap[])[] {
  const visits: Tap[][] = [];
  const open = new Map<string, Tap[]>();
  for (const tap of taps) {
    const key = `${tap.tenant_id} ${kindOf(tap)}`;
    const visit = open.get(key);
    if (visit !== undefined && visit.at(-1)!.at - tap.at <= APART_MS) visit.push(tap);
    else {
      const begun = [tap];
      open.set(key, begun);
      visits.push(begun);
    }
  }
  return visits;
}
