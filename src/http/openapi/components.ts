import type { JsonSchema } from '../validation/json-schema.js';

/** The schemas of a document under their titles: each stands there once, and is referred to. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #sources = new Map<string, string>();

  /** @throws Error for two schemas under one title */
  hoist(schema: JsonSchema): JsonSchema {
    const { title, ...rest } = schema;
    if (title === undefined) return this.#within(schema);
    const source = JSON.stringify(rest);
    const known = this.#sources.get(title);
    if (known === undefined) {
      this.#sources.set(title, source);
      this.schemas[title] = this.#within(rest);
    } else if (known !== source) throw new Error(`Two schemas are called ${title}.`);
    return { $ref: `#/components/schemas/${title}` };
  }

  #within(schema: JsonSchema): JsonSchema {
    const { items, properties, additionalProperties: others } = schema;
    return {
      ...schema,
      ...(items === undefined ? {} : { items: this.hoist(items) }),
      ...(properties === undefined ? {} : { properties: this.#each(properties) }),
      ...(typeof others === 'object' ? { additionalProperties: this.hoist(others) } : {}),
      ...this.#alternatives(schema),
    };
  }

  #alternatives(schema: JsonSchema): Pick<JsonSchema, 'anyOf' | 'oneOf' | 'allOf'> {
    const kinds = (['anyOf', 'oneOf', 'allOf'] as const).filter((kind) => schema[kind] !== undefined);
    return Object.fromEntries(kinds.map((kind) => [kind, schema[kind]!.map((one) => this.hoist(one))]));
  }

  #each(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.hoist(one)]));
  }
}
