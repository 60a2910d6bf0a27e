import type { OpenApiDocument } from '../../src/http/openapi/document.js';
import {
  type Described,
  isForNewcomers,
  operationsOf,
  type Parameter,
  type PlacedOperation,
} from './described-operations.js';

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION = `Made of the service's own description by \`npm run contracts\`. Set \`baseUrl\` and begin with "Sign in" of Operator: tokens and ids that an answer holds are kept in the collection's variables, and put into the requests after it.`;

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

/** After every answer: what it names and a request needs is kept. */
const KEEP_IDS = [
  "const answer = (pm.response.headers.get('Content-Type') || '').includes('json') ? pm.response.json() : {};",
  'const kept = pm.response.code === 201 && answer.data ? Object.entries(answer.data) : [];',
  'for (const [name, value] of kept) if (pm.collectionVariables.has(name)) pm.collectionVariables.set(name, value);',
];

/** `docs/postman_collection.json`: every route that is not deprecated, by its tag, with the examples of the description. */
export function postmanCollection(document: OpenApiDocument): Promise<string> {
  const operations = operationsOf(document).filter(isForNewcomers);
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
  return tags.flatMap(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return own.length === 0 ? [] : [{ name, description, item: own.map(requestOf) }];
  });
}

function requestOf({ method, path, operation }: PlacedOperation) {
  const variable = GIVES_TOKEN[`${method.toUpperCase()} ${path}`];
  const keeps = `if (answer.data && answer.data.token) pm.collectionVariables.set('${variable}', answer.data.token);`;
  return {
    name: operation.summary,
    request: {
      method: method.toUpperCase(),
      description: operation.description ?? '',
      auth: authOf(operation),
      header: headersOf(operation),
      url: urlOf(path, operation),
      ...bodyOf(operation),
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
      value: `{{${name}}}`,
      description,
    })),
  };
}

function bodyOf({ requestBody }: Described) {
  const example = requestBody?.content['application/json']?.example;
  if (example === undefined) return {};
  const options = { raw: { language: 'json' } };
  return { body: { mode: 'raw', raw: JSON.stringify(example, null, 2), options } };
}

function variablesOf(operations: readonly PlacedOperation[]) {
  const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
  const inPaths = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return [
    { key: 'baseUrl', value: 'http://localhost:3000' },
    ...[...Object.values(TOKENS), ...[...new Set(inPaths)].sort()].map((key) => ({ key, value: '' })),
  ];
}

function script(lines: readonly string[]) {
  return { listen: 'test', script: { type: 'text/javascript', exec: lines } };
}
