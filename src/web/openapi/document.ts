import { isEarlierSurface } from '../versions.js';
import { Components } from './components.js';
import { Operation } from './operation.js';
import { describeMessages } from './described-messages.js';
import { ERROR_EXAMPLES, ERROR_SCHEMA, HEADERS, SECURITY_SCHEMES, TAGS } from './parts.js';
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

Answers are \`{ message, data }\`, errors \`{ message, code, hint?, errors?, details? }\`. \`details\` lists each faulty field with a code of its own. Match \`code\`, never prose. Fields that a request does not declare are refused; answers may gain fields.
Text from clients holds no control characters. Amounts are decimal numbers with at most 2 places.`;

/** `current`: v2 and the operator API. `earlier`: the API before v2. */
export type Edition = 'current' | 'earlier';

/** Describes the routes of an edition. */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  version: string,
  edition: Edition,
): OpenApiDocument {
  const components = new Components();
  components.hoist(ERROR_SCHEMA);
  const responses: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  const described = routes.filter(({ path }) => editionOf(path) === edition);
  for (const route of described) {
    const operation = new Operation(route, components, responses);
    (paths[templateOf(route.path)] ??= {})[route.method] = operation.describe(isEarlierSurface(route.path));
  }
  const sorted = (members: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
  const messages = described.flatMap(({ description }) => description.messages ?? []);
  const webhooks = describeMessages(messages, components);
  const text = JSON.stringify({ paths, webhooks, responses });
  const used = (kind: string, members: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(members).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Storage access',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document was read.' }],
    tags: TAGS.filter(({ name }) => text.includes(`"tags":["${name}"]`)),
    paths: sorted(paths) as OpenApiDocument['paths'],
    ...(messages.length === 0 ? {} : { webhooks }),
    components: {
      schemas: sorted(components.schemas),
      examples: used('examples', ERROR_EXAMPLES),
      responses: sorted(responses),
      headers: used('headers', HEADERS),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** `/api/v2/units/{crm_unit_id}` for `/api/v2/units/:crm_unit_id`. */
export function templateOf(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, '{$1}');
}

/** Health at the root has no version, so it is described with the earlier API. */
export function editionOf(path: string): Edition {
  return /^\/api\/(?:v2|operator)(?=\/|$)/.test(path) ? 'current' : 'earlier';
}
