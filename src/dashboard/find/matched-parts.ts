import { searchName, searchWords } from '#kernel/core/search.js';

export interface TextPart {
  readonly text: string;
  /** True: somebody searched for it. */
  readonly isMatch: boolean;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const DIGIT = /\p{N}/u;
const BETWEEN = /^[\s,-]*$/;
const ACCENT = /\p{M}/u;

/** A text, split at what a search found in it: the beginnings of its words and numbers. The parts joined are the text. */
export function matchedParts(text: string, q: string): readonly TextPart[] {
  const wanted = searchWords(q);
  const parts: TextPart[] = [];
  let at = 0;
  for (const [from, end] of joined(text, matchesIn(text, wanted))) {
    if (from > at) parts.push({ text: text.slice(at, from), isMatch: false });
    parts.push({ text: text.slice(from, end), isMatch: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false });
  return parts;
}

type Range = readonly [from: number, end: number];

/** In order, none within another. */
function matchesIn(text: string, wanted: readonly string[]): readonly Range[] {
  const ranges: Range[] = [];
  let from = 0;
  while (from < text.length) {
    const end = isWordStart(text, from) ? endOfMatch(text, from, wanted) : undefined;
    if (end !== undefined) ranges.push([from, end]);
    from = end ?? from + 1;
  }
  return ranges;
}

/** Numbers also begin within a word, as in `B114`. */
function isWordStart(text: string, at: number): boolean {
  const one = text[at]!;
  const before = at === 0 ? '' : text[at - 1]!;
  if (!LETTER_OR_DIGIT.test(one)) return false;
  return !LETTER_OR_DIGIT.test(before) || (DIGIT.test(one) && !DIGIT.test(before));
}

/** The end of the longest wanted word that begins there; undefined if none does. */
function endOfMatch(text: string, from: number, wanted: readonly string[]): number | undefined {
  const longest = Math.max(0, ...wanted.map(({ length }) => length));
  let found: number | undefined;
  for (let end = from + 1; end <= text.length; end++) {
    const name = searchName(text.slice(from, end));
    if (name.length > longest) break;
    const isWhole = LETTER_OR_DIGIT.test(text[end - 1]!) || ACCENT.test(text[end - 1]!);
    if (isWhole && wanted.includes(name)) found = end;
  }
  return found;
}

/** Matches with nothing but spaces and hyphens between them are one. */
function joined(text: string, ranges: readonly Range[]): readonly Range[] {
  return ranges.reduce<readonly Range[]>((all, range) => {
    const last = all.at(-1);
    if (last === undefined || !BETWEEN.test(text.slice(last[1], range[0]))) return [...all, range];
    return [...all.slice(0, -1), [last[0], range[1]]];
  }, []);
}
