const LONGEST_FORM = 60;
/** More words would make many long forms of one name. */
const MOST_WORDS = 8;
const DIGIT = /\p{N}/u;
const IGNORED = /[^\p{L}\p{N}]+/gu;
const BETWEEN_WORDS = /[\s,]+/u;
const HYPHEN = /\p{Pd}/u;
const HYPHEN_BEFORE_LETTER = /\p{Pd}+(?=\p{L})/gu;
/** A number may stand within a word: `B-114`. Letters after it belong to it: `15a`. */
const NUMBER = /\p{Nd}[\p{L}\p{N}]*/gu;

/**
 * The one search of names, for the API and the pages: a text finds a name if each of its words begins a word or a number of
 * the name, in any order. Case, accents, signs and commas do not count. “Whitfield, Den” finds Denise Whitfield, “114” finds B-114.
 */
export function isCalled(name: string, text: string): boolean {
  return matcherOf(text)(searchForms(name));
}

/** As {@link isCalled}, for many names: takes the forms of each. */
export function matcherOf(text: string): (forms: readonly string[]) => boolean {
  const words = searchWords(text);
  const whole = searchName(text);
  return (forms) => {
    const begins = (wanted: string) => forms.some((form) => form.startsWith(wanted));
    return words.length > 0 && (begins(whole) || words.every(begins));
  };
}

/** A name without case, accents, spaces and signs, at most 60 characters. Views store it. */
export function searchName(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(IGNORED, '').toLowerCase();
  // Greek has another sigma at the end of a word, which is not the end in a joined name.
  return plain.replaceAll('ς', 'σ').slice(0, LONGEST_FORM);
}

/** The name from each of its first words and hyphens on, and each of its numbers. Views store these forms. */
export function searchForms(name: string): readonly string[] {
  return formsOf([...fromEachWord(splitWords(name)), ...numbersIn(name)]);
}

/** A name from each of its first words on, and from each of the first hyphens on. */
export function fromEachWord(words: readonly string[]): string[] {
  const fromWords = words.slice(0, MOST_WORDS).map((_, first) => words.slice(first).join(' '));
  return [...fromWords, ...fromWords.flatMap(afterHyphens).slice(0, MOST_WORDS)];
}

/** The name behind each hyphen of its first word: “Jane Lopez” of “Mary-Jane Lopez”. Numbers are found anyway. */
function afterHyphens(name: string): string[] {
  if (!HYPHEN.test(name)) return [];
  const [word = ''] = splitWords(name);
  const first = name.slice(name.indexOf(word));
  return [...word.matchAll(HYPHEN_BEFORE_LETTER)].map(({ index, 0: hyphen }) =>
    first.slice(index + hyphen.length),
  );
}

/** Numbers as they are written, with the letters after them. */
export function numbersIn(name: string): readonly string[] {
  return name.match(NUMBER) ?? [];
}

/** What to look up in an index of {@link searchForms} for a text: the whole of it, and its most telling word. */
export function beginningsOf(text: string): readonly string[] {
  const [telling] = searchWords(text).toSorted(
    (one, other) => Number(DIGIT.test(other)) - Number(DIGIT.test(one)) || other.length - one.length,
  );
  return formsOf([text, telling ?? '']);
}

/** The first words of a text, each once. */
export function searchWords(text: string): readonly string[] {
  return formsOf(splitWords(text).slice(0, MOST_WORDS));
}

/** Words as they are written. */
export function splitWords(text: string): string[] {
  return text.split(BETWEEN_WORDS).filter((word) => word !== '');
}

function formsOf(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(searchName))].filter((form) => form !== '');
}
