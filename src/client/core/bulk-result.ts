import type { BulkResult, FieldFault } from '../routes.js';

/** Paths and texts of one request that name an entry by its index. */
const PLACE = /^units\.(\d+)(?=[.:]|$)/;

/** The same path or text with the entry's place in the whole. */
export function inTheWhole(text: string, before: number): string {
  return text.replace(PLACE, (_, place: string) => `units.${Number(place) + before}`);
}

/** Messages by path, by the entries' places in the whole. */
export function errorsInTheWhole<T>(
  errors: Readonly<Record<string, T>>,
  before: number,
): Readonly<Record<string, T>> {
  const moved = Object.entries(errors).map(([path, messages]) => [inTheWhole(path, before), messages]);
  return Object.fromEntries(moved) as Record<string, T>;
}

/** Faults of fields, by the entries' places in the whole. */
export function detailsInTheWhole(details: readonly FieldFault[], before: number): FieldFault[] {
  return details.map((fault) => ({ ...fault, field: inTheWhole(fault.field, before) }));
}

/** Joins the result of a further part to that of the parts before it: counts added, errors and warnings in order. */
export function joined(before: BulkResult | undefined, part: BulkResult): BulkResult {
  const sent = before?.total ?? 0;
  const errors = part.errors.map(({ error, errors: fields, details, ...entry }) => ({
    ...entry,
    error: inTheWhole(error, sent),
    ...(fields === undefined ? {} : { errors: errorsInTheWhole(fields, sent) }),
    ...(details === undefined ? {} : { details: detailsInTheWhole(details, sent) }),
  })) as BulkResult['errors'];
  if (before === undefined) return { ...part, errors };
  const warnings = [...(before.warnings ?? []), ...(part.warnings ?? [])];
  const skipped = part.skipped && [...(before.skipped ?? []), ...part.skipped];
  return {
    ...part,
    total: before.total + part.total,
    created: before.created + part.created,
    updated: before.updated + part.updated,
    unchanged: before.unchanged + part.unchanged,
    errors: [...before.errors, ...errors],
    ...(skipped === undefined ? {} : { skipped }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
