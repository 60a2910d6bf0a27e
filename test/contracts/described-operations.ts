import type { OpenApiDocument } from '../../src/http/openapi/document.js';

/** A body by its media type. */
export type Content = Readonly<Record<string, { readonly schema?: unknown; readonly example?: unknown }>>;

/** An operation of the description, as far as what is made of it looks at it. */
export interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
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
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation: operation as Described,
    })),
  );
}

/** Health answers under every prefix; one will do. */
const DOUBLES = /^\/api\/(v\d\/)?health/;

/** What somebody who begins today has use for: of what answers under several paths the current one. */
export function isForNewcomers({ path, operation }: Pick<PlacedOperation, 'path' | 'operation'>): boolean {
  return operation.deprecated !== true && !DOUBLES.test(path);
}
