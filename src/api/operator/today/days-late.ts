const DAY_MS = 24 * 60 * 60_000;

interface Owing {
  readonly balance_due: number;
  readonly paid_through_date: string | null;
}

/** Whole days from the paid-through date to a local date. Null if nothing is late. */
export function daysLate(
  { balance_due, paid_through_date: paid_through }: Owing,
  today: string,
): number | null {
  if (paid_through === null || balance_due <= 0) return null;
  const days = Math.round((Date.parse(today) - Date.parse(paid_through)) / DAY_MS);
  return days > 0 ? days : null;
}
