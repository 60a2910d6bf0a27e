import type { JsonSchema } from '../validation/json-schema.js';

/** The named schemas of a document. Each is defined once and referenced. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #sources = new Map<string, string>();

  /**
   * @param name for an object without a title; inner objects get the name of the outer object and of their property
   * @throws Error for two schemas with one title
   */
  hoist(schema: JsonSchema, name?: string): JsonSchema {
    const { title = hasProperties(schema) ? name : undefined, description, ...rest } = schema;
    if (title === undefined) return this.#within(schema, name);
    const source = JSON.stringify(rest);
    const known = this.#sources.get(title);
    if (known === undefined) {
      this.#sources.set(title, source);
      this.schemas[title] = this.#within(rest, title);
    } else if (known !== source) throw new Error(`Two schemas are called ${title}.`);
    // The description belongs to the reference, because one schema may have several meanings.
    return { $ref: `#/components/schemas/${title}`, ...(description === undefined ? {} : { description }) };
  }

  #within(schema: JsonSchema, name?: string): JsonSchema {
    const { items, properties, additionalProperties: others } = schema;
    return {
      ...schema,
      ...(items === undefined ? {} : { items: this.hoist(items, name) }),
      ...(properties === undefined ? {} : { properties: this.#each(properties, name) }),
      ...(typeof others === 'object' ? { additionalProperties: this.hoist(others, name) } : {}),
      ...this.#alternatives(schema, name),
    };
  }

  #alternatives(schema: JsonSchema, name?: string): Pick<JsonSchema, 'anyOf' | 'oneOf' | 'allOf'> {
    const kinds = (['anyOf', 'oneOf', 'allOf'] as const).filter((kind) => schema[kind] !== undefined);
    return Object.fromEntries(kinds.map((kind) => [kind, schema[kind]!.map((one) => this.hoist(one, name))]));
  }

  #each(properties: Readonly<Record<string, JsonSchema>>, holder = ''): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [
        name,
        this.hoist(one, `${holder}${nameOfPart(name)}`),
      ]),
    );
  }
}

function hasProperties({ properties }: JsonSchema): boolean {
  return properties !== undefined;
}

/** `LookedAt` for `looked_at`, `Unit` for the entries of `units`. */
function nameOfPart(property: string): string {
  return pascal(property.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, ''));
}

/** `NotFound` for `not_found`. */
export function pascal(text: string): string {
  return text.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
