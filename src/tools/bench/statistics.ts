/** The middle of some numbers; NaN where there are none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that the given part of the numbers does not exceed. @param part between 0 and 1. */
export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) return NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}
