import type { FindOptions, IndexValue } from '../document-store.js';
import type { IndexPlan } from './collection-plan.js';

/** The end of a page: the values of the index fields behind those asked to be equal, and the document's id. */
export interface CursorPlace {
  readonly values: readonly IndexValue[];
  readonly id: string;
}

type Condition = Record<string, unknown>;
/** Conditions by field; several of them are alternatives of a filter. */
export type Branch = Record<string, unknown>;

interface Limits {
  readonly from?: IndexValue | undefined;
  readonly to?: IndexValue | undefined;
  /** Exclusive, on the side where the walk began. */
  readonly beyond?: IndexValue | undefined;
  readonly descending: boolean;
  readonly withoutNull: boolean;
}

/**
 * A find as complete alternatives. The server walks the index once for each and merges them. A condition outside of
 * `$or` would make it filter everything before the page.
 */
export function branchesOf(
  index: IndexPlan,
  asked: FindOptions,
  place: CursorPlace | undefined,
): readonly Branch[] {
  const { equals } = asked;
  if (index.sparse && equals.includes(null)) return [];
  const base: Branch = Object.fromEntries(equals.map((value, position) => [index.fields[position]!, value]));
  const fields = freeFields(index, asked);
  if (index.sparse) for (const field of fields) base[field] = { $ne: null };
  const list = boundedList(index, asked);
  if (list !== undefined) base[list] = elementWithin(asked);
  const options = list === undefined ? asked : { ...asked, from: undefined, to: undefined };
  return place === undefined
    ? firstBranches(index, options, base)
    : nextBranches(index, options, base, place, fields);
}

/** The fields that put a find's documents in order. */
export function freeFields(index: IndexPlan, options: FindOptions): readonly string[] {
  const list = boundedList(index, options);
  return index.fields.slice(options.equals.length).filter((field) => field !== list);
}

/** The list that a find has bounds on. It takes no part in the order, as a document has several elements. */
function boundedList({ list, fields }: IndexPlan, { equals, from, to }: FindOptions): string | undefined {
  const isBounded = from !== undefined || to !== undefined;
  return isBounded && fields[equals.length] === list ? list : undefined;
}

/** Without `$elemMatch` one element may meet one bound, and another element the other. */
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

/** The filter for documents behind a place: later in one field, equal in those before it. */
function nextBranches(
  index: IndexPlan,
  options: FindOptions,
  base: Branch,
  place: CursorPlace,
  fields: readonly string[],
): readonly Branch[] {
  const { from, to, descending = false } = options;
  const branches: Branch[] = [];
  let tied = base;
  fields.forEach((field, position) => {
    const beyond = place.values[position] ?? null;
    const bounds = position === 0 ? { from, to } : {};
    for (const condition of conditionsWithin({ ...bounds, beyond, descending, withoutNull: index.sparse })) {
      branches.push({ ...tied, [field]: condition });
    }
    tied = { ...tied, [field]: conditionAt(beyond, descending) };
  });
  // No two documents share a key of a unique index.
  if (!index.unique) branches.push({ ...tied, _id: descending ? { $lt: place.id } : { $gt: place.id } });
  return branches;
}

/** The order of a find; what is asked to be equal needs none. */
export function sortOf(index: IndexPlan, options: FindOptions): Record<string, 1 | -1> {
  const direction = options.descending === true ? -1 : 1;
  const free = [...freeFields(index, options)];
  if (!index.unique) free.push('_id');
  return Object.fromEntries(free.map((field) => [field, direction] as const));
}

/** The value by which MongoDB sorts a document: of an array the least element, descending the greatest. */
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

/**
 * MongoDB compares within one type only, so that a range over several is one condition for each. The `$not` keeps an
 * array from being found again by another of its elements.
 */
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

/** undefined where no value of the type is within the limits. */
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

function conditionBeyond(value: IndexValue | undefined, descending: boolean): Condition {
  return descending ? { $lt: value, $not: { $gte: value } } : { $gt: value, $not: { $lte: value } };
}

/** At the same place of the order, which an array takes by its first element on the way. */
function conditionAt(value: IndexValue, descending: boolean): Condition {
  if (value === null) return { $eq: null };
  return { $eq: value, $not: descending ? { $gt: value } : { $lt: value } };
}
