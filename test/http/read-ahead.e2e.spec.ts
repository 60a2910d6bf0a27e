import { Controller, Get, Param, Patch, Put } from '@nestjs/common';
import {
  type ApiTokenPrincipal,
  Authenticated,
  Context,
  envelope,
  Idempotent,
  type Principal,
  RateLimited,
  ReadAhead,
  type RequestContext,
} from '../../src/http/index.js';
import { startTestApplication, type TestApplication } from './support/test-application.js';
import { Work } from './support/test-controllers.js';

@Authenticated('api_token')
@Controller('api/v2/ahead')
class AheadController {
  constructor(private readonly work: Work) {}

  @Put(':id')
  @Idempotent()
  @RateLimited('pms-write')
  @ReadAhead('thing')
  async put(@Param('id') id: string, @Context() context: RequestContext) {
    await this.work.run(context);
    return envelope({ id });
  }

  @Get(':id')
  @ReadAhead('thing')
  async get(@Param('id') id: string, @Context() context: RequestContext) {
    await this.work.run(context);
    return envelope({ id });
  }

  @Patch(':id')
  @RateLimited('pms-write')
  async patch(@Param('id') id: string, @Context() context: RequestContext) {
    await this.work.run(context);
    return envelope({ id });
  }
}

const HOLDER: ApiTokenPrincipal = { kind: 'api_token', id: 'id-a', company_id: 'company-a', scope: 'write' };
const LIMIT = 4;

describe('what is read ahead, while it is found out who calls', () => {
  let service: TestApplication;
  /** Who a credential names now; held up where a test says so. */
  let holder: Principal | undefined;
  let verifying: Promise<void>;
  let reads: string[];

  beforeEach(async () => {
    holder = HOLDER;
    verifying = Promise.resolve();
    reads = [];
    service = await startTestApplication({
      controllers: [AheadController],
      environment: { RATE_LIMIT_PMS_WRITES: String(LIMIT) },
      verifier: { verify: () => verifying.then(() => holder) },
      reads: {
        thing: ({ params }, principal) => {
          reads.push(`${(principal as ApiTokenPrincipal).company_id} ${String(params['id'])}`);
          return Promise.resolve();
        },
      },
    });
  });
  afterEach(() => service.close());

  const call = (method: 'get' | 'put' | 'patch', id: string) =>
    service.client[method](`/api/v2/ahead/${id}`).set('Authorization', 'Bearer token-a');

  it('is begun for whom the credential named before, and nothing is done until it is known that it still does', async () => {
    await call('get', 'first').expect(200);
    expect(reads).toEqual([]);
    let verified!: () => void;
    verifying = new Promise((resolve) => (verified = resolve));
    const answer = call('put', 'second').then(({ status }) => status);
    await new Promise((resolve) => service.application.getHttpServer().once('request', resolve));
    await new Promise(setImmediate);
    expect([reads, service.work.runs.length]).toEqual([['company-a second'], 1]);
    verified();
    expect(await answer).toBe(200);
    expect(service.work.runs).toHaveLength(2);
  });

  it('serves nobody whose credential was revoked, costs the company nothing then, and presumes that holder no longer', async () => {
    await call('put', 'first').expect(200);
    holder = undefined;
    const refused = await call('put', 'second').expect(401);
    expect([refused.headers['ratelimit'], refused.headers['ratelimit-policy']]).toEqual([
      undefined,
      undefined,
    ]);
    await call('get', 'third').expect(401);
    expect(reads).toEqual(['company-a second']);
    expect(service.work.runs).toHaveLength(1);
    holder = HOLDER;
    const { headers } = await call('put', 'fourth').expect(200);
    expect(headers['ratelimit']).toContain(`r=${LIMIT - 2};`);
  });

  it('is not begun on a route that only reads would not be refused on, for a token that may only read', async () => {
    holder = { ...HOLDER, scope: 'read' };
    await call('get', 'first').expect(200);
    await call('put', 'second').expect(403);
    expect(reads).toEqual([]);
    await call('get', 'third').expect(200);
    expect(reads).toEqual(['company-a third']);
  });

  it('does nothing beyond the quota, and counts each request once', async () => {
    for (let turn = 1; turn <= LIMIT; turn += 1) {
      const { headers } = await call('put', String(turn)).expect(200);
      expect(headers['ratelimit']).toContain(`r=${LIMIT - turn};`);
    }
    await call('put', 'beyond').expect(429);
    await call('put', 'beyond').set('Idempotency-Key', 'key').expect(429);
    expect(service.work.runs).toHaveLength(LIMIT);
  });

  it('changes nothing where a route reads nothing ahead', async () => {
    await call('patch', 'first').expect(200);
    await call('patch', 'second').expect(200);
    expect(reads).toEqual([]);
  });
});
