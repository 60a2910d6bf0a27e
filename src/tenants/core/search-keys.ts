/**
 * The fields that hold a name from its first, its second, its third word on, and so forth. A name does not tell where its
 * surname begins, so each word finds, and those of a longer name that follow find no more.
 */
const NAME_FIELDS = [
  'search_name',
  'search_surname',
  'search_word_3',
  'search_word_4',
  'search_word_5',
  'search_word_6',
  'search_word_7',
  'search_word_8',
] as const;

type NameField = (typeof NAME_FIELDS)[number];

/** What a tenant account is found by besides its phone and its PMS's identifier; null where there is nothing. */
export type SearchKeys = Readonly<Record<NameField | 'search_email', string | null>>;

/** The fields of an account of which some text may be the beginning. */
export const SEARCHED_FIELDS = [...NAME_FIELDS, 'search_email', 'phone', 'pms_tenant_id'] as const;

export type SearchedField = (typeof SEARCHED_FIELDS)[number];

export interface SearchedBeginning {
  readonly field: SearchedField;
  readonly beginning: string;
}

/** Longer texts differ in their beginnings. */
const LONGEST_KEY = 100;
const MARKS = /\p{M}/gu;
const SPACES = /\s+/gu;
const PHONE = /^\s*\+?[\d\s().-]+$/;
/** A whole number there, which people say without the country’s 1. */
const NORTH_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;

/** Text as it is searched by: case, accents and the number of spaces do not matter. */
export function folded(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return [...plain.trim().replaceAll(SPACES, ' ')].slice(0, LONGEST_KEY).join('');
}

export function searchKeys(name: string | null, email: string | null): SearchKeys {
  const words = name === null ? [] : folded(name).split(' ');
  const names = NAME_FIELDS.map(
    (field, place) => [field, place < words.length ? words.slice(place).join(' ') : null] as const,
  );
  return {
    ...(Object.fromEntries(names) as Record<NameField, string | null>),
    search_email: email === null ? null : folded(email),
  };
}

/** What a searched text may be the beginning of where names alone are searched; nothing where it has no letter to find. */
export function nameBeginningsOf(text: string): SearchedBeginning[] {
  return beginningsIn(text, NAME_FIELDS);
}

/** What a searched text may be the beginning of, in the order in which it is told: first what few tenants share. */
export function beginningsOf(text: string): SearchedBeginning[] {
  return [
    ...phonesOf(text).map((beginning) => ({ field: 'phone', beginning }) as const),
    { field: 'pms_tenant_id', beginning: text },
    ...beginningsIn(text, ['search_email']),
    ...nameBeginningsOf(text),
  ];
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

function beginningsIn(text: string, fields: readonly (keyof SearchKeys)[]): SearchedBeginning[] {
  const beginning = folded(text);
  return beginning === '' ? [] : fields.map((field) => ({ field, beginning }));
}

/** Whether an account is found by one of some beginnings. */
export function isFoundBy(
  account: Readonly<Record<SearchedField, string | null>>,
  beginnings: readonly SearchedBeginning[],
): boolean {
  return beginnings.some(({ field, beginning }) => account[field]?.startsWith(beginning) === true);
}
