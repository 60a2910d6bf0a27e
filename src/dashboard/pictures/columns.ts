export interface Counted {
  readonly date: string;
  readonly count: number;
}

/** The dates from the first on, each with its count, or 0. */
export function everyDate(first: string, days: number, counted: readonly Counted[]): Counted[] {
  const counts = new Map(counted.map(({ date, count }) => [date, count]));
  return Array.from({ length: days }, (_, index) => {
    const date = laterBy(first, index);
    return { date, count: counts.get(date) ?? 0 };
  });
}

export function mostOf(counted: readonly Counted[]): number {
  return Math.max(0, ...counted.map(({ count }) => count));
}

export function laterBy(date: string, days: number): string {
  const instant = new Date(`${date}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10);
}
