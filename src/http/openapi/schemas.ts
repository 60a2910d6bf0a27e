import { ERRORS } from '../error-codes.js';
import { FAULT_CODES } from '../field-fault.js';
import { dateRule, ulidRule } from '../validation/rules.js';
import type { JsonSchema } from '../validation/json-schema.js';

/** Building blocks for schemas of answers. A schema with a title becomes a component with that name. */
export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const whole: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
/** An identifier of the service. */
export const id: JsonSchema = ulidRule.schema;
export const date: JsonSchema = dateRule.schema;
/** ISO 8601 UTC with milliseconds. */
export const instant: JsonSchema = { type: 'string', format: 'date-time' };
/** A fact or a field of a policy; may be null. */
export const scalar: JsonSchema = { type: ['string', 'number', 'boolean', 'null'] };

/** Every code of a refusal. */
export const errorCode: JsonSchema = {
  title: 'ErrorCode',
  type: 'string',
  enum: Object.keys(ERRORS),
  description: 'For programs. Stable: match this, never `message`.',
};

/** Messages of a validation failure by the dotted path of the field. */
export const fieldErrors: JsonSchema = {
  type: 'object',
  description: 'Messages by the dotted path of the field.',
  additionalProperties: { type: 'array', items: { type: 'string' } },
};

/** The faults of {@link fieldErrors}, with codes. */
export const fieldFaults: JsonSchema = {
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
      hint: { type: 'string', description: 'For people: the field that may be meant.' },
    },
  },
};

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object with required `properties` and `optional` ones. */
export function object(properties: Properties, optional: Properties = {}, title?: string): JsonSchema {
  return {
    ...(title === undefined ? {} : { title }),
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

/** Makes the schema a component, for use in several answers. */
export function named(title: string, schema: JsonSchema): JsonSchema {
  return { ...schema, title };
}

/** Adds a description: meaning, unit, bounds, and the meaning of null. */
export function says(description: string, schema: JsonSchema): JsonSchema {
  return { ...schema, description };
}

export function list(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** An object with any keys, and values of this schema. */
export function recordOf(schema: JsonSchema): JsonSchema {
  return { type: 'object', additionalProperties: schema };
}

export function nullable(schema: JsonSchema): JsonSchema {
  if (schema.title !== undefined || schema.properties !== undefined || typeof schema.type !== 'string') {
    const { description, ...one } = schema;
    return { anyOf: [one, { type: 'null' }], ...(description === undefined ? {} : { description }) };
  }
  const { type, enum: choices, ...rest } = schema;
  return { ...rest, type: [type, 'null'], ...(choices === undefined ? {} : { enum: [...choices, null] }) };
}

export function oneOf(choices: readonly string[]): JsonSchema {
  return { type: 'string', enum: choices };
}

/** Adds properties to an object. */
export function extended(schema: JsonSchema, properties: Properties, optional: Properties = {}): JsonSchema {
  return {
    ...schema,
    title: undefined,
    required: [...(schema.required ?? []), ...Object.keys(properties)],
    properties: { ...schema.properties, ...properties, ...optional },
  };
}

export const next_cursor = says(
  'Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last.',
  nullable(text),
);

/** A page of a list, with the cursor of the next page. */
export function page(name: string, items: JsonSchema): JsonSchema {
  return object({ [name]: says(`The ${name} of this page.`, list(items)), next_cursor });
}
