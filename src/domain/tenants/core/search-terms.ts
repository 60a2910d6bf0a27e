import { fromEachWord, matcherOf, searchForms, searchWords, splitWords } from '#kernel/core/search.js';

interface SearchedDetails {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** Search may begin at each of the first words of a name, because any of them may be the surname. */
const MOST_WORDS = 8;
/** Characters. The prefixes of longer texts differ enough. */
const LONGEST_TERM = 100;
const MARKS = /\p{M}/gu;
const SPACES = /\s+/gu;
/** Keyboards, PMS and people use different apostrophes, or none. */
const APOSTROPHES = /['’ʼ`´]/gu;
const PHONE = /^(?:\s*\+)?[\d\s().-]+$/;
/** A whole number of North America, which people say without the country code 1. */
const NORTH_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;

/** Fewer digits after 00 are rather the last digits of a phone. */
const DIALLED_ABROAD = /^00\d{5}/;

/** Removes differences of case, accents, apostrophes and spaces. */
export function normalized(text: string): string {
  const plain = text.replaceAll(APOSTROPHES, '').normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return [...plain.trim().replaceAll(SPACES, ' ')].slice(0, LONGEST_TERM).join('');
}

/** A search text finds a tenant if it is the prefix of one of these terms. */
export function searchTerms({ name, email, phone }: SearchedDetails): string[] {
  const phones = phone === null ? [] : [phone, reversedDigits(phone)];
  const terms = [...nameTerms(name), email === null ? '' : normalized(email), ...phones];
  return [...new Set(terms)].filter((term) => term !== '');
}

/**
 * The name from its first word on, from its second word on, and so on; and behind hyphens. Records store these terms; a
 * change needs a new format (`SearchTermsRenewal`).
 */
function nameTerms(name: string | null): string[] {
  return name === null ? [] : fromEachWord(wordsOf(name));
}

const FINAL_SIGMA = /ς$/u;

/**
 * Lower case turns the sigma at the end of a word into its final form. A text may end in the middle of a word, whose stored
 * term has the plain form.
 */
function sigmaForms(prefix: string): string[] {
  return [...new Set([prefix, prefix.replace(FINAL_SIGMA, 'σ')])];
}

/** The prefixes of terms that a search text may mean. Phone numbers come first, because few tenants share one. */
export function prefixesOf(text: string): string[] {
  return [...new Set([...phonesOf(text), ...lastDigitsOf(text), ...namePrefixesOf(text)])];
}

/** As {@link prefixesOf}, for names only. */
export function namePrefixesOf(text: string): string[] {
  if (PHONE.test(text)) return [normalized(text)].filter((prefix) => prefix !== '');
  const prefixes = [text, withJoinedLetters(text)].flatMap((one) => sigmaForms(longestWordOf(one)));
  return [...new Set(prefixes)].filter((prefix) => prefix !== '');
}

/** Fewest tenants share the longest word. */
function longestWordOf(text: string): string {
  return wordsOf(text).toSorted((one, other) => other.length - one.length)[0] ?? '';
}

const LETTER_BEFORE_WORD = /(?<=^|[\s,])(\p{L})\s+(?=\p{L}{2})/gu;

/** `o neil` as `oneil`: terms have no apostrophes, and an initial looks the same. */
function withJoinedLetters(text: string): string {
  return text.replaceAll(LETTER_BEFORE_WORD, '$1');
}

/** At most eight words, without commas. A text of commas is a word. */
function wordsOf(text: string): string[] {
  const plain = normalized(text);
  const words = splitWords(plain).slice(0, MOST_WORDS);
  return words.length === 0 && plain !== '' ? [plain] : words;
}

type Named = Pick<SearchedDetails, 'name'>;

/** Whether a name has all words of a text, for many names. One word, and signs, are found by the index alone. */
export function wordMatcherOf(text: string): (named: Named) => boolean {
  const texts = [...new Set([text, withJoinedLetters(text)])];
  if (PHONE.test(text) || texts.some((one) => searchWords(one).length < 2)) return () => true;
  const matchers = texts.map(matcherOf);
  return ({ name }) => {
    const forms = searchForms(name ?? '');
    return matchers.some((matches) => matches(forms));
  };
}

/** Too many phone numbers end with the same 3 digits. */
const FEWEST_LAST_DIGITS = 4;

function lastDigitsOf(text: string): string[] {
  const isNumber = PHONE.test(text) && !text.trim().startsWith('+');
  const term = reversedDigits(text);
  return isNumber && term.length > FEWEST_LAST_DIGITS ? [term] : [];
}

/** The digits of a phone in reverse order, after a mark that no other term begins with. */
function reversedDigits(phone: string): string {
  return `#${[...phone.replaceAll(/\D/g, '')].reverse().join('')}`;
}

/** The international numbers that a text may begin: written with +, without it, or with 00. */
function phonesOf(text: string): string[] {
  const digits = PHONE.test(text) ? text.replaceAll(/\D/g, '') : '';
  if (digits === '') return [];
  const asTyped = `+${digits}`;
  if (text.trim().startsWith('+')) return [asTyped];
  if (DIALLED_ABROAD.test(digits)) return [`+${digits.slice(2)}`];
  return NORTH_AMERICAN.test(digits) ? [asTyped, `+1${digits}`] : [asTyped];
}

/** Whether a search of names only finds a tenant, for many tenants. */
export function nameMatcherOf(text: string): (named: Named) => boolean {
  const prefixes = namePrefixesOf(text);
  const hasWords = wordMatcherOf(text);
  return (named) => hasPrefix(nameTerms(named.name), prefixes) && hasWords(named);
}

/** As the search of the store, for accounts that were read already. */
export function tenantMatcherOf(text: string): (tenant: Named & SearchedAccount) => boolean {
  const prefixes = prefixesOf(text);
  const hasWords = wordMatcherOf(text);
  return (tenant) =>
    tenant.pms_tenant_id === text || (hasPrefix(tenant.search_terms, prefixes) && hasWords(tenant));
}

interface SearchedAccount {
  readonly pms_tenant_id: string;
  /** @see searchTerms */
  readonly search_terms: readonly string[];
}

/** Whether one of the terms begins with one of the prefixes. */
export function hasPrefix(terms: readonly string[], prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => terms.some((term) => term.startsWith(prefix)));
}
