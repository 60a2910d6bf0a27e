import { getMetadataStorage } from 'class-validator';
import { labelOf } from './decorators.js';
import type { FieldErrors } from '../api-error.js';
import type { Dto, Facet } from './decorators.js';
import type { Rule } from './rule.js';

/** Checks a value against a DTO class. The errors are undefined where there are none. */
export interface Validator {
  /** @param path the dotted path of the value itself; empty for a whole body. */
  check(value: unknown, path?: string): FieldErrors | undefined;
  /** The declared fields in order, with what each reads from a query string. */
  readonly fields: readonly { readonly name: string; readonly reads: Rule['reads'] }[];
}

interface Field {
  readonly name: string;
  readonly label: string;
  required: boolean;
  nullable: boolean;
  marked: boolean;
  readonly conditions: { readonly field: string; readonly equals: unknown }[];
  readonly rules: Rule[];
  each: Rule | undefined;
  nested: (() => Dto) | undefined;
  validator: Compiled | undefined;
}

interface Compiled {
  readonly names: ReadonlySet<string>;
  readonly fields: readonly Field[];
}

/** A record whose keys come from a client: without a prototype, so that `__proto__` is a key like any other. */
export function newFieldErrors(): FieldErrors {
  return Object.create(null) as FieldErrors;
}

/** More unknown fields than this in one object are not listed one by one: the answer must not outgrow the request. */
const MOST_UNKNOWN_FIELDS = 20;
const LONGEST_SHOWN_NAME = 100;

const compiled = new Map<Dto, Compiled>();
const validators = new Map<Dto, Validator>();

/**
 * The validator of a DTO class. Reads class-validator's metadata once and then runs plain loops: its own `validate()`
 * costs milliseconds on a bulk of 500 units.
 * @throws Error at once for a class that uses decorators other than this folder's, or declares nothing.
 */
export function compileValidator(dto: Dto): Validator {
  const known = validators.get(dto);
  if (known !== undefined) return known;
  const plan = compile(dto);
  const validator: Validator = {
    fields: plan.fields.map(({ name, rules }) => ({ name, reads: rules.find((rule) => rule.reads)?.reads })),
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

function isEmpty(errors: FieldErrors): boolean {
  for (const _ in errors) return false;
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compile(dto: Dto): Compiled {
  const known = compiled.get(dto);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const described = (metadata.constraints as Facet[] | undefined)?.[0];
    if (described?.facet === undefined) {
      throw new Error(
        `${dto.name}.${metadata.propertyName} uses a decorator that is not from src/http/validation.`,
      );
    }
    const field = fields.get(metadata.propertyName) ?? newField(metadata.propertyName);
    fields.set(metadata.propertyName, field);
    apply(field, described);
  }
  if (fields.size === 0) throw new Error(`${dto.name} declares no field.`);
  const plan = { names: new Set(fields.keys()), fields: [...fields.values()] };
  // Known before the nested classes are read, so that a class may hold itself.
  compiled.set(dto, plan);
  for (const field of plan.fields) finish(dto, field);
  return plan;
}

function newField(name: string): Field {
  return {
    name,
    label: labelOf(name),
    required: false,
    nullable: false,
    marked: false,
    conditions: [],
    rules: [],
    each: undefined,
    nested: undefined,
    validator: undefined,
  };
}

function finish(dto: Dto, field: Field): void {
  if (!field.marked)
    throw new Error(`${dto.name}.${field.name} is neither Required nor Optional nor Nullable.`);
  if (field.rules.length === 0) throw new Error(`${dto.name}.${field.name} has no type.`);
  if (field.nested !== undefined) field.validator = compile(field.nested());
}

function apply(field: Field, described: Facet): void {
  switch (described.facet) {
    case 'required':
      field.required = field.marked = true;
      return;
    case 'optional':
      field.marked = true;
      return;
    case 'nullable':
      field.nullable = field.marked = true;
      return;
    case 'required_when':
      field.conditions.push(described);
      field.marked = true;
      return;
    case 'rule':
      field.rules.push(described.rule);
      return;
    case 'each':
      field.each = described.rule;
      return;
    case 'nested':
      field.nested = described.dto;
      return;
  }
}

function checkObject(
  plan: Compiled,
  value: Record<string, unknown>,
  errors: FieldErrors,
  prefix: string,
): void {
  for (const field of plan.fields) {
    const member = value[field.name];
    const fault = faultOf(field, member, value);
    if (fault !== undefined) errors[prefix + field.name] = [`The ${field.label} field ${fault}`];
    else if (member !== undefined && member !== null) descend(field, member, errors, prefix);
  }
  refuseUnknownFields(value, plan.names, errors, prefix);
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
    const shown = name.slice(0, LONGEST_SHOWN_NAME);
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
  if (member === null && field.required && field.nullable) return undefined;
  if (field.required) return 'is required.';
  for (const { field: other, equals } of field.conditions) {
    if (owner[other] === equals) return `is required when ${labelOf(other)} is ${String(equals)}.`;
  }
  return member === undefined || field.nullable ? undefined : field.rules[0]?.(null);
}

function descend(field: Field, member: unknown, errors: FieldErrors, prefix: string): void {
  const path = prefix + field.name;
  if (field.each !== undefined) return checkTexts(field.each, member as unknown[], errors, path);
  if (field.validator !== undefined) {
    checkObject(field.validator, member as Record<string, unknown>, errors, `${path}.`);
  }
}

function checkTexts(rule: Rule, entries: readonly unknown[], errors: FieldErrors, path: string): void {
  for (let index = 0; index < entries.length; index++) {
    const fault = rule(entries[index]);
    if (fault !== undefined) errors[`${path}.${index}`] = [`The ${index} field ${fault}`];
  }
}
