import { labelOf } from './decorators.js';
import { planOf } from './dto-plan.js';
import type { FieldErrors } from '../api-error.js';
import type { Dto } from './decorators.js';
import type { Field, Plan } from './dto-plan.js';
import type { Rule } from './rule.js';

/** Checks a value against a DTO class. The errors are undefined where there are none. */
export interface Validator {
  /** @param path the dotted path of the value itself; empty for a whole body. */
  check(value: unknown, path?: string): FieldErrors | undefined;
  /** The declared fields in order. */
  readonly fields: readonly Field[];
}

/** A record whose keys come from a client: without a prototype, so that `__proto__` is a key like any other. */
export function newFieldErrors(): FieldErrors {
  return Object.create(null) as FieldErrors;
}

/** More unknown fields than this in one object are not listed one by one: the answer must not outgrow the request. */
const MOST_UNKNOWN_FIELDS = 20;
const LONGEST_SHOWN_NAME = 64;
const LONE_SURROGATES = /\p{Cs}/gu;

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
      const errors = newFieldErrors();
      if (isRecord(value)) checkObject(plan, value, errors, path === '' ? '' : `${path}.`);
      else errors[path] = [`The ${labelOf(path)} field must be an object.`];
      return isEmpty(errors) ? undefined : errors;
    },
  };
  validators.set(dto, validator);
  return validator;
}

/** Checks one entry of a list on its own, so that each can be reported apart (bulk upsert, decisions §3). */
export function checkEntry(dto: Dto, value: unknown, path: string): FieldErrors | undefined {
  return compileValidator(dto).check(value, path);
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkObject(plan: Plan, value: Record<string, unknown>, errors: FieldErrors, prefix: string): void {
  for (const field of plan.fields) {
    const member = value[field.name];
    const fault = faultOf(field, member, value);
    if (fault !== undefined) errors[prefix + field.name] = [`The ${field.label} field ${fault}`];
    else if (member !== undefined && member !== null) descend(field, member, errors, prefix);
  }
  refuseUnknownFields(value, plan.names, errors, prefix);
  if (plan.isChange && isEmpty(value)) {
    const path = prefix === '' ? 'body' : prefix.slice(0, -1);
    errors[path] = [`The ${labelOf(path)} field must name at least one field to change.`];
  }
}

/** Names the members of an object that nobody declared, as many of them as an answer may hold. */
export function refuseUnknownFields(
  value: object,
  known: ReadonlySet<string>,
  errors: FieldErrors,
  prefix = '',
): void {
  let unknown = 0;
  for (const name in value) {
    if (known.has(name)) continue;
    if (++unknown > MOST_UNKNOWN_FIELDS) return;
    // Half a surrogate pair, sent so or cut off here, is no text that every reader of JSON takes.
    const shown = name.slice(0, LONGEST_SHOWN_NAME).replaceAll(LONE_SURROGATES, '\ufffd');
    errors[prefix + shown] = [`The ${labelOf(shown)} field is not allowed.`];
  }
}

function faultOf(field: Field, member: unknown, owner: Record<string, unknown>): string | undefined {
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
): string | undefined {
  if (field.required) return 'is required.';
  const when = field.requiredWhen;
  if (when !== undefined && owner[when.field] === when.equals) {
    return `is required when ${labelOf(when.field)} is ${String(when.equals)}.`;
  }
  return member === undefined || field.nullable ? undefined : field.rules[0]?.(null);
}

function descend(field: Field, member: unknown, errors: FieldErrors, prefix: string): void {
  const path = prefix + field.name;
  if (field.each !== undefined) return checkTexts(field.each, member as unknown[], errors, path);
  if (field.nested !== undefined) {
    checkObject(field.nested, member as Record<string, unknown>, errors, `${path}.`);
  }
}

function checkTexts(rule: Rule, entries: readonly unknown[], errors: FieldErrors, path: string): void {
  for (let index = 0; index < entries.length; index++) {
    const fault = rule(entries[index]);
    if (fault !== undefined) errors[`${path}.${index}`] = [`The ${index} field ${fault}`];
  }
}
