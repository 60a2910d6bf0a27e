const LONGEST = 255;

export interface SearchQuery {
  readonly q?: unknown;
}

/** The text of a search, without spaces at its ends; empty if there is none. */
export function searchText({ q }: SearchQuery): string {
  return typeof q === 'string' ? q.trim().slice(0, LONGEST) : '';
}
