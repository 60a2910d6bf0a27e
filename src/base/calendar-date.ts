/** Whether a text is YYYY-MM-DD and an existing day, in the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  // `Date` turns 30 February into a day of March, so the result is compared with the text.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}
