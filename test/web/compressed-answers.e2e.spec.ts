import { readFile } from 'node:fs/promises';
import { get as httpGet } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { assetPath } from '#dashboard/assets/assets.js';
import { routesOf } from '../system/isolation/support/routes.js';
import { type Company, demand, Service } from '../support/service.js';

let service: Service;
let company: Company;
let tenant: string;

const PHONE = { country_code: '1', phone_number: '3125550100' };

beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
  const person = { pms_tenant_id: 't', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  const units = Array.from({ length: 60 }, (_, n) => ({
    crm_unit_id: `A-${n}`,
    occupied: true,
    move_in_date: '2025-12-01',
    tenant: person,
  }));
  await company.sync(units);
  await service.call('post', '/api/v2/auth/phone', { body: PHONE });
  const message = await readFile(join(service.path, 'sms-outbox.ndjson'), 'utf8');
  const otp = /\d{6}/.exec((JSON.parse(message.trim()) as { body: string }).body)![0];
  const answer = await service.call('post', '/api/v2/auth/verify-otp', { body: { ...PHONE, otp } });
  tenant = demand(200, answer).token;
});
afterAll(() => service.close());

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

function read(path: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const call = httpGet({ port: service.port, host: '127.0.0.1', path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode, headers: given } = response;
        resolve({ status: statusCode!, headers: given as Raw['headers'], bytes: Buffer.concat(chunks) });
      });
    });
    call.on('error', reject);
  });
}

const as = (token: string, accepted: string) => ({
  Authorization: `Bearer ${token}`,
  'Accept-Encoding': accepted,
});

it.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
])('compresses a long answer for who accepts %s, and the content is the same', async (encoding, open) => {
  const path = '/api/v2/units?limit=60';
  const plain = await read(path, as(company.token, 'identity'));
  const packed = await read(path, as(company.token, encoding));
  expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([
    undefined,
    encoding,
  ]);
  expect([plain.headers['vary'], packed.headers['vary']]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
  expect(plain.bytes.length).toBeGreaterThan(8_192);
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
  expect(open(packed.bytes).toString()).toBe(plain.bytes.toString());
});

it.each([
  ['/docs/assets/swagger-ui.css', 'text/css; charset=utf-8', 'public, max-age=3600'],
  [assetPath('htmx.min.js'), 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
])('compresses what is no JSON as well: %s', async (path, type, kept) => {
  const plain = await read(path, { 'Accept-Encoding': 'identity' });
  const packed = await read(path, { 'Accept-Encoding': 'gzip' });
  expect([packed.headers['content-encoding'], packed.headers['content-type']]).toEqual(['gzip', type]);
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  expect(packed.headers['cache-control']).toBe(kept);
});

it('leaves a short answer as it is', async () => {
  const { headers, bytes } = await read('/api/v2/units?limit=1', as(company.token, 'gzip'));
  expect(headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(bytes.toString())).toMatchObject({ message: 'Request successful.' });
});

it('gives a compressed answer the entity tag of the plain one, and answers 304 to it', async () => {
  const plain = await read('/api/v2/openapi.json', { 'Accept-Encoding': 'identity' });
  const packed = await read('/api/v2/openapi.json', { 'Accept-Encoding': 'gzip' });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.headers['etag']).toBe(plain.headers['etag']);
  const again = await read('/api/v2/openapi.json', {
    'Accept-Encoding': 'gzip',
    'If-None-Match': packed.headers['etag']!,
  });
  expect([again.status, again.bytes.length, again.headers['content-encoding']]).toEqual([304, 0, undefined]);
  expect(again.headers['vary']).toBe(packed.headers['vary']);
});

it("never compresses a tenant's keys, and answers 304 to a known entity tag", async () => {
  const { headers, bytes } = await read('/api/v2/tenant/access', as(tenant, 'gzip, br'));
  expect(bytes.length).toBeGreaterThan(8_192);
  expect(headers['content-encoding']).toBeUndefined();
  const known = { ...as(tenant, 'gzip'), 'If-None-Match': headers['etag']! };
  expect((await read('/api/v2/tenant/access', known)).status).toBe(304);
});

it('compresses no route that hands out a secret, and no page behind a sign-in', () => {
  const { routes, pages } = routesOf(service.application);
  const secret = routes.filter(({ compresses }) => !compresses).map(({ name }) => name);
  expect(
    secret.filter((name) => !/\/tenant\/|\/auth\/|\/(locks|entry-points)\/.*logs/.test(name)).sort(),
  ).toEqual([
    'GET /api/operator/entry-points/:entry_point_id/provisioning',
    'GET /api/operator/locks/:lock_id/provisioning',
    'POST /api/operator/companies/:company_id/api-tokens',
    'POST /api/operator/companies/:company_id/webhooks',
    'POST /api/operator/companies/:company_id/webhooks/:webhook_id/secret',
    'POST /api/operator/operators',
    'POST /api/operator/operators/:operator_id/invitation',
    'POST /api/operator/session/second-factor',
    'POST /api/operator/sessions',
    'PUT /api/operator/session/second-factor',
  ]);
  expect(routes.filter(({ admitted, compresses }) => admitted.includes('tenant') && compresses)).toEqual([]);
  const open = pages.filter(({ compresses }) => compresses);
  expect(open.filter(({ admitted }) => admitted.length > 0)).toEqual([]);
});

it('compresses what an operator reads with a token, and never with a cookie', async () => {
  const token = await service.operatorToken();
  const path = '/api/operator/units?limit=60';
  const program = await read(path, as(token, 'gzip'));
  const browser = await read(path, { Cookie: `operator_session=${token}`, 'Accept-Encoding': 'gzip' });
  expect([program.status, program.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect([browser.status, browser.headers['content-encoding']]).toEqual([200, undefined]);
  expect(browser.bytes.equals(gunzipSync(program.bytes))).toBe(true);
});
