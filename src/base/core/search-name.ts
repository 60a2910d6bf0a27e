const LONGEST_NAME = 60;
/** More words would make many long forms of one name. */
const MOST_WORDS = 8;
const IGNORED = /[^\p{L}\p{N}]+/gu;

/** A name in the form for searches: without case, accents, spaces and signs, at most 60 characters. */
export function searchName(text: string): string {
  return text.normalize('NFKD').replaceAll(IGNORED, '').toLowerCase().slice(0, LONGEST_NAME);
}

/** The search forms of a name from each of its first words on, because a search may begin with any of them. */
export function searchNames(name: string): readonly string[] {
  const words = name.trim().split(/\s+/);
  const names = words.slice(0, MOST_WORDS).map((_, first) => searchName(words.slice(first).join(' ')));
  return [...new Set(names)].filter((one) => one !== '');
}
