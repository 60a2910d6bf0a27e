import type { INestApplication } from '@nestjs/common';
import type { Server } from 'node:http';
import request from 'supertest';
import { TenantAccessController } from '#api/tenant/access/tenant-access.controller.js';
import { TenantAccessQuery } from '#api/tenant/access/tenant-access.query.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { systemIds } from '#kernel/ids.js';
import { CLOCK, ENVIRONMENT, IDS, LOGGER, RECORDS } from '#kernel/injection-tokens.js';
import { TOKEN_VERIFIERS } from '#web/authentication.js';
import type { Principal, PrincipalKind, TenantPrincipal } from '#kernel/principals.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { startModules } from '../../support/modules.js';
import type { AccessWorld } from '../../domain/access/tenant-access/access-world.js';
import { movedIn, openAccessWorld } from '../../domain/access/tenant-access/access-world.js';

const PATH = '/api/v2/tenant/access';

let world: AccessWorld;
let ada: TenantPrincipal;
let application: INestApplication;
const logged: unknown[] = [];

beforeAll(async () => {
  world = await openAccessWorld();
  ada = await world.tenant('Ada Park');
  await world.unit('A-101', movedIn('A-101', ada));
  await world.lock('lock-a', 'A-101');
  application = await startApplication();
});
afterAll(async () => {
  await application.close();
  await world.close();
});

function startApplication(): Promise<INestApplication> {
  const principals: Record<string, Principal> = {
    ada,
    machine: { kind: 'api_token', id: 'token-1', company_id: ada.company_id, scope: 'write' },
  };
  const verify = (token: string, kind: PrincipalKind) =>
    Promise.resolve(principals[token]?.kind === kind ? principals[token] : undefined);
  const write = (...entry: unknown[]) => void logged.push(entry);
  const bindings = [
    { provide: CLOCK, useValue: world.clock },
    { provide: IDS, useValue: systemIds },
    { provide: ENVIRONMENT, useValue: readEnvironment({}) },
    { provide: LOGGER, useValue: { error: write, warn: write, info: write, debug: write } },
    { provide: RECORDS, useValue: world.store },
    { provide: TOKEN_VERIFIERS, useValue: { tenant: { verify }, api_token: { verify } } },
    { provide: TenantAccessQuery, useValue: world.reading },
  ];
  return startModules(bindings, { controllers: [TenantAccessController] });
}

function get(path = PATH, token = 'ada'): request.Test {
  const server = application.getHttpServer() as Server;
  return request(server).get(path).set('Authorization', `Bearer ${token}`);
}

describe('GET tenant/access', () => {
  it.each(['/api/v2', '/api/v1', '/api'])('answers under %s', async (prefix) => {
    const answer = await get(`${prefix}/tenant/access`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Request successful.', data: await world.read(ada) });
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.headers['etag']).toMatch(/^"[A-Za-z0-9_-]{43}"$/);
  });

  it.each([
    ['the tag', (tag: string) => tag],
    ['a list', (tag: string) => `"other" ,W/"another",  ${tag}`],
  ])('answers 304 with the tag and no body to %s', async (_what, header) => {
    const { etag } = (await get()).headers;
    world.clock.advance(1_000);
    const answer = await get().set('If-None-Match', header(etag!));
    expect([answer.status, answer.text]).toEqual([304, '']);
    expect(answer.headers['etag']).toBe(etag);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.headers['content-type']).toBeUndefined();
  });

  it('says nothing of keys in the log', async () => {
    // So that no answer is kept.
    await world.unit('A-101', { type: 'RenameUnit', unit_name: 'A-102' });
    const record = world.issues.record.bind(world.issues);
    world.issues.record = () => Promise.reject(new Error('away'));
    const failed = await get();
    world.issues.record = record;
    expect([failed.status, failed.body]).toEqual([500, { code: 'server_error', message: 'Server error.' }]);
    expect(failed.headers['etag']).toBeUndefined();
    const { key } = (await get()).body.data.units[0].locks[0];
    expect(logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(logged)).not.toContain(key);
  });

  it('is limited to 300 reads per tenant and minute', async () => {
    const limits = application.get(RateLimits, { strict: false });
    const taken = await get();
    expect(taken.headers['ratelimit-policy']).toBe('"tenant-reads";q=300;w=60');
    await limits.consume('tenant-reads', ada.id, 300);
    const refused = await get();
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    await limits.reset('tenant-reads', ada.id);
  });
});
