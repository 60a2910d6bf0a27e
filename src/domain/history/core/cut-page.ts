import { byPoint, type HistoryPoint, type Window } from './window.js';

interface Narrowing {
  readonly window: Window;
  /** True if entries may follow the window, in the order of the page. */
  readonly isNarrowed: boolean;
}

/** A page of entries in their order, and the point behind which the next page begins. Undefined: none follows. */
export function cutPage<Entry extends HistoryPoint>(
  entries: readonly Entry[],
  { window, isNarrowed }: Narrowing,
  { limit, isNewestFirst }: { readonly limit: number; readonly isNewestFirst: boolean },
): { readonly page: readonly Entry[]; readonly next: HistoryPoint | undefined } {
  const sorted = entries.toSorted((one, other) =>
    isNewestFirst ? byPoint(other, one) : byPoint(one, other),
  );
  const page = sorted.slice(0, limit);
  if (sorted.length > limit) return { page, next: page.at(-1)! };
  if (!isNarrowed) return { page, next: undefined };
  return { page, next: isNewestFirst ? window.after : window.before };
}
