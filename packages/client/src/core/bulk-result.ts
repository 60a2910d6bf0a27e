import type { BulkResult, FieldFault } from '../routes.js';

/** The index of an entry in a path or text of one request. */
const ENTRY_INDEX = /^units\.(\d+)(?=[.:]|$)/;

/** Adds the number of entries of earlier requests to the index. */
export function shiftIndex(text: string, before: number): string {
  return text.replace(ENTRY_INDEX, (_, index: string) => `units.${Number(index) + before}`);
}

export function shiftErrors<T>(
  errors: Readonly<Record<string, T>>,
  before: number,
): Readonly<Record<string, T>> {
  const shifted = Object.entries(errors).map(([path, messages]) => [shiftIndex(path, before), messages]);
  return Object.fromEntries(shifted) as Record<string, T>;
}

export function shiftDetails(details: readonly FieldFault[], before: number): FieldFault[] {
  return details.map((fault) => ({ ...fault, field: shiftIndex(fault.field, before) }));
}

/** Adds the result of one request to the results of the earlier ones. */
export function joinResults(before: BulkResult | undefined, part: BulkResult): BulkResult {
  const sent = before?.total ?? 0;
  const errors = part.errors.map(({ error, errors: fields, details, ...entry }) => ({
    ...entry,
    error: shiftIndex(error, sent),
    ...(fields === undefined ? {} : { errors: shiftErrors(fields, sent) }),
    ...(details === undefined ? {} : { details: shiftDetails(details, sent) }),
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
