/**
 * A period in which a unit was in a zone, or an entry point served it, in milliseconds. `until` is exclusive; null while
 * it lasts.
 */
export interface ZoneStay {
  readonly zone_id: string;
  readonly from: number;
  readonly until: number | null;
}

/** Ends and begins stays, so that exactly these zones apply from an instant on. */
export function withZones(stays: readonly ZoneStay[], zone_ids: readonly string[], at: number): ZoneStay[] {
  const ended = stays.map((stay) =>
    stay.until === null && !zone_ids.includes(stay.zone_id) ? { ...stay, until: at } : stay,
  );
  const current = new Set(ended.filter(({ until }) => until === null).map(({ zone_id }) => zone_id));
  const begun = zone_ids.filter((zone_id) => !current.has(zone_id));
  return [...ended, ...begun.map((zone_id) => ({ zone_id, from: at, until: null }))];
}

/** The zones at an instant (milliseconds). */
export function zonesAt(
  { zone_stays }: { readonly zone_stays: readonly ZoneStay[] },
  instant: number,
): string[] {
  const then = zone_stays.filter(({ from, until }) => from <= instant && (until === null || instant < until));
  return then.map(({ zone_id }) => zone_id);
}
