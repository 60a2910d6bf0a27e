import type { Fault, FieldFault } from '#kernel/errors/field-fault.js';
import type { Dto } from './decorators.js';
import type { JsonSchema } from './json-schema.js';
import { planOf, type Plan } from './dto-plan.js';
import { throwAny, checkEntry, fieldFault } from './check.js';

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
export function readText(text: string, type: JsonSchema['type']): unknown {
  if (type === 'number' || type === 'integer')
    return /^-?(0|[1-9]\d{0,15})(\.\d{1,6})?$/.test(text) ? Number(text) : text;
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
