/** The number of a page in an address, from 1. Anything else means the first. */
export function pageNumberIn(text: string | undefined): number {
  return text !== undefined && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** A page of a list that was read whole. */
export interface NumberedPage<Row> {
  readonly rows: readonly Row[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  /** Rows on the pages before. */
  readonly before: number;
  /** Rows on all pages. */
  readonly total: number;
}

/** The page with a number, or the last one if there are fewer. */
export function numberedPage<Row>(
  all: readonly Row[],
  number: number,
  largestPage: number,
): NumberedPage<Row> {
  const pages = Math.max(Math.ceil(all.length / largestPage), 1);
  const page = Math.min(number, pages);
  const before = (page - 1) * largestPage;
  return { rows: all.slice(before, before + largestPage), page, pages, before, total: all.length };
}
