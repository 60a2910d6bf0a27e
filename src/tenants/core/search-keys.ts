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
  const digits = PHONE.test(text) ? text.replaceAll(/\D/g, '') : '';
  return [
    ...beginningsIn(text, ['search_name', 'search_surname', 'search_email']),
    ...(digits === '' ? [] : [{ field: 'phone', beginning: `+${digits}` } as const]),
    { field: 'pms_tenant_id', beginning: text },
  ];
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
