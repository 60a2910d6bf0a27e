import type { OpenApiDocument } from '#web/openapi/document.js';

/** A body by its media type. */
export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

export interface Schema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
}

/** An operation of the description, as far as what is made of it looks at it. */
export interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
}

export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Described;
}

/** Every operation, in the order of the description. */
export function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return placedIn(paths);
}

/** Every message that the service sends. Its path is its name. */
export function messagesOf(document: OpenApiDocument): PlacedOperation[] {
  return placedIn((document['webhooks'] ?? {}) as OpenApiDocument['paths']);
}

function placedIn(paths: OpenApiDocument['paths']): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation: operation as Described,
    })),
  );
}

/** The example of a request's body; undefined if it has none. */
export function exampleOfBody({ components }: OpenApiDocument, operation: Described): unknown {
  const { schema } = operation.requestBody?.content['application/json'] ?? {};
  const named = components['schemas']?.[schema?.$ref?.split('/').at(-1) ?? ''] as Schema | undefined;
  return (named ?? schema)?.examples?.[0];
}
