import type { FindOptions, IndexValue } from '#eventsourcing/documents/document-store.js';
import type { IndexPlan } from './collection-plan.js';

/** The last document of a page: its values of the index fields after those in `equals`, and its id. */
export interface PageEnd {
  readonly values: readonly IndexValue[];
  readonly id: string;
}

type Condition = Record<string, unknown>;
/** A condition for each field. A filter is one branch, or several combined with `$or`. */
export type Branch = Record<string, unknown>;

interface Limits {
  readonly from?: IndexValue | undefined;
  readonly to?: IndexValue | undefined;
  /** Exclusive: the value at the end of the page before. */
  readonly beyond?: IndexValue | undefined;
  readonly descending: boolean;
  readonly withoutNull: boolean;
}

/**
 * The branches of a find's filter. The server scans the index once for each branch and merges the results. With a
 * condition outside of `$or` it would scan everything before the page.
 */
export function branchesOf(
  index: IndexPlan,
  find: FindOptions,
  pageEnd: PageEnd | undefined,
): readonly Branch[] {
  const { equals } = find;
  if (index.sparse && equals.includes(null)) return [];
  const base: Branch = Object.fromEntries(equals.map((value, position) => [index.fields[position]!, value]));
  const fields = freeFields(index, find);
  if (index.sparse) for (const field of fields) base[field] = { $ne: null };
  const list = boundedList(index, find);
  if (list !== undefined) base[list] = elementWithin(find);
  const options = list === undefined ? find : { ...find, from: undefined, to: undefined };
  return pageEnd === undefined
    ? firstBranches(index, options, base)
    : nextBranches(index, options, base, pageEnd, fields);
}

/** The index fields that order a find's documents. */
export function freeFields(index: IndexPlan, options: FindOptions): readonly string[] {
  const list = boundedList(index, options);
  return index.fields.slice(options.equals.length).filter((field) => field !== list);
}

/** The list field that a find has bounds on. It does not order the documents, because each has several elements. */
function boundedList({ list, fields }: IndexPlan, { equals, from, to }: FindOptions): string | undefined {
  const isBounded = from !== undefined || to !== undefined;
  return isBounded && fields[equals.length] === list ? list : undefined;
}

/** `$elemMatch` demands that one element is within both bounds. */
function elementWithin({ from, to }: FindOptions): Condition {
  const limits = { from, to, descending: false, withoutNull: true };
  return { $elemMatch: conditionOfType(limits, 'string') ?? { $in: [] } };
}

function firstBranches(index: IndexPlan, options: FindOptions, base: Branch): readonly Branch[] {
  const { from, to, descending = false } = options;
  if (from === undefined && to === undefined) return [base];
  const field = freeFields(index, options)[0]!;
  return conditionsWithin({ from, to, descending, withoutNull: index.sparse }).map((condition) => ({
    ...base,
    [field]: condition,
  }));
}

/** The branches for documents after the page's end: a later value in one field, and the same values in those before. */
function nextBranches(
  index: IndexPlan,
  options: FindOptions,
  base: Branch,
  pageEnd: PageEnd,
  fields: readonly string[],
): readonly Branch[] {
  const { from, to, descending = false } = options;
  const branches: Branch[] = [];
  let tied = base;
  fields.forEach((field, position) => {
    const beyond = pageEnd.values[position] ?? null;
    const bounds = position === 0 ? { from, to } : {};
    for (const condition of conditionsWithin({ ...bounds, beyond, descending, withoutNull: index.sparse })) {
      branches.push({ ...tied, [field]: condition });
    }
    tied = { ...tied, [field]: conditionAt(beyond, descending) };
  });
  // No two documents share a key of a unique index.
  if (!index.unique) branches.push({ ...tied, _id: descending ? { $lt: pageEnd.id } : { $gt: pageEnd.id } });
  return branches;
}

/** The `sort` of a find. The fields in `equals` need none. */
export function sortOf(index: IndexPlan, options: FindOptions): Record<string, 1 | -1> {
  const direction = options.descending === true ? -1 : 1;
  const free = [...freeFields(index, options)];
  if (!index.unique) free.push('_id');
  return Object.fromEntries(free.map((field) => [field, direction] as const));
}

/** The value by which MongoDB sorts a document: for an array its least element, or its greatest if descending. */
export function sortValue(value: unknown, descending: boolean): IndexValue {
  if (!Array.isArray(value)) return (value ?? null) as IndexValue;
  const sorted = (value as IndexValue[]).toSorted(compareIndexValues);
  return (descending ? sorted.at(-1) : sorted[0]) ?? null;
}

/** null, then numbers, then strings by UTF-8 bytes. */
function compareIndexValues(left: IndexValue, right: IndexValue): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return rank(left) - rank(right);
}

function rank(value: IndexValue): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2;
}

/** One condition for each type, because MongoDB compares only values of one type. */
function conditionsWithin(limits: Limits): Condition[] {
  const conditions: Condition[] = [];
  if (holdsNull(limits)) conditions.push({ $eq: null });
  for (const [type, everything] of [
    ['number', Number.NEGATIVE_INFINITY],
    ['string', ''],
  ] as const) {
    const condition = conditionOfType(limits, type);
    if (condition === undefined) continue;
    conditions.push(Object.keys(condition).length === 0 ? { $gte: everything } : condition);
  }
  return conditions;
}

function holdsNull({ from, to, beyond, descending, withoutNull }: Limits): boolean {
  const isBounded = from !== undefined || to !== undefined;
  return !withoutNull && !isBounded && (beyond === undefined || (descending && beyond !== null));
}

/** Undefined if no value of the type is within the limits. */
function conditionOfType(limits: Limits, type: 'number' | 'string'): Condition | undefined {
  const { from, to, beyond, descending } = limits;
  const own = type === 'number' ? 1 : 2;
  const lower = descending ? [from] : [from, beyond];
  const upper = descending ? [to, beyond] : [to];
  if (lower.some((value) => value !== undefined && rank(value) > own)) return undefined;
  if (upper.some((value) => value !== undefined && rank(value) < own)) return undefined;
  return {
    ...(typeof from === type ? { $gte: from } : {}),
    ...(typeof to === type ? { $lte: to } : {}),
    ...(typeof beyond === type ? conditionBeyond(beyond, descending) : {}),
  };
}

/** The `$not` leaves out an array that an earlier page found by another of its elements. */
function conditionBeyond(value: IndexValue | undefined, descending: boolean): Condition {
  return descending ? { $lt: value, $not: { $gte: value } } : { $gt: value, $not: { $lte: value } };
}

/** Matches documents that this value sorts. For an array that is the first of its elements in the find's order. */
function conditionAt(value: IndexValue, descending: boolean): Condition {
  if (value === null) return { $eq: null };
  return { $eq: value, $not: descending ? { $gt: value } : { $lt: value } };
}
