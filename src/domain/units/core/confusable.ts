/** How an identifier looks like another one. It is judged only where it would create a unit (decisions §2). */
export type Confusable =
  /** It begins or ends with white space, or has nothing else. */
  | { readonly kind: 'white_space' }
  /** `known` is the identifier of another unit, and differs only in its Unicode normalisation form. */
  | { readonly kind: 'normalisation'; readonly known: string };

/**
 * The identifier in the other normalisation forms: none for plain letters and digits. One that mixes the forms is not
 * found by another mixture, because only the pure forms are looked up.
 */
export function otherForms(crm_unit_id: string): string[] {
  const composed = crm_unit_id.normalize('NFC');
  const decomposed = crm_unit_id.normalize('NFD');
  return [composed, decomposed].filter((form) => form !== crm_unit_id);
}

export function hasOuterSpace(crm_unit_id: string): boolean {
  return crm_unit_id.trim() !== crm_unit_id;
}
