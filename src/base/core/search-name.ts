const LONGEST_NAME = 60;
/** More words would make many long forms of one name. */
const MOST_WORDS = 8;
const DIGIT = /\p{N}/u;
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

/** What to look up in {@link searchNames} for a text: the whole of it, and its most telling word. */
export function beginningsOf(text: string): readonly string[] {
  const [telling] = wordsOf(text).toSorted(
    (one, other) => Number(DIGIT.test(other)) - Number(DIGIT.test(one)) || other.length - one.length,
  );
  return [...new Set([searchName(text), telling ?? ''])].filter((one) => one !== '');
}

/** Whether a name, from one of its words on, begins with a text; or each word of the text begins one of the name. */
export function isCalled(name: string, text: string): boolean {
  const names = searchNames(name);
  const begins = (wanted: string) => names.some((one) => one.startsWith(wanted));
  const words = wordsOf(text);
  return words.length > 0 && (begins(searchName(text)) || words.every(begins));
}

function wordsOf(text: string): string[] {
  const words = text.trim().split(/\s+/).slice(0, MOST_WORDS);
  return words.map(searchName).filter((word) => word !== '');
}
