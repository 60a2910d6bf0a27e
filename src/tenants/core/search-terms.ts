/** The personal details that a search looks at. */
export interface SearchedDetails {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** A name does not say which word is the surname, so a search may begin at each of the first words. */
const MOST_WORDS = 8;
/** Longer texts differ in their beginnings. */
const LONGEST_TERM = 100;
const MARKS = /\p{M}/gu;
const SPACES = /\s+/gu;
/** Keyboards have one of them, a PMS may have another, and people leave it out. */
const APOSTROPHES = /['’ʼ`´]/gu;
const PHONE = /^\s*\+?[\d\s().-]+$/;
/** A whole number there, which people say without the country’s 1. */
const NORTH_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;

/** Text as it is searched by: case, accents, apostrophes and the number of spaces do not matter. */
export function folded(text: string): string {
  const plain = text.replaceAll(APOSTROPHES, '').normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return [...plain.trim().replaceAll(SPACES, ' ')].slice(0, LONGEST_TERM).join('');
}

/** A tenant is found by the beginning of any of these terms. Without details there are none. */
export function searchTerms({ name, email, phone }: SearchedDetails): string[] {
  const phones = phone === null ? [] : [phone, lastFirst(phone)];
  const terms = [...nameTerms(name), email === null ? '' : folded(email), ...phones];
  return [...new Set(terms)].filter((term) => term !== '');
}

/** The name from its first word on, from its second, and so forth. */
function nameTerms(name: string | null): string[] {
  const words = name === null ? [] : folded(name).split(' ');
  return words.slice(0, MOST_WORDS).map((_, first) => words.slice(first).join(' '));
}

/** The kinds of terms that a text may find. Phone numbers come first: few tenants share one. */
export function beginningsOf(text: string): string[] {
  return [...new Set([...phonesOf(text), ...lastDigitsOf(text), ...nameBeginningsOf(text)])];
}

/** The same where names alone are searched; empty where the text has no letter to find. */
export function nameBeginningsOf(text: string): string[] {
  // The longest word is shared by the fewest tenants.
  const [longest] = wordsOf(text).toSorted((one, other) => other.length - one.length);
  const beginning = longest ?? folded(text);
  return beginning === '' ? [] : [beginning];
}

/** The first words of a text of several: a name has them in any order. A comma ends a word, as in “Park, Ada”. */
function wordsOf(text: string): string[] {
  if (PHONE.test(text)) return [];
  const words = folded(text)
    .split(' ')
    .map((word) => word.replace(/(?<=.),+$/, ''));
  return words.length < 2 ? [] : words.slice(0, MOST_WORDS);
}

/** Whether each word of a text of several begins a word of the name. */
export function hasWords({ name }: Pick<SearchedDetails, 'name'>, text: string): boolean {
  const own = folded(name ?? '').split(' ');
  return wordsOf(text).every((word) => own.some((one) => one.startsWith(word)));
}

/** Fewer digits end too many phone numbers. */
const FEWEST_LAST_DIGITS = 4;

function lastDigitsOf(text: string): string[] {
  const isNumber = PHONE.test(text) && !text.trim().startsWith('+');
  const term = lastFirst(text);
  return isNumber && term.length > FEWEST_LAST_DIGITS ? [term] : [];
}

/** The digits of a phone from the last one on, marked: no other term begins so. */
function lastFirst(phone: string): string {
  return `#${[...phone.replaceAll(/\D/g, '')].reverse().join('')}`;
}

/** The international numbers that a text may be the beginning of: with the sign, without it, and as people dial. */
function phonesOf(text: string): string[] {
  const digits = PHONE.test(text) ? text.replaceAll(/\D/g, '') : '';
  if (digits === '') return [];
  const asTyped = `+${digits}`;
  if (text.trim().startsWith('+')) return [asTyped];
  if (/^00./.test(digits)) return [`+${digits.slice(2)}`];
  return NORTH_AMERICAN.test(digits) ? [asTyped, `+1${digits}`] : [asTyped];
}

/** Whether a tenant is found by one of some beginnings. */
export function isFoundBy(details: SearchedDetails, beginnings: readonly string[]): boolean {
  return beginsWithAny(searchTerms(details), beginnings);
}

/** Whether a text finds a tenant where names alone are searched. */
export function isNamed(details: Pick<SearchedDetails, 'name'>, text: string): boolean {
  return beginsWithAny(nameTerms(details.name), nameBeginningsOf(text)) && hasWords(details, text);
}

function beginsWithAny(terms: readonly string[], beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => terms.some((term) => term.startsWith(beginning)));
}
