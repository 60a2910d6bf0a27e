interface Wanted<T> {
  /** The key of the last one that was shown; absent for the beginning. */
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly key: (one: T) => string;
}

/** A page of a list that is there whole; the list's beginning where what the cursor names is gone. */
export function pageOf<T>(all: readonly T[], { cursor, limit, key }: Wanted<T>) {
  const from = cursor === undefined ? 0 : all.findIndex((one) => key(one) === cursor) + 1;
  const shown = all.slice(from, from + limit);
  const last = shown.at(-1);
  return { shown, next_cursor: last === undefined || from + limit >= all.length ? null : key(last) };
}
