import { planOf } from '../validation/dto-plan.js';
import { nullable } from './schemas.js';
import type { Dto } from '../validation/decorators.js';
import type { DtoField } from '../validation/dto-plan.js';
import type { JsonSchema } from '../validation/json-schema.js';

/** The schema of a DTO class. Unknown fields are refused. */
export function schemaOf(dto: Dto): JsonSchema {
  const { fields, needsAField } = planOf(dto);
  return {
    title: dto.name,
    type: 'object',
    additionalProperties: false,
    ...(needsAField ? { minProperties: 1 } : {}),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOfField(field)])),
  };
}

/** The schema of a field. If two rules have the same keyword, the earlier rule wins, because it is more exact. */
export function schemaOfField(field: DtoField): JsonSchema {
  const { rules, each, nested, nullable: mayBeNull, examples, said } = field;
  const ruled: JsonSchema = Object.assign({}, ...rules.map(({ schema }) => schema).reverse()) as JsonSchema;
  const schema = nested === undefined ? ruled : schemaOf(nested.dto);
  const shown = examples === undefined ? schema : { ...schema, examples };
  const items = said?.entries === undefined ? each?.schema : schemaOf(said.entries);
  const whole = items === undefined ? shown : { ...shown, items };
  const fieldSchema = mayBeNull ? nullable(whole) : whole;
  return said === undefined ? fieldSchema : { ...fieldSchema, description: said.description };
}
