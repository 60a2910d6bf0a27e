import { labelOf } from './decorators.js';
import { planOf } from './dto-plan.js';
import type { Fault, FieldFault } from '../field-fault.js';
import type { Dto } from './decorators.js';
import type { Field, Plan } from './dto-plan.js';
import { NO_OBJECT, type Rule, wellFormed } from './rules.js';

/** Checks a value against a DTO class. */
export interface Validator {
  /**
   * @param path the dotted path of the value itself; empty for a whole body.
   * @returns undefined for a sound value
   */
  check(value: unknown, path?: string): FieldFault[] | undefined;
  /** The declared fields in order. */
  readonly fields: readonly Field[];
}

/** Unknown fields of one object that are listed: the answer must not outgrow the request. */
const MOST_UNKNOWN_FIELDS = 20;
const LONGEST_SHOWN_NAME = 64;

const validators = new Map<Dto, Validator>();

/**
 * The validator of a DTO class. Reads class-validator's metadata once (`planOf`) and then runs plain loops: its own
 * `validate()` costs milliseconds on a bulk of 500 units.
 * @throws Error at once for a class that cannot be read.
 */
export function compileValidator(dto: Dto): Validator {
  const known = validators.get(dto);
  if (known !== undefined) return known;
  const plan = planOf(dto);
  const validator: Validator = {
    fields: plan.fields,
    check(value, path = '') {
      const faults: FieldFault[] = [];
      if (isRecord(value)) checkObject(plan, value, faults, path === '' ? '' : `${path}.`);
      else faults.push(fieldFault(path, NO_OBJECT));
      return faults.length === 0 ? undefined : faults;
    },
  };
  validators.set(dto, validator);
  return validator;
}

/** Checks one entry of a list on its own, so that each can be reported apart (bulk upsert, decisions §3). */
export function checkEntry(dto: Dto, value: unknown, path: string): FieldFault[] | undefined {
  return compileValidator(dto).check(value, path);
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkObject(plan: Plan, value: Record<string, unknown>, faults: FieldFault[], prefix: string): void {
  for (const field of plan.fields) {
    const member = value[field.name];
    const fault = faultOf(field, member, value);
    if (fault !== undefined) faults.push(fieldFault(prefix + field.name, fault));
    else if (member !== undefined && member !== null) descend(field, member, faults, prefix);
  }
  refuseUnknownFields(value, plan.names, faults, prefix);
  if (plan.isChange && isEmpty(value))
    faults.push(fieldFault(prefix === '' ? 'body' : prefix.slice(0, -1), NO_CHANGE));
}

/** Adds the members of an object that nobody declared, up to a number that an answer may hold. */
export function refuseUnknownFields(
  value: object,
  known: ReadonlySet<string>,
  faults: FieldFault[],
  prefix = '',
): void {
  let unknown = 0;
  for (const name in value) {
    if (known.has(name)) continue;
    if (++unknown > MOST_UNKNOWN_FIELDS) return;
    const shown = wellFormed(name.slice(0, LONGEST_SHOWN_NAME));
    faults.push({ ...fieldFault(shown, NOT_ALLOWED), field: prefix + shown });
  }
}

function faultOf(field: Field, member: unknown, owner: Record<string, unknown>): Fault | undefined {
  if (member === undefined || member === null) return absenceFault(field, member, owner);
  for (const rule of field.rules) {
    const fault = rule(member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function absenceFault(
  field: Field,
  member: null | undefined,
  owner: Record<string, unknown>,
): Fault | undefined {
  if (field.required) return REQUIRED;
  const when = field.requiredWhen;
  if (when !== undefined && owner[when.field] === when.equals) {
    const text = `is required when ${labelOf(when.field)} is ${String(when.equals)}.`;
    return { code: 'required', text };
  }
  return member === undefined || field.nullable ? undefined : field.rules[0]?.(null);
}

function descend(field: Field, member: unknown, faults: FieldFault[], prefix: string): void {
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
