const SLOT_MS = 6 * 60 * 60_000;
const SECONDS_OF_HOUR = 3_600;

interface Refresh {
  /** When the app should ask again (milliseconds). */
  readonly refresh_at: number;
  /** The first instant (milliseconds) at which `refresh_at` is another one. */
  readonly changes_at: number;
}

/**
 * When an app should ask again: at the next end, if that is within six hours. Otherwise at a multiple of six hours, some
 * seconds later, so that not all apps ask at once.
 * @param end the next instant (milliseconds) at which the answer changes by itself; Infinity: never
 */
export function refreshOf(end: number, tenant_id: string, now: number): Refresh {
  if (end - now <= SLOT_MS) return { refresh_at: end, changes_at: end };
  const delay = delayOf(tenant_id);
  const slot = Math.floor((now - delay) / SLOT_MS) + 1;
  const refresh_at = slot * SLOT_MS + delay;
  return { refresh_at, changes_at: Math.min(refresh_at, end - SLOT_MS) };
}

/** A part of an hour in whole seconds, always the same for a tenant. */
function delayOf(tenant_id: string): number {
  let seconds = 0;
  for (const character of tenant_id) seconds = (seconds * 31 + character.charCodeAt(0)) % SECONDS_OF_HOUR;
  return seconds * 1_000;
}
