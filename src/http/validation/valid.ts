import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { validationFailed } from '../api-error.js';
import type { Fault, FieldFault } from '../field-fault.js';
import type { Request } from 'express';
import { labelOf, type Dto } from './decorators.js';
import type { JsonSchema } from './json-schema.js';
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

/** A copy of `isObject` in `base`, whose file would be the 51st of a move-in and of a `PATCH`. Their budget is 50. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkObject(plan: Plan, value: Record<string, unknown>, faults: FieldFault[], prefix: string): void {
  for (const field of plan.fields) {
    const member = value[field.name];
    const fault = faultOf(field, member);
    if (fault !== undefined) faults.push(fieldFault(prefix + field.name, fault));
    else if (member !== undefined && member !== null) descend(field, member, faults, prefix);
  }
  refuseUnknownFields(value, plan, faults, prefix);
  if (plan.isChange && isEmpty(value))
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

type Known = Pick<Plan, 'names' | 'fields' | 'hints'>;

/** The field that an unknown name may mean: from `hints`, from a nested object, or a field with the same words. */
function hintFor(name: string, { fields, hints }: Known): string | undefined {
  if (Object.hasOwn(hints, name)) return hints[name];
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
  return body;
}

/**
 * Checks query parameters. Converts numbers and flags from text.
 * @throws ApiError 422
 */
export function validQuery<T extends object>(dto: Dto<T>, query: Readonly<Record<string, unknown>>): T {
  const repeated: FieldFault[] = [];
  const values = readQuery(planOf(dto), query, repeated);
  throwAny(checkEntry(dto, values), repeated);
  return { ...values } as T;
}

const REPEATED: Fault = { code: 'duplicate', text: 'must be given only once.' };

function readQuery(
  { fields }: Plan,
  query: Readonly<Record<string, unknown>>,
  repeated: FieldFault[],
): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(query)) values[name] = query[name];
  for (const { name, rules } of fields) {
    const given = values[name];
    if (given === undefined) continue;
    if (typeof given === 'string') values[name] = readText(given, rules[0]?.schema.type);
    else repeated.push(fieldFault(name, REPEATED));
  }
  return values;
}

/** A text that cannot be converted stays text, and the rule refuses it. */
function readText(text: string, type: JsonSchema['type']): unknown {
  if (type === 'number' || type === 'integer')
    return /^-?(0|[1-9]\d{0,15})(\.\d{1,6})?$/.test(text) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * Checks the fields of a form. Converts them like a query. A repeated field becomes a list if the DTO has one, otherwise the
 * last value counts. An empty field becomes null, or is dropped if null is not allowed.
 * @param emptied fields that the user has cleared: they are refused if null is not allowed
 * @throws ApiError 422
 */
export function validForm<T extends object>(dto: Dto<T>, form: object, emptied: readonly string[] = []): T {
  const missing: FieldFault[] = [];
  const values = Object.assign(Object.create(null) as Record<string, unknown>, form);
  for (const { name, rules, nullable, each } of planOf(dto).fields) {
    const given = [values[name] ?? []].flat() as string[];
    const text = given.at(-1);
    if (text === undefined) delete values[name];
    else if (each !== undefined) values[name] = given.filter((one) => one !== '');
    else if (text !== '') values[name] = readText(text, rules[0]?.schema.type);
    else if (nullable) values[name] = null;
    else if (emptied.includes(name)) missing.push(fieldFault(name, REQUIRED));
    else delete values[name];
  }
  throwAny(checkEntry(dto, values), missing);
  return { ...values } as T;
}

const READS_BODY = Symbol('ReadsBody');
const READS_QUERY = Symbol('ReadsQuery');

/** Makes a parameter decorator, and notes the DTO class (or null) in the handler's metadata. */
function marked(mark: symbol, dto: Dto | null, read: (request: Request) => unknown): ParameterDecorator {
  const decorate = createParamDecorator<undefined>((_data, execution: ExecutionContext) =>
    read(execution.switchToHttp().getRequest<Request>()),
  )();
  return (controller, name, index) => {
    if (name !== undefined) Reflect.defineMetadata(mark, dto, controller, name);
    decorate(controller, name, index);
  };
}

/** Parameter decorator: the request's body, valid against a DTO class. An absent body counts as `{}`. */
export function ValidBody(dto: Dto): ParameterDecorator {
  const plan = planOf(dto);
  return marked(READS_BODY, dto, ({ body }) => validBody(plan, body ?? {}));
}

/** As {@link ObjectBody}, but an absent body is 422, because `{}` has a meaning of its own. */
export const DemandedBody = (): ParameterDecorator =>
  marked(READS_BODY, null, ({ body }) => {
    if (body === undefined) throw validationFailed([fieldFault('body', REQUIRED)]);
    return body as object;
  });

/** Parameter decorator: the unchecked body, an object, for a handler that validates it itself. */
export const ObjectBody = (): ParameterDecorator =>
  marked(READS_BODY, null, ({ body }) => (body ?? {}) as object);

/** Parameter decorator: the query parameters, valid against a DTO class; unknown and repeated ones are refused. */
export function ValidQuery(dto: Dto): ParameterDecorator {
  const isDemanded = checkEntry(dto, {}) !== undefined;
  return marked(READS_QUERY, dto, ({ query }) =>
    isDemanded || Object.keys(query).length > 0 ? validQuery(dto, query) : {},
  );
}

/** Parameter decorator: the unchecked query parameters, for a page that ignores unknown ones. */
export const PlainQuery = (): ParameterDecorator => marked(READS_QUERY, null, ({ query }) => query);

type Controller = { readonly prototype: object };

/** The DTO class of a handler's body. Null: the handler validates it itself. Undefined: it reads no body. */
export function bodyClass(controller: Controller, name: string): Dto | null | undefined {
  return Reflect.getMetadata(READS_BODY, controller.prototype, name) as Dto | null | undefined;
}

/** As {@link bodyClass}, for query parameters. */
export function queryClass(controller: Controller, name: string): Dto | null | undefined {
  return Reflect.getMetadata(READS_QUERY, controller.prototype, name) as Dto | null | undefined;
}

export function readsQuery(controller: Controller, name: string): boolean {
  return queryClass(controller, name) !== undefined;
}

export function readsBody(controller: Controller, name: string): boolean {
  return bodyClass(controller, name) !== undefined;
}

/** @param first faults that replace others of the same field. @throws ApiError 422 */
function throwAny(faults: readonly FieldFault[] = [], first: readonly FieldFault[] = []): void {
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

const NO_FIELD: Known = { names: new Set(), fields: [], hints: {} };
