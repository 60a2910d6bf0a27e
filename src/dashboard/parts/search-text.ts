import { searchName } from '../../base/core/search-name.js';

const LONGEST = 255;

export interface SearchQuery {
  readonly q?: unknown;
}

/** The text of a search, without spaces at its ends; empty if there is none. */
export function searchText({ q }: SearchQuery): string {
  return typeof q === 'string' ? q.trim().slice(0, LONGEST) : '';
}

/** The words of a search in a table, each once, as {@link hasWords} takes them. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[\s,]+/).map(searchName);
  return [...new Set(words)].filter((word) => word !== '');
}

/** Whether each word is in one of the texts. */
export function hasWords(texts: readonly string[], words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const names = texts.map(searchName);
  return words.every((word) => names.some((name) => name.includes(word)));
}
