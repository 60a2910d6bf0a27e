const LONGEST_NAME = 60;
const UNSAID = /[^\p{L}\p{N}]/gu;

/** A name as it is searched by: case, accents, spaces and signs do not matter. Longer names are cut to 60 characters. */
export function searchName(text: string): string {
  return text.normalize('NFKD').replaceAll(UNSAID, '').toLowerCase().slice(0, LONGEST_NAME);
}

/** The name from each of its words on: a search may begin at any of them. */
export function searchNames(name: string): readonly string[] {
  const words = name.trim().split(/\s+/);
  const names = words.map((_, first) => searchName(words.slice(first).join(' ')));
  return [...new Set(names)].filter((one) => one !== '');
}
