import type { OpenApiDocument } from '#web/openapi/document.js';
import {
  type Described,
  exampleOfBody,
  operationsOf,
  type Parameter,
  type PlacedOperation,
} from './described-operations.js';
import { CREDENTIALS, playable } from './postman-bodies.js';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION = `Made of the service's own description by \`npm run contracts\`. Set \`baseUrl\`, \`operatorEmail\` and \`operatorPassword\` (the first start of the service prints them) in the collection's variables, and begin with "Sign in" of Operator, then "Register a company", "Issue an API token" and "Add a location": tokens and ids that an answer holds are kept in the variables, and put into the requests after it. "Sign in with the code" wants the six digits in \`otp\`.`;

/** The variable that holds the token of each kind of caller. */
const TOKENS: Readonly<Record<string, string>> = {
  api_token: 'apiToken',
  tenant: 'tenantToken',
  operator: 'operatorToken',
};

/** Whose token an answer holds. */
const GIVES_TOKEN: Readonly<Record<string, string>> = {
  'POST /api/operator/sessions': 'operatorToken',
  'POST /api/operator/companies/{company_id}/api-tokens': 'apiToken',
  'POST /api/v2/auth/verify-otp': 'tenantToken',
};

/** The first requests of a caller. The rest follows the order of the description. */
const FOLDERS_FIRST = ['Operator'];
const REQUESTS_FIRST = [
  'POST /api/operator/sessions',
  'POST /api/v2/auth/phone',
  'POST /api/v2/auth/verify-otp',
];

/** Answers 501. */
const WEBHOOKS = /^\/api\/v2\/webhooks/;

/** The variable that a path parameter takes, where another than of its own name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  '/api/v2/locks/{id}/logs': 'lock_id',
  '/api/v2/entry-points/{id}/logs': 'entry_point_id',
};

/** The name of the first unit in the examples. */
const PRESET: Readonly<Record<string, string>> = { ...CREDENTIALS, crm_unit_id: 'A-101' };

/** After every answer of success: what it names and a request needs is kept. A lock that is new is on no unit, and says so. */
const KEEP_IDS = [
  "const answer = (pm.response.headers.get('Content-Type') || '').includes('json') ? pm.response.json() : {};",
  'const named = pm.response.code < 300 && answer.data ? Object.entries(answer.data) : [];',
  "const kept = named.filter(([name, value]) => typeof value === 'string' && pm.collectionVariables.has(name));",
  'for (const [name, value] of kept) pm.collectionVariables.set(name, value);',
];

/** A Postman collection: every route of v2 and the operator API, by its tag, with the examples of the description. */
export function postmanCollection(document: OpenApiDocument): Promise<string> {
  const operations = operationsOf(document).filter(({ path }) => !WEBHOOKS.test(path));
  const collection = {
    info: { name: 'Storage access', description: DESCRIPTION, schema: FORMAT },
    item: foldersOf(document, operations),
    event: [script(KEEP_IDS)],
    variable: variablesOf(operations),
  };
  return Promise.resolve(`${JSON.stringify(collection, null, 1)}\n`);
}

function foldersOf(document: OpenApiDocument, operations: readonly PlacedOperation[]) {
  const tags = document['tags'] as readonly { readonly name: string; readonly description: string }[];
  return firstOf(tags, ({ name }) => FOLDERS_FIRST.indexOf(name)).flatMap(({ name, description }) => {
    const tagged = operations.filter(({ operation }) => operation.tags.includes(name));
    const own = firstOf(tagged, (placed) => REQUESTS_FIRST.indexOf(routeOf(placed)));
    return own.length === 0
      ? []
      : [{ name, description, item: own.map((placed) => requestOf(document, placed)) }];
  });
}

/** Those with a place first, by it; the others as they stand. */
function firstOf<T>(all: readonly T[], placeOf: (one: T) => number): T[] {
  const placed = all.filter((one) => placeOf(one) >= 0).sort((a, b) => placeOf(a) - placeOf(b));
  return [...placed, ...all.filter((one) => placeOf(one) < 0)];
}

function routeOf({ method, path }: PlacedOperation): string {
  return `${method.toUpperCase()} ${path}`;
}

function requestOf(document: OpenApiDocument, placed: PlacedOperation) {
  const { method, path, operation } = placed;
  const variable = GIVES_TOKEN[routeOf(placed)];
  const keeps = `if (answer.data && answer.data.token) pm.collectionVariables.set('${variable}', answer.data.token);`;
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? '',
      auth: authOf(operation),
      header: headersOf(operation),
      url: urlOf(path, operation),
      ...bodyOf(document, placed),
    },
    response: [],
    ...(variable === undefined ? {} : { event: [script([KEEP_IDS[0]!, keeps])] }),
  };
}

function authOf({ security = [] }: Described) {
  const kind = security.flatMap((one) => Object.keys(one)).find((name) => name in TOKENS);
  if (kind === undefined) return { type: 'noauth' };
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${TOKENS[kind]}}}`, type: 'string' }] };
}

function headersOf({ parameters = [], requestBody }: Described) {
  const json = requestBody === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }];
  const own = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, description = '' }) => ({ key: name, value: '{{$guid}}', description }));
  return [...json, ...own];
}

function urlOf(path: string, { parameters = [] }: Described) {
  const placed = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place);
  const segments = path
    .slice(1)
    .replace(/\{(\w+)\}/g, ':$1')
    .split('/');
  const query = placed('query').map(({ name, required, description = '' }) => ({
    key: name,
    value: '',
    description,
    disabled: required !== true,
  }));
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query,
    variable: placed('path').map(({ name, description = '' }) => ({
      key: name,
      value: `{{${PARAMETERS[path] ?? name}}}`,
      description,
    })),
  };
}

function bodyOf(document: OpenApiDocument, placed: PlacedOperation) {
  const example = exampleOfBody(document, placed.operation);
  if (example === undefined) return {};
  const options = { raw: { language: 'json' } };
  const body = playable(example as Readonly<Record<string, unknown>>, placed);
  return { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options } };
}

function variablesOf(operations: readonly PlacedOperation[]) {
  const inPaths = operations.flatMap(({ path, operation: { parameters = [] } }) =>
    parameters.filter((one) => one.in === 'path').map(({ name }) => PARAMETERS[path] ?? name),
  );
  const names = [...Object.keys(CREDENTIALS), ...Object.values(TOKENS), ...[...new Set(inPaths)].sort()];
  return [
    { key: 'baseUrl', value: 'http://localhost:3000' },
    ...names.map((key) => ({ key, value: PRESET[key] ?? '' })),
  ];
}

function script(lines: readonly string[]) {
  return { listen: 'test', script: { type: 'text/javascript', exec: lines } };
}
