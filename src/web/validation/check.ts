import { isObject } from '#kernel/core/is-object.js';
import { validationFailed } from '#kernel/errors/api-error.js';
import type { Fault, FieldFault } from '#kernel/errors/field-fault.js';
import { labelOf, type Dto } from './decorators.js';
import { planOf, type DtoField, type Plan } from './dto-plan.js';
import { NO_OBJECT, wellFormed, type Rule } from './rules.js';

/** At most this many unknown fields of one object are listed, so that the answer stays small. */
const MOST_UNKNOWN_FIELDS = 20;
const LONGEST_SHOWN_NAME = 64;

/**
 * Checks a value against a DTO class. The library's own `validate()` would take milliseconds for a bulk of 500 units.
 * @param path the dotted path of the value; empty for a whole body
 * @returns undefined for a valid value
 * @throws Error for a class that cannot be read
 */
export function checkEntry(dto: Dto, value: unknown, path = ''): FieldFault[] | undefined {
  return check(planOf(dto), value, path);
}

function check(plan: Plan, value: unknown, path = ''): FieldFault[] | undefined {
  const faults: FieldFault[] = [];
  if (isObject(value)) checkObject(plan, value, faults, path === '' ? '' : `${path}.`);
  else faults.push(fieldFault(path, NO_OBJECT));
  return faults.length === 0 ? undefined : faults;
}

/** The fault of the field at a path. */
export function fieldFault(path: string, { code, text }: Fault): FieldFault {
  return { field: path, code, message: `The ${labelOf(path)} field ${text}` };
}

export const REQUIRED: Fault = { code: 'required', text: 'is required.' };
const NO_CHANGE: Fault = { code: 'required', text: 'must name at least one field to change.' };
const NOT_ALLOWED: Fault = { code: 'not_allowed', text: 'is not allowed.' };

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

function checkObject(plan: Plan, value: Record<string, unknown>, faults: FieldFault[], prefix: string): void {
  for (const field of plan.fields) {
    const member = value[field.name];
    const fault = faultOf(field, member);
    if (fault !== undefined) faults.push(fieldFault(prefix + field.name, fault));
    else if (member !== undefined && member !== null) descend(field, member, faults, prefix);
  }
  refuseUnknownFields(value, plan, faults, prefix);
  if (plan.needsAField && isEmpty(value))
    faults.push(fieldFault(prefix === '' ? 'body' : prefix.slice(0, -1), NO_CHANGE));
}

/** Adds the faults of unknown fields, up to a limit. */
function refuseUnknownFields(value: object, known: Known, faults: FieldFault[], prefix = ''): void {
  let unknown = 0;
  for (const name in value) {
    if (known.names.has(name)) continue;
    if (++unknown > MOST_UNKNOWN_FIELDS) return;
    const shown = wellFormed(name.slice(0, LONGEST_SHOWN_NAME));
    const hint = hintFor(shown, known);
    faults.push({ ...fieldFault(shown, NOT_ALLOWED), field: prefix + shown, ...(hint && { hint }) });
  }
}

type Known = Pick<Plan, 'names' | 'fields' | 'hintsForUnknown'>;

/** The field that an unknown name may mean: from `hintsForUnknown`, from a nested object, or a field with the same words. */
function hintFor(name: string, { fields, hintsForUnknown }: Known): string | undefined {
  if (Object.hasOwn(hintsForUnknown, name)) return hintsForUnknown[name];
  const holder = fields.find(({ nested }) => nested?.names.has(name));
  if (holder !== undefined) return `Send it as ${holder.name}.${name}.`;
  const words = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[_-]/);
  const near = fields.find((one) => {
    const own = one.name.split('_');
    return words.every((word) => own.includes(word)) || own.every((word) => words.includes(word));
  });
  return near && `Did you mean ${near.name}?`;
}

function faultOf(field: DtoField, member: unknown): Fault | undefined {
  if (member === undefined || member === null) return absenceFault(field, member);
  for (const rule of field.rules) {
    const fault = rule(member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function absenceFault({ required, nullable, rules }: DtoField, member: null | undefined): Fault | undefined {
  if (required) return REQUIRED;
  return member === undefined || nullable ? undefined : rules[0]?.(null);
}

function descend(field: DtoField, member: unknown, faults: FieldFault[], prefix: string): void {
  const path = prefix + field.name;
  if (field.each !== undefined) return checkTexts(field.each, member as unknown[], faults, path);
  if (field.nested !== undefined) {
    checkObject(field.nested, member as Record<string, unknown>, faults, `${path}.`);
  }
}

function checkTexts(rule: Rule, entries: readonly unknown[], faults: FieldFault[], path: string): void {
  for (let index = 0; index < entries.length; index++) {
    const fault = rule(entries[index]);
    if (fault !== undefined) faults.push(fieldFault(`${path}.${index}`, fault));
  }
}

/** @throws ApiError 422 with all faults */
export function validBody(plan: Plan, body: unknown): unknown {
  const faults = check(plan, body);
  if (faults !== undefined) throw validationFailed(faults);
  return asRead(plan, body as object);
}

/** A valid object with its fields as their rules read them. It is the same object if no rule reads one. */
export function asRead<T extends object>(plan: Plan, valid: T): T {
  const read = plan.fields.flatMap(({ name, rules, nested }): [string, unknown][] => {
    const member = (valid as Readonly<Record<string, unknown>>)[name];
    if (member === undefined || member === null) return [];
    const reader = rules.find((one) => one.read !== undefined)?.read;
    const after = reader?.(member as string) ?? (nested === undefined ? member : asRead(nested, member));
    return after === member ? [] : [[name, after]];
  });
  return read.length === 0 ? valid : { ...valid, ...Object.fromEntries(read) };
}

/** @param first faults that replace others of the same field. @throws ApiError 422 */
export function throwAny(faults: readonly FieldFault[] = [], first: readonly FieldFault[] = []): void {
  if (faults.length + first.length === 0) return;
  const others = faults.filter(({ field }) => first.every((one) => one.field !== field));
  throw validationFailed([...others, ...first]);
}

/** @throws ApiError 422 for all fields: an ignored `?dry_run=true` would be dangerous. */
export function refuseFields(fields: object | undefined): void {
  if (fields === undefined) return;
  const faults: FieldFault[] = [];
  refuseUnknownFields(fields, NO_FIELD, faults);
  throwAny(faults);
}

const NO_FIELD: Known = { names: new Set(), fields: [], hintsForUnknown: {} };
