import { createParamDecorator } from '@nestjs/common';
import { validationFailed } from '../api-error.js';
import { compileValidator, newFieldErrors, refuseUnknownFields } from './compile-validator.js';
import { labelOf } from './decorators.js';
import type { ExecutionContext } from '@nestjs/common';
import type { FieldErrors } from '../api-error.js';
import type { Request } from 'express';
import type { Dto } from './decorators.js';
import type { Validator } from './compile-validator.js';

/**
 * A plain object as the DTO describes it, with declared fields only.
 * @throws ApiError 422 naming every field that is refused.
 */
export function validBody<T extends object>(dto: Dto<T>, body: unknown): T {
  const errors = compileValidator(dto).check(body);
  if (errors !== undefined) throw validationFailed(errors);
  return body as T;
}

/**
 * Query parameters as the DTO describes them: numbers and flags are read from their text, everything else stays text.
 * @throws ApiError 422
 */
export function validQuery<T extends object>(dto: Dto<T>, query: Readonly<Record<string, unknown>>): T {
  const validator = compileValidator(dto);
  const repeated = newFieldErrors();
  const values = readQuery(validator, query, repeated);
  const errors = Object.assign(newFieldErrors(), validator.check(values), repeated);
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return { ...values } as T;
}

function readQuery(
  validator: Validator,
  query: Readonly<Record<string, unknown>>,
  repeated: FieldErrors,
): Record<string, unknown> {
  const values = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(query)) values[name] = query[name];
  for (const { name, reads } of validator.fields) {
    const given = values[name];
    if (given === undefined) continue;
    if (typeof given === 'string') values[name] = readText(given, reads);
    else repeated[name] = [`The ${labelOf(name)} field must be given only once.`];
  }
  return values;
}

/** Text that has not the form of what is expected stays text, and the rule refuses it. */
function readText(text: string, reads: 'number' | 'flag' | undefined): unknown {
  if (reads === 'number') return /^-?(0|[1-9]\d{0,15})(\.\d{1,6})?$/.test(text) ? Number(text) : text;
  if (reads === 'flag' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const READS_BODY = Symbol('ReadsBody');
const READS_QUERY = Symbol('ReadsQuery');

/** A parameter decorator that leaves a mark on the handler. */
function marked(mark: symbol, read: (request: Request) => unknown): ParameterDecorator {
  const decorate = createParamDecorator<undefined>((_data, execution: ExecutionContext) =>
    read(execution.switchToHttp().getRequest<Request>()),
  )();
  return (controller, name, index) => {
    if (name !== undefined) Reflect.defineMetadata(mark, true, controller, name);
    decorate(controller, name, index);
  };
}

/** Parameter decorator: the request's body, valid against a DTO class. An absent body counts as `{}`. */
export function ValidBody(dto: Dto): ParameterDecorator {
  compileValidator(dto);
  return marked(READS_BODY, ({ body }) => validBody(dto, body ?? {}));
}

/** Parameter decorator: the request's body as it came, an object, for a handler that validates it by itself. */
export const ObjectBody = (): ParameterDecorator => marked(READS_BODY, ({ body }) => (body ?? {}) as object);

/** Parameter decorator: the query parameters, valid against a DTO class; unknown and repeated ones are refused. */
export function ValidQuery(dto: Dto): ParameterDecorator {
  compileValidator(dto);
  return marked(READS_QUERY, ({ query }) => validQuery(dto, query));
}

type Controller = { readonly prototype: object };

/** Whether a route's handler reads query parameters; one that reads none is sent none. */
export function readsQuery(controller: Controller, name: string): boolean {
  return Reflect.getMetadata(READS_QUERY, controller.prototype, name) === true;
}

/** Whether a route's handler reads a body. */
export function readsBody(controller: Controller, name: string): boolean {
  return Reflect.getMetadata(READS_BODY, controller.prototype, name) === true;
}

/** @throws ApiError 422 naming every field: `?dry_run=true` must not pass for one where there is none. */
export function refuseFields(fields: object | undefined): void {
  if (fields === undefined) return;
  const errors = newFieldErrors();
  refuseUnknownFields(fields, NO_FIELD, errors);
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
}

const NO_FIELD: ReadonlySet<string> = new Set();

/** Refuses a change that names nothing to change: a forgotten field must not pass for success. @throws ApiError 422 */
export function demandAnyField(body: object): void {
  if (Object.keys(body).length > 0) return;
  throw validationFailed({ body: ['The body field must name at least one field to change.'] });
}
