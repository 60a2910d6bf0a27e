/**
 * Whether the client has the answer already (RFC 9110, If-None-Match: a list, compared weakly, or `*`).
 * @param known the header; undefined if there is none
 * @param entity_tag of the answer, weak or strong
 */
export function isKnown(known: string | undefined, entity_tag: string): boolean {
  if (known === undefined) return false;
  const wanted = withoutWeakness(entity_tag);
  return known
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || withoutWeakness(tag) === wanted);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}
