import { withQuery } from '../links/with-query.js';
import { countText } from '../parts/words.js';

/** The page after a form that linked gates and zones. @param gone how many it left out, because they were removed meanwhile */
export function goneLinksPath(path: string, gone: number): string {
  return gone === 0 ? path : withQuery(path, { gone: String(gone) });
}

/** What the address of the next page says of them. Undefined: nothing. */
export function goneLinksText(thing: 'gate' | 'zone', { gone }: { readonly gone?: unknown }) {
  if (typeof gone !== 'string' || !/^[1-9]\d{0,2}$/.test(gone)) return undefined;
  const count = Number(gone);
  return `${countText(count, thing)} in the form ${count === 1 ? 'was' : 'were'} removed meanwhile, and left out.`;
}
