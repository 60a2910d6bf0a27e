/** A calendar date, `YYYY-MM-DD`, in the location's time zone (docs/decisions.md). */
export type CalendarDate = string;

/** Whether a text is YYYY-MM-DD and an existing day, in the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // `Date` turns 30 February into a day of March, so the day is compared.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}
