/** What a tenant account is found by besides its phone and its PMS's identifier; null where there is nothing. */
export interface SearchKeys {
  readonly search_name: string | null;
  /** The name without its first word, so that a surname finds as well. */
  readonly search_surname: string | null;
  readonly search_email: string | null;
}

/** The fields of an account of which some text may be the beginning. */
export type SearchedField = keyof SearchKeys | 'phone' | 'pms_tenant_id';

export interface SearchedBeginning {
  readonly field: SearchedField;
  readonly beginning: string;
}

/** Longer texts differ in their beginnings. */
const LONGEST_KEY = 100;
const MARKS = /\p{M}/gu;
const SPACES = /\s+/gu;
const PHONE = /^\+?[\d\s().-]+$/;
/** A whole number there, which people say without the country’s 1. */
const NORTH_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;

/** Text as it is searched by: case, accents and the number of spaces do not matter. */
export function folded(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  return [...plain.trim().replaceAll(SPACES, ' ')].slice(0, LONGEST_KEY).join('');
}

export function searchKeys(name: string | null, email: string | null): SearchKeys {
  const search_name = name === null ? null : folded(name);
  const space = search_name?.indexOf(' ') ?? -1;
  return {
    search_name,
    search_surname: space < 0 ? null : search_name!.slice(space + 1),
    search_email: email === null ? null : folded(email),
  };
}

/** What a searched text may be the beginning of where names alone are searched; nothing where it has no letter to find. */
export function nameBeginningsOf(text: string): SearchedBeginning[] {
  return beginningsIn(text, ['search_name', 'search_surname']);
}

/** What a searched text may be the beginning of, in the order in which it is told. */
export function beginningsOf(text: string): SearchedBeginning[] {
  return [
    ...beginningsIn(text, ['search_name', 'search_surname', 'search_email']),
    ...phonesOf(text).map((beginning) => ({ field: 'phone', beginning }) as const),
    { field: 'pms_tenant_id', beginning: text },
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
