/** Days and sites are counted anew each 15 minutes. After a longer time, in milliseconds, the service was out. */
const STALE_AFTER_MS = 60 * 60_000;

/** Whether a count is not older than an outage. After one it is being made anew. @param at both in milliseconds */
export function isFresh(counted_at: number, at: number): boolean {
  return at - counted_at < STALE_AFTER_MS;
}
