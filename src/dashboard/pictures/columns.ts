export interface Counted {
  readonly date: string;
  readonly count: number;
}

export interface DayColumn extends Counted {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
  /** The count of a column of full height. */
  readonly most: number;
}

/** A column stays visible however small its count is. */
const LOWEST = 2;

/** The part of a column's step that is empty. */
const GAP = 0.2;

/** Columns from the left, as high as their counts; 0 has no height. */
export function columnsOf(counted: readonly Counted[], { width, height, most }: Size): DayColumn[] {
  const step = width / (counted.length + GAP);
  return counted.map(({ date, count }, index) => {
    const high = count === 0 ? 0 : Math.max((count / Math.max(1, most)) * height, LOWEST);
    return { date, count, x: step * (index + GAP), y: height - high, width: step * (1 - GAP), height: high };
  });
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
