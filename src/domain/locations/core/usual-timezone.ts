/** The time zone of most of the sites. */
export function usualTimezone(timezones: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const timezone of timezones) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first === undefined ? 'UTC' : first[0];
}
