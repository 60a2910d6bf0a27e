import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenApiDocument } from '#web/openapi/document.js';
import { type Content, type Described, operationsOf } from './described-operations.js';

const headOf = (
  sources: string,
) => `// Made of the service's own description by \`npm run client:types\`. Do not edit.
// Sources: ${sources}

`;

/** What says that there is nothing: half of the text. */
const ABSENT = /^ +\w+\?: never;\n/gm;

/** The description allows any value: other generators cannot read "a text or a list". This one can. */
const CHANGED = /(?<=HistoryEntryChange: \{[^}]*\b(?:from|to): )unknown/g;
const CHANGED_VALUE = 'string | number | boolean | null | string[]';

/**
 * `packages/client/src/generated/openapi.ts`: the types of every route of v2 and the operator API, and what the client must know of some of
 * them at run time. Refusals have one shape, which is among the components.
 */
export async function clientTypes(document: OpenApiDocument, sources: string): Promise<string> {
  const nodes = await openapiTS(spoken(document) as unknown as Parameters<typeof openapiTS>[0], {
    alphabetize: true,
    defaultNonNullable: false,
  });
  const types = astToString(nodes).replaceAll(ABSENT, '').replaceAll(CHANGED, CHANGED_VALUE);
  return `${headOf(sources)}${types}\n${keyedWrites(document)}`;
}

/** What a client has use for: answers of success, without their headers, and the schemas, without examples of whole bodies. */
function spoken(document: OpenApiDocument): OpenApiDocument {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, operation } of operationsOf(document)) {
    const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
    const responses = Object.fromEntries(
      successes.map(([status, { content }]) => [status, { description: '', ...shapesOf(content) }]),
    );
    (paths[path] ??= {})[method] = { ...operation, operationId: undefined, responses };
  }
  const schemas = Object.entries(document.components['schemas'] ?? {}).map(([name, schema]) => [
    name,
    { ...(schema as object), examples: undefined },
  ]);
  return {
    ...document,
    paths,
    components: { schemas: Object.fromEntries(schemas) as object },
  } as OpenApiDocument;
}

function shapesOf(content: Content | undefined): { readonly content?: object } {
  if (content === undefined) return {};
  const shapes = Object.entries(content).map(([type, { schema }]) => [type, { schema }]);
  return { content: Object.fromEntries(shapes) };
}

function keyedWrites(document: OpenApiDocument): string {
  const keyed = operationsOf(document)
    .filter(({ operation }) => takesKey(operation))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const lines = keyed.sort().map((name) => `    "${name}",\n`);
  return `/** Writes that take an \`Idempotency-Key\`. */\nexport const KEYED_WRITES: ReadonlySet<string> = new Set([\n${lines.join('')}]);\n`;
}

function takesKey({ parameters = [] }: Described): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}
