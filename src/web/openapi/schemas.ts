import { type ErrorCode, ERRORS } from '#kernel/errors/error-codes.js';
import { FAULT_CODES, type FieldErrors, type FieldFault } from '#kernel/errors/field-fault.js';
import { dateRule, ulidRule } from '../validation/rules.js';
import type { JsonSchema } from '../validation/json-schema.js';

declare const DESCRIBED: unique symbol;

/** A schema. The compiler also knows the type of the values that it describes. */
export interface Schema<out T> extends JsonSchema {
  readonly [DESCRIBED]?: () => T;
}

/** The type of the values that a schema describes: `type Zone = AnswerOf<typeof ZONE_SCHEMA>`. */
export type AnswerOf<S> = S extends Schema<infer T> ? T : never;

/** Building blocks for schemas of answers. A schema with a title becomes a component with that name. */
export const text: Schema<string> = { type: 'string' };
export const flag: Schema<boolean> = { type: 'boolean' };
export const whole: Schema<number> = { type: 'integer' };
export const number: Schema<number> = { type: 'number' };
/** An identifier of the service. */
export const id: Schema<string> = ulidRule.schema;
export const date: Schema<string> = dateRule.schema;
/** ISO 8601 UTC with milliseconds. */
export const instant: Schema<string> = { type: 'string', format: 'date-time' };
/** A fact or a field of a policy; may be null. */
export const scalar: Schema<string | number | boolean | null> = {
  type: ['string', 'number', 'boolean', 'null'],
};

/** Every code of a refusal. */
export const errorCode: Schema<ErrorCode> = {
  title: 'ErrorCode',
  type: 'string',
  enum: Object.keys(ERRORS),
  description: 'For programs. Stable: match this, never `message`.',
};

/** Messages of a validation failure by the dotted path of the field. */
export const fieldErrors: Schema<FieldErrors> = {
  type: 'object',
  description: 'Messages by the dotted path of the field.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
};

/** The faults of {@link fieldErrors}, with codes. */
export const fieldFaults: Schema<readonly FieldFault[]> = {
  type: 'array',
  description: 'The same faults, one a field, each with a code for programs.',
  items: {
    title: 'FieldFault',
    type: 'object',
    required: ['field', 'code', 'message'],
    properties: {
      field: { type: 'string', description: 'Dotted path, as in `errors`.' },
      code: {
        title: 'FaultCode',
        type: 'string',
        enum: Object.keys(FAULT_CODES),
        description: `For programs. Stable. ${Object.entries(FAULT_CODES)
          .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
          .join(' ')}`,
      },
      message: { type: 'string', description: 'For people.' },
      hint: { type: 'string', description: 'For people: what to do, such as the field that may be meant.' },
    },
  },
};

export type Properties = Readonly<Record<string, Schema<unknown>>>;
type NoProperties = Readonly<Record<never, never>>;

/** Shows the members of a type in an editor instead of its parts. */
type Plain<T> = { [Name in keyof T]: T[Name] };

type ObjectOf<Required extends Properties, Optional extends Properties> = Plain<
  { readonly [Name in keyof Required]: AnswerOf<Required[Name]> } & {
    readonly [Name in keyof Optional]?: AnswerOf<Optional[Name]>;
  }
>;

/** An object with required `properties` and `optional` ones. */
export function object<Required extends Properties, Optional extends Properties = NoProperties>(
  properties: Required,
  optional?: Optional,
): Schema<ObjectOf<Required, Optional>> {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

/** Makes the schema a component with this name, for use in several answers. */
export function named<T>(title: string, schema: Schema<T>): Schema<T> {
  return { ...schema, title };
}

/** Adds a description: meaning, unit, bounds, and the meaning of null. */
export function says<T>(description: string, schema: Schema<T>): Schema<T> {
  return { ...schema, description };
}

export function list<T>(items: Schema<T>): Schema<readonly T[]> {
  return { type: 'array', items };
}

/** An object with any keys, and values of this schema. */
export function recordOf<T>(schema: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return { type: 'object', additionalProperties: schema };
}

export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  if (schema.title !== undefined || schema.properties !== undefined || typeof schema.type !== 'string') {
    const { description, ...one } = schema;
    return { anyOf: [one, { type: 'null' }], ...(description === undefined ? {} : { description }) };
  }
  const { type, enum: choices, ...rest } = schema as JsonSchema;
  return {
    ...rest,
    type: [type as string, 'null'],
    ...(choices === undefined ? {} : { enum: [...choices, null] }),
  };
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Schema<Choice> {
  return { type: 'string', enum: choices };
}

/** One of several objects. */
export function either<Choices extends readonly Schema<unknown>[]>(
  title: string,
  ...choices: Choices
): Schema<AnswerOf<Choices[number]>> {
  return { title, oneOf: choices };
}

/** Adds properties to an object. */
export function extended<T, Required extends Properties, Optional extends Properties = NoProperties>(
  schema: Schema<T>,
  properties: Required,
  optional?: Optional,
): Schema<Plain<Omit<T, keyof Required | keyof Optional> & ObjectOf<Required, Optional>>> {
  return {
    ...(schema as JsonSchema),
    title: undefined,
    required: [...new Set([...(schema.required ?? []), ...Object.keys(properties)])],
    properties: { ...schema.properties, ...properties, ...optional },
  };
}

export const next_cursor = says(
  'Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last.',
  nullable(text),
);

/** A page of a list, with the cursor of the next page. */
export function page<Name extends string, T>(
  name: Name,
  items: Schema<T>,
): Schema<{ readonly [N in Name]: readonly T[] } & { readonly next_cursor: string | null }> {
  return object({ [name]: says(`The ${name} of this page.`, list(items)), next_cursor }) as Schema<never>;
}
