import { isEarlierSurface } from '../versions.js';
import { Components } from './components.js';
import { Operation } from './operation.js';
import { ERROR_SCHEMA, HEADERS, SECURITY_SCHEMES, TAGS } from './parts.js';
import type { DescribedRoute } from './described-routes.js';

/** An OpenAPI 3.1 document, as JSON has it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [member: string]: unknown;
}

const DESCRIPTION = `Decides who may open a self-storage unit: facts of a property management system in, explained decisions and keys to locks out.

Answers are \`{ message, data }\`, errors \`{ message, code, errors? }\`. Match \`code\`, never prose. Fields that a request does not declare are refused; answers may gain fields.
Text from clients holds no control characters. Amounts are decimal numbers with at most 2 places.`;

/**
 * Describes all routes. Pure: the same routes give the same document. A route without a description of its own is in it by what its
 * decorators say.
 */
export function openApiDocument(routes: readonly DescribedRoute[], version: string): OpenApiDocument {
  const components = new Components();
  components.hoist(ERROR_SCHEMA);
  const responses: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operation = new Operation(route, components, responses);
    (paths[templateOf(route.path)] ??= {})[route.method] = operation.describe(isEarlierSurface(route.path));
  }
  const sorted = (members: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Storage access',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document was read.' }],
    tags: TAGS,
    paths: sorted(paths) as OpenApiDocument['paths'],
    components: {
      schemas: sorted(components.schemas),
      responses: sorted(responses),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** `/api/v2/units/{crm_unit_id}` for `/api/v2/units/:crm_unit_id`. */
export function templateOf(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, '{$1}');
}
