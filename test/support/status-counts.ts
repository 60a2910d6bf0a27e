/** How many of the answers had which status. */
export async function statusCounts(
  attempts: readonly Promise<{ readonly status: number }>[],
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(attempts)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
