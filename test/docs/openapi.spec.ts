import { OpenApi } from '#web/openapi/openapi.js';
import { DescribedRoutes } from '#web/openapi/described-routes.js';
import { type Edition, type OpenApiDocument, templateOf } from '#web/openapi/document.js';
import { exampleOfBody } from '../contracts/described-operations.js';
import { routesOf } from '../system/isolation/support/routes.js';
import { Service } from '../support/service.js';
import { describedAnswers } from '../support/openapi/described-answers.js';
import type { Parsed } from '../support/http-client.js';

interface Operation {
  readonly name: string;
  readonly pointer: readonly string[];
  readonly value: Parsed;
}

function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, value]) => ({
      name: `${method.toUpperCase()} ${path}`,
      pointer: ['paths', path, method],
      value,
    })),
  );
}

/** The messages that the service sends. */
function messagesOf(document: OpenApiDocument): Operation[] {
  const webhooks = (document['webhooks'] ?? {}) as OpenApiDocument['paths'];
  return operationsOf({ ...document, paths: webhooks }).map(({ name, pointer, value }) => ({
    name,
    pointer: ['webhooks', ...pointer.slice(1)],
    value,
  }));
}

function documentsOf({ application }: Service) {
  const read = (edition: Edition) =>
    JSON.parse(application.get(OpenApi).served(edition).content.text) as OpenApiDocument;
  return { current: read('current'), earlier: read('earlier') };
}

/** Objects that have no name of their own and lists that do not say of what, at and below a schema. */
function unnamed(where: string, schema: Parsed): string[] {
  const { properties, items, anyOf = [], oneOf = [], allOf = [], additionalProperties: others } = schema;
  const isList = [schema.type].flat().includes('array');
  const inside = [...anyOf, ...oneOf, ...allOf, items, typeof others === 'object' ? others : undefined];
  return [
    ...(properties === undefined ? [] : [`${where} has no name`]),
    ...(isList && items === undefined ? [`${where} has no items`] : []),
    ...inside.filter((one) => one !== undefined).flatMap((one) => unnamed(where, one)),
  ];
}

/** Every property of every schema at and below a part of a document, by its place. */
function propertiesIn(where: string, part: unknown): [string, Parsed][] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, one]: [string, Parsed]) => [
    ...(name === 'properties' && (part as Parsed).type === 'object'
      ? Object.entries<Parsed>(one).map(([field, schema]): [string, Parsed] => [`${where}.${field}`, schema])
      : []),
    ...(name === 'example' || name === 'examples' ? [] : propertiesIn(`${where}/${name}`, one)),
  ]);
}

/** The schemas that stand in an operation itself. */
function schemasIn(operation: Parsed): Parsed[] {
  const answers = Object.values<Parsed>(operation.responses);
  const contents = [operation.requestBody, ...answers].map((one) => one?.content ?? {});
  return [
    ...(operation.parameters ?? []).map(({ schema }: Parsed) => schema),
    ...contents.flatMap((content) => Object.values(content).map((one) => (one as Parsed).schema)),
  ];
}

describe('the OpenAPI document', () => {
  let running: Service;
  let document: OpenApiDocument;
  let earlier: OpenApiDocument;

  beforeAll(async () => {
    running = await Service.start();
    const { current, earlier: before } = documentsOf(running);
    [document, earlier] = [current, before];
  });
  afterAll(() => running.close());

  it('has every route that the router has, by its @Answers, and no other', () => {
    const { routes, notImplemented, bare } = routesOf(running.application);
    const actual = [...routes.map(({ name }) => templateOf(name)), ...bare];
    const described = [...operationsOf(document), ...operationsOf(earlier)].map(({ name }) => name);
    // One operation tells of all that is not implemented.
    expect(described.sort()).toEqual([...actual, 'POST /api/v2/webhooks'].sort());
    expect(notImplemented.map(({ name }) => templateOf(name))).toContain('POST /api/v2/webhooks');
  });

  it('stands by itself for the earlier surfaces, and names each operation once in each document', () => {
    const pathsOf = ({ paths }: OpenApiDocument, pattern: RegExp) =>
      Object.keys(paths).filter((path) => !pattern.test(path));
    expect(pathsOf(document, /^\/api\/(v2|operator)\//)).toEqual([]);
    expect(pathsOf(earlier, /^\/(api\/(?!v2|operator)|health)/)).toEqual([]);
    for (const each of [document, earlier]) {
      const ids = operationsOf(each).map(({ value }) => value.operationId as string);
      expect(
        ids.filter((one, place) => !/^[a-z]+[A-Za-z0-9]+$/.test(one) || ids.indexOf(one) !== place),
      ).toEqual([]);
    }
  });

  it('names every payload, gives every list its entries, and has one schema for every refusal', () => {
    for (const each of [document, earlier]) {
      const { schemas, responses } = each.components;
      const components = Object.entries(schemas!).flatMap(
        ([name, { properties, ...rest }]: [string, Parsed]) => [
          ...unnamed(name, rest),
          ...Object.entries((properties ?? {}) as object).flatMap(([part, one]) =>
            unnamed(`${name}.${part}`, one),
          ),
        ],
      );
      const inline = operationsOf(each).flatMap(({ name, value }) =>
        schemasIn(value).flatMap((one) => unnamed(name, one)),
      );
      expect([...components, ...inline]).toEqual([]);
      for (const answer of Object.values(responses!) as Parsed[]) {
        const { schema } = answer.content['application/json'];
        // What refuses a batch whole tells of each entry besides.
        expect(schema.anyOf?.[0] ?? schema).toEqual({ $ref: '#/components/schemas/Error' });
      }
    }
  });

  it('describes every property, parameter, operation, header and tag (@Says, schema.says)', () => {
    for (const each of [document, earlier]) {
      const { headers } = each.components;
      const properties = propertiesIn('', each);
      const operations = operationsOf(each).flatMap(({ name, value }) => [
        [name, value],
        ...(value.parameters ?? []).map((one: Parsed) => [`${name} ${one.name}`, one]),
      ]);
      const tags = (each['tags'] as Parsed[]).map((tag) => [tag.name, tag]);
      const used = [...operationsOf(each), ...messagesOf(each)].flatMap(
        ({ value }) => value.tags as string[],
      );
      expect(new Set(used)).toEqual(new Set(tags.map(([name]) => name as string)));
      const told = [...properties, ...operations, ...Object.entries(headers!), ...tags] as [string, Parsed][];
      expect(told.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
    }
  });

  it('lets a body be left out where none of its fields is needed, and no other', () => {
    const optional = [...operationsOf(document), ...operationsOf(earlier)].filter(
      ({ value: { requestBody } }) => requestBody !== undefined && requestBody.required !== true,
    );
    expect(optional.map(({ name }) => name).sort()).toEqual([
      'POST /api/operator/session/second-factor',
      'POST /api/operator/units/{unit_id}/locks/{lock_id}/replacement',
      'PUT /api/operator/units/{unit_id}/shares/{tenant_id}',
    ]);
  });

  it('tells of each body that a handler reads by itself', () => {
    const all = running.application.get(DescribedRoutes).all();
    const silent = all.filter(({ body, description }) => body === null && description.body === undefined);
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('describes the messages of webhooks under webhooks, and nothing there on the earlier surfaces', () => {
    const names = messagesOf(document).map(({ value }) => value.operationId as string);
    expect(names).toEqual(['receiveEvent', 'receiveWebhookTest']);
    expect(earlier).not.toHaveProperty('webhooks');
  });

  it('gives examples that fit what it says', () => {
    const answers = describedAnswers(running.application).of('current');
    const faults = [...operationsOf(document), ...messagesOf(document)].flatMap(
      ({ name, pointer, value }) => {
        const { requestBody, responses } = value;
        const contents: [string[], Parsed][] = [
          ...(requestBody === undefined
            ? []
            : [[['requestBody'], requestBody.content] as [string[], Parsed]]),
          ...Object.entries(responses)
            .filter(([, response]) => (response as Parsed).content !== undefined)
            .map(([status, response]): [string[], Parsed] => [
              ['responses', status],
              (response as Parsed).content,
            ]),
        ];
        return contents.flatMap(([place, content]) =>
          Object.entries(content).flatMap(([type, shown]: [string, Parsed]) => {
            const example = place[0] === 'requestBody' ? exampleOfBody(document, value) : shown.example;
            if (example === undefined) return [];
            const faults = answers.faultsAt([...pointer, ...place, 'content', type, 'schema'], example);
            return faults.map((fault) => `${name} ${place.join(' ')}: ${fault}`);
          }),
        );
      },
    );
    expect(faults).toEqual([]);
  });

  it.each([
    ['post', '/api/operator/companies', 'Park Storage'],
    ['post', '/api/operator/companies/{company_id}/locations', 'Main Street'],
    ['patch', '/api/operator/locations/{location_id}', 'Main Street'],
    ['post', '/api/operator/companies/{company_id}/api-tokens', 'PMS, production'],
    ['post', '/api/operator/companies/{company_id}/pull-sources', 'Units of the PMS'],
    ['post', '/api/operator/locations/{location_id}/zones', 'Hall 1'],
    ['post', '/api/operator/locations/{location_id}/locks', 'Door of A-101'],
    ['post', '/api/operator/locations/{location_id}/entry-points', 'Front gate'],
    ['post', '/api/operator/locations/{location_id}/tenants', 'Ada Park'],
  ])('names in its examples what %s %s makes by a name of that kind', (method, path, name) => {
    const operation = document.paths[path]![method] as Parsed;
    const { responses } = operation;
    const answered = responses['201'] ?? responses['200'];
    const asked = exampleOfBody(document, operation) as Parsed;
    const shown = answered.content['application/json'].example;
    expect([asked.name, shown.data.name ?? name]).toEqual([name, name]);
  });

  it('tells apart the names in one answer', () => {
    const example = (path: string) =>
      (document.paths[path]!['get'] as Parsed).responses['200'].content['application/json'].example.data;
    const company = example('/api/v2/company');
    const { tenant, units, entry_points } = example('/api/v2/tenant/access');
    expect([company.name, company.token.name, company.locations[0].name]).toEqual([
      'Park Storage',
      'PMS, production',
      'Main Street',
    ]);
    expect([tenant.name, units[0].location.name, units[0].locks[0].name, entry_points[0].name]).toEqual([
      'Ada Park',
      'Main Street',
      'Door of A-101',
      'Front gate',
    ]);
  });

  it('is served with an entity tag, and not again to who has it', async () => {
    const first = await running.call('get', '/api/v2/openapi.json');
    expect([first.status, first.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(first.body).toEqual(document);
    const headers = { 'If-None-Match': first.headers['etag']! };
    const again = await running.call('get', '/api/v2/openapi.json', { headers });
    expect([again.status, again.text]).toEqual([304, '']);
    const several = { 'If-None-Match': `"another", ${first.headers['etag']!.replace('W/', '')}` };
    const known = await running.call('get', '/api/v2/openapi.json', { headers: several });
    expect(known.status).toBe(304);
  });

  it('is shown by a page that loads nothing from elsewhere and runs no script of its own text', async () => {
    const page = await running.call('get', '/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    // A browser asks for /favicon.ico where no icon is named.
    expect(page.text).toContain('<link rel="icon" href="data:,">');
    expect(page.text).not.toMatch(/<script>|<style|style=|https?:/);
    const assets = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets).toHaveLength(3);
    for (const path of assets) {
      const asset = await running.call('get', path);
      expect([path, asset.status, asset.text.length > 0]).toEqual([path, 200, true]);
      expect(asset.headers['content-type']).toMatch(
        path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/,
      );
    }
    const start = await running.call('get', '/docs/assets/start.js');
    expect(start.text).toContain("url: '/api/v2/openapi.json'");
    const { status, headers } = await running.call('get', '/docs/assets/toString');
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  });
});
