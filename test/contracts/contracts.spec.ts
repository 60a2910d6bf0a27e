import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { OpenApiDocument } from '#web/openapi/document.js';
import type { Parsed } from '../support/http-client.js';
import { CONTRACTS } from './contracts.js';
import { operationsOf } from './described-operations.js';
import { describedService } from './described-service.js';
import { postmanCollection } from './postman-collection.js';

let document: OpenApiDocument;

beforeAll(async () => {
  ({ document } = await describedService());
});

describe('what is made of the description of the service', () => {
  it.each(CONTRACTS.map(({ file, make }) => [basename(file), file, make] as const))(
    'is up to date in %s (npm run contracts)',
    async (_name, file, make) => {
      const made = await make(document);
      // Compared as a whole, but not shown as one: such a file is thousands of lines long.
      expect((await readFile(file, 'utf8')) === made).toBe(true);
    },
  );
});

interface Folder {
  readonly item: readonly { readonly request: Parsed }[];
}

describe('the Postman collection', () => {
  let collection: Parsed;
  let requests: Parsed[];

  beforeAll(async () => {
    collection = JSON.parse(await postmanCollection(document));
    requests = (collection.item as Folder[]).flatMap(({ item }) => item.map(({ request }) => request));
  });

  const nameOf = ({ method, url }: Parsed) =>
    `${method} ${(url.raw as string).replace('{{baseUrl}}', '').replace(/:(\w+)/g, '{$1}')}`;

  it('has each route once that is not deprecated, but for what is not implemented', () => {
    const wanted = operationsOf(document)
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
      .filter((name) => !name.includes('/api/v2/webhooks'));
    expect(requests.map(nameOf).sort()).toEqual(wanted.sort());
  });

  it('asks with the token of the caller that the route is for, under a fresh key where it takes one', () => {
    const told = Object.fromEntries(requests.map((request) => [nameOf(request), request]));
    const bearer = (name: string) => told[name]!.auth.bearer?.[0].value ?? told[name]!.auth.type;
    expect(bearer('PATCH /api/v2/units')).toBe('{{apiToken}}');
    expect(bearer('GET /api/v2/tenant/access')).toBe('{{tenantToken}}');
    expect(bearer('POST /api/operator/companies')).toBe('{{operatorToken}}');
    expect(bearer('POST /api/operator/sessions')).toBe('noauth');
    expect(told['PATCH /api/v2/units']!.header).toContainEqual(
      expect.objectContaining({ key: 'Idempotency-Key', value: '{{$guid}}' }),
    );
  });

  it('uses no variable that it does not declare', () => {
    const used = [...JSON.stringify(requests).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
    const declared = (collection.variable as { key: string }[]).map(({ key }) => key);
    expect(used.filter((name) => !declared.includes(name))).toEqual([]);
  });

  it('keeps the tokens and ids of answers', () => {
    const kept: Record<string, unknown> = { company_id: '', apiToken: '', unit_id: 'U' };
    const issue = (collection.item as Parsed[])
      .flatMap(({ item }) => item)
      .find(({ request }) => nameOf(request) === 'POST /api/operator/companies/{company_id}/api-tokens');
    const answer = { data: { token: 'sat_1', company_id: 'C', other: 'x', unit_id: null } };
    const pm = {
      response: { code: 201, headers: { get: () => 'application/json' }, json: () => answer },
      collectionVariables: {
        has: (name: string) => name in kept,
        set: (name: string, value: unknown) => void (kept[name] = value),
      },
    };
    for (const { script } of [...collection.event, ...issue.event]) {
      runInNewContext(script.exec.join('\n'), { pm, Object });
    }
    expect(kept).toEqual({ company_id: 'C', apiToken: 'sat_1', unit_id: 'U' });
  });
});
