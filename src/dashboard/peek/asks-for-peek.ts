import { PEEK } from './peek-parts.js';

/** Whether a script asks for the panel alone. @param target the header `HX-Target` */
export function asksForPeek(target: string | undefined): boolean {
  return target === PEEK;
}
