import type { Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { SecurityLog } from '#web/security-log.js';
import { GOOD_BODY, startTestApplication } from './support/test-application.js';
import type { TestApplication } from './support/test-application.js';
import { waitUntil } from '../support/wait-until.js';
import { invalid } from '../support/invalid.js';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ environment: { V1_SUNSET: '2027-06-30' } });
});
afterAll(() => app.close());
beforeEach(() => {
  app.logged.length = 0;
});

describe('every answer', () => {
  it.each(['/health', '/nothing', '/faults/bug', '/api/v2/things'])(
    '%s carries the common headers',
    async (path) => {
      const answer = await app.client.get(path);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['x-powered-by']).toBeUndefined();
      expect(answer.headers['etag']).toBeUndefined();
    },
  );

  it.each(['/health', '/docs', '/docs/assets/start.js', '/api/v2/openapi.json'])(
    'to HEAD %s has the headers of GET and no body',
    async (path) => {
      const plain = { 'Accept-Encoding': 'identity' };
      const got = await app.client.get(path).set(plain);
      const head = await app.client.head(path).set(plain);
      expect([head.status, head.headers['content-length'], head.text]).toEqual([
        200,
        got.headers['content-length'],
        undefined,
      ]);
      expect(head.headers['content-type']).toBe(got.headers['content-type']);
    },
  );

  it('repeats a sane request id and replaces any other', async () => {
    for (const [given, kept] of [
      ['order-77:a_b.c', true],
      ['x'.repeat(128), true],
      ['x'.repeat(129), false],
      ['a b', false],
      ['<script>', false],
    ] as const) {
      const answer = await app.client.get('/health').set('X-Request-Id', given);
      expect(answer.headers['x-request-id'] === given).toBe(kept);
    }
  });

  it('lets a route say how it may be cached', async () => {
    const answer = await app.client.get('/faults/page');
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.body).toEqual({ message: 'Request successful.' });
  });
});

describe('routes', () => {
  it('answers 404 for a path that does not exist', async () => {
    const answer = await app.client.get('/api/v2/nothing');
    expect([answer.status, answer.body]).toEqual([
      404,
      {
        ...{ code: 'not_found', message: 'Not found.' },
        hint: 'There is no such path. See all at /docs, or in /api/v2/openapi.json. Encode a / in a crm_unit_id as %2F.',
      },
    ]);
  });

  it('answers 405 with Allow for a known path, before any credential is asked for', async () => {
    const answer = await app.client.post('/api/v2/things/u1').send('{broken');
    expect([answer.status, answer.body]).toEqual([
      405,
      {
        ...{ code: 'method_not_allowed', message: 'Method not allowed.' },
        hint: 'This path takes DELETE, PUT.',
      },
    ]);
    expect(answer.headers['allow']).toBe('DELETE, PUT');
  });

  it('answers OPTIONS with 405 and the methods there are', async () => {
    const answer = await app.client.options('/api/v2/things');
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, PATCH']);
  });

  it('answers HEAD where there is GET', async () => {
    const answer = await app.client.head('/health');
    expect([answer.status, answer.text]).toEqual([200, undefined]);
    expect((await app.client.head('/api/v2/things')).status).toBe(401);
  });

  it('refuses an address that cannot be decoded', async () => {
    const answer = await app.client.get('/faults/units/%E0%A4%A');
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'invalid_request', message: 'Invalid request structure.' },
    ]);
    const elsewhere = await app.client.get('/nothing/%E0%A4%A');
    expect([elsewhere.status, elsewhere.body]).toMatchObject([
      404,
      { code: 'not_found', message: 'Not found.' },
    ]);
  });

  it('gives the route a percent-encoded identifier decoded', async () => {
    const id = 'A/1 #ü🙂';
    const answer = await app.put(undefined, GOOD_BODY, `/api/v2/things/${encodeURIComponent(id)}`);
    expect(answer.body.data.id).toBe(id);
  });
});

describe('authentication', () => {
  const OTHER = 'The token is unknown, has ended, or is for other routes. Send an API token of the company.';
  const UNREADABLE = 'The Authorization header is not "Bearer TOKEN".';

  it.each([
    ['nothing', undefined, 'Send the header "Authorization: Bearer TOKEN" with an API token of the company.'],
    ['an unknown token', 'Bearer token-z', OTHER],
    ['a tenant', 'Bearer tenant-t', OTHER],
    ['an operator', 'Bearer session-o', OTHER],
    ['another scheme', 'Basic token-a', UNREADABLE],
    ['two spaces', 'Bearer  token-a', UNREADABLE],
    ['no token', 'Bearer ', UNREADABLE],
    ['a token and more', 'Bearer token-a x', UNREADABLE],
    ['a very long token', `Bearer ${'x'.repeat(600)}`, UNREADABLE],
  ])('refuses %s, and says which credential is wanted', async (_what, header, hint) => {
    const call = app.client.get('/api/v2/things/whoami');
    const answer = await (header === undefined ? call : call.set('Authorization', header));
    expect([answer.status, answer.body]).toEqual([
      401,
      { code: 'unauthorized', message: 'Unauthorized.', hint },
    ]);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('takes the scheme in any case and tells the handler who calls', async () => {
    const answer = await app.client.get('/api/v2/things/whoami').set('Authorization', 'bEARER token-a');
    expect(answer.body.data).toMatchObject({
      request_id: answer.headers['x-request-id'],
      principal: { kind: 'api_token', id: 'token-id-a', company_id: 'company-a' },
      actor: { kind: 'api_token', id: 'token-id-a' },
      recovering: false,
    });
    expect(answer.body.data.command_id).toMatch(/^[0-9A-Z]{26}$/);
  });

  it('admits each kind that a route names', async () => {
    for (const [token, kind] of [
      ['token-a', 'api_token'],
      ['session-o', 'operator'],
    ]) {
      const answer = await app.client.get('/api/operator/policy').set('Authorization', `Bearer ${token}`);
      expect([answer.status, answer.body.data?.actor.kind]).toEqual([200, kind]);
    }
    expect(
      (await app.client.get('/api/operator/policy').set('Authorization', 'Bearer tenant-t')).status,
    ).toBe(401);
  });

  it('takes the operator cookie, from the same origin only and on operator routes only', async () => {
    const get = (path: string, site?: string) => {
      const call = app.client.get(path).set('Cookie', 'theme=dark; operator_session=session-o');
      return site === undefined ? call : call.set('Sec-Fetch-Site', site);
    };
    expect((await get('/api/operator/me')).status).toBe(200);
    expect((await get('/api/operator/me', 'same-origin')).status).toBe(200);
    expect((await get('/api/operator/me', 'same-site')).status).toBe(401);
    expect((await get('/api/operator/me', 'cross-site')).status).toBe(401);
    expect((await get('/api/v2/things')).status).toBe(401);
  });

  it('checks the origin when a browser over plain HTTP sends no other header about the site', async () => {
    const get = (origin: string) =>
      app.client
        .get('/api/operator/me')
        .set({ Cookie: 'operator_session=session-o', Host: 'units.example:3000', Origin: origin });
    expect((await get('http://units.example:3000')).status).toBe(200);
    for (const other of ['http://units.example:8080', 'http://other.units.example:3000', 'null']) {
      expect((await get(other)).status).toBe(401);
    }
  });

  it('comes before the body is read', async () => {
    const answer = await app.client
      .put('/api/v2/things/u1')
      .set('Content-Type', 'text/plain')
      .send('{broken');
    expect(answer.status).toBe(401);
  });
});

describe('bodies', () => {
  const echo = (body: string | Buffer, type = 'application/json') =>
    app.client
      .post('/faults/echo')
      .set('Content-Type', type)
      .serialize((sent: unknown) => sent as string)
      .send(body as string);

  it.each([
    ['{', 'The JSON ends too early, at line 1, column 2.'],
    ['{"a":1,}', 'The JSON is invalid at line 1, column 8.'],
    ['{} {}', 'The JSON is invalid at line 1, column 4.'],
    ['undefined', 'The JSON is invalid at line 1, column 1.'],
    ['{"a":"\u0001"}', 'The JSON is invalid at line 1, column 7.'],
    ['\ufeff{\n  "phone": +1312,\n}', 'The JSON is invalid at line 2, column 12.'],
  ])('answers 400 for %j, and names the place but not what stands there', async (body, hint) => {
    const answer = await echo(body);
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'malformed_json', message: 'Malformed JSON.', hint },
    ]);
  });

  it.each(['[]', '1', '"text"', 'null', 'true', '[{}]'])(
    'answers 400 for %j, which is no object',
    async (body) => {
      const answer = await echo(body);
      const hint = body.startsWith('[')
        ? 'Put the list into an object: a bulk is {"units": […]}.'
        : 'Send a JSON object.';
      expect([answer.status, answer.body]).toEqual([
        400,
        { code: 'invalid_request', message: 'Invalid request structure.', hint },
      ]);
    },
  );

  it('answers 400 for bytes that are no UTF-8', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]);
    const answer = await echo(bytes);
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: 'malformed_json', message: 'Malformed JSON.', hint: 'The body is not UTF-8.' },
    ]);
  });

  it('answers 422 with the required fields when there is no body', async () => {
    const answer = await app.client.post('/faults/echo');
    expect([answer.status, answer.body]).toEqual([
      422,
      invalid({
        pms_tenant_id: ['The pms tenant id field is required.'],
        move_in_date: ['The move in date field is required.'],
      }),
    ]);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
  ])('answers 415 for %s', async (type) => {
    const answer = await echo(JSON.stringify(GOOD_BODY), type);
    expect([answer.status, answer.body]).toEqual([
      415,
      {
        ...{ code: 'unsupported_media_type', message: 'Unsupported media type.' },
        hint: expect.stringContaining('`Content-Type: application/json`'),
      },
    ]);
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'takes %s',
    async (type) => {
      const answer = await echo(JSON.stringify(GOOD_BODY), type);
      expect([answer.status, answer.body.data]).toEqual([200, GOOD_BODY]);
    },
  );

  const sendPacked = (method: 'put' | 'post', path: string, body: Buffer, coding = 'gzip') =>
    app.client[method](path)
      .set('Authorization', 'Bearer token-a')
      .set('Content-Type', 'application/json')
      .set('Content-Encoding', coding)
      .serialize((sent: unknown) => sent as string)
      .send(body as unknown as string);
  const THING = '/api/v2/things/u1';
  const TOO_LARGE = { code: 'payload_too_large', message: 'Payload too large.' };

  it('answers 413 past 2 MB, with or without Content-Length, compressed or not', async () => {
    const large = JSON.stringify({ pms_tenant_id: 'x'.repeat(2 * 1024 * 1024) });
    const announced = await rawRequest(
      app.port,
      `PUT ${THING} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-a\r\nContent-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`,
    );
    expect(announced).toMatch(/^HTTP\/1\.1 413 .*\{"message":"Payload too large\."/s);
    const packed = await sendPacked('put', THING, gzipSync(large));
    expect([packed.status, packed.body]).toEqual([413, TOO_LARGE]);
  });

  it('may be compressed, but not by an unknown coding', async () => {
    const body = gzipSync(JSON.stringify(GOOD_BODY));
    expect((await sendPacked('put', THING, body)).body.message).toBe('Request successful.');
    expect((await sendPacked('put', THING, body, 'compress')).status).toBe(415);
    expect((await sendPacked('put', THING, body, 'br')).status).toBe(400);
  });

  it('may only be small and not compressed on a route without a credential', async () => {
    const sized = (length: number) =>
      JSON.stringify({ x: 'y'.repeat(length - JSON.stringify({ x: '' }).length) });
    expect((await echo(sized(8 * 1024))).status).toBe(422);
    const larger = await echo(sized(8 * 1024 + 1));
    expect([larger.status, larger.body]).toEqual([413, TOO_LARGE]);
    const packed = await sendPacked('post', '/faults/echo', gzipSync(JSON.stringify(GOOD_BODY)));
    expect(packed.status).toBe(415);
  });

  it('may only be small and not compressed on a route that reads none', async () => {
    const remove = (body: string | Buffer, coding?: string) =>
      app.client
        .delete(THING)
        .set({ Authorization: 'Bearer token-a', 'Content-Type': 'application/json' })
        .set(coding === undefined ? {} : { 'Content-Encoding': coding })
        .serialize((sent: unknown) => sent as string)
        .send(body as string);
    expect((await remove(gzipSync('{}'), 'gzip')).status).toBe(415);
    const larger = await remove(JSON.stringify({ x: 'y'.repeat(8 * 1024) }));
    expect([larger.status, larger.body]).toEqual([413, TOO_LARGE]);
  });

  it('treats __proto__ and the like as any unknown field', async () => {
    const answer = await echo(
      '{"__proto__":{"a":1},"constructor":1,"pms_tenant_id":"T","move_in_date":"2026-01-01"}',
    );
    expect(answer.status).toBe(422);
    const errors = new Map(Object.entries(answer.body.errors as object));
    expect(errors.get('__proto__')).toEqual(['The __proto__ field is not allowed.']);
    expect(errors.get('constructor')).toEqual(['The constructor field is not allowed.']);
  });

  it('takes 64 levels of nesting, and no more', async () => {
    const nested = (levels: number) => `{"x\\"[":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect((await echo(nested(64))).status).toBe(422);
    const deeper = await echo(nested(65));
    expect([deeper.status, deeper.body]).toEqual([
      400,
      { code: 'invalid_request', message: 'Invalid request structure.' },
    ]);
  });

  it('takes 50,000 values, and no more, whatever they are', async () => {
    const put = async (members: string) => {
      const packed = gzipSync(`{"pms_tenant_id":"T,[{1","x":[${members}]}`);
      return (await sendPacked('put', THING, packed)).status;
    };
    // The body, its two members and the first element of the list are four.
    const few = 50_000 - 3;
    expect(await put(Array(few).fill('1').join(','))).toBe(422);
    expect(
      await put(
        Array(few + 1)
          .fill('1')
          .join(','),
      ),
    ).toBe(400);
    expect(await put(Array(few).fill('[]').join(','))).toBe(400);
  });

  it('is not held up by 2 KB that unfold to a million nested arrays', async () => {
    const levels = 1_000_000;
    const bomb = gzipSync('['.repeat(levels) + ']'.repeat(levels));
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect((await sendPacked('put', THING, bomb)).status).toBe(400);
      expect((await sendPacked('put', THING, gzipSync('{"x":[[]]}'))).status).toBe(422);
      const texts = parse.mock.calls.map(([text]) => text);
      expect(texts).toContain('{"x":[[]]}');
      // Parsed, it stops everything for more than a second.
      expect(texts.filter((text) => text.length >= levels)).toEqual([]);
    } finally {
      parse.mockRestore();
    }
  });

  it('with fields are refused on a route that reads none', async () => {
    const answer = await app.client
      .get('/api/v2/things')
      .set('Authorization', 'Bearer token-a')
      .send({ dry_run: true });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { dry_run: ['The dry run field is not allowed.'] },
    ]);
  });

  it('logs no fault when a client leaves before its body is complete', async () => {
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      'POST /faults/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"',
    );
    await waitUntil(() => socket.bytesWritten > 0);
    await waitUntil(
      () => openConnections(app),
      (open) => open > 0,
    );
    socket.destroy();
    await waitUntil(
      () => openConnections(app),
      (open) => open === 0,
    );
    expect(app.logged).toEqual([]);
  });
});

describe('faults', () => {
  it('are answered without details and logged with the request id', async () => {
    const answer = await app.client.get('/faults/bug').set('X-Request-Id', 'trace-1');
    expect([answer.status, answer.body]).toEqual([500, { code: 'server_error', message: 'Server error.' }]);
    expect(app.logged).toEqual([
      {
        level: 'error',
        message: 'A request failed.',
        details: expect.objectContaining({ request_id: 'trace-1' }),
      },
    ]);
  });

  it('in answering another fault are answered without details, too', async () => {
    const bug = jest.spyOn(app.application.get(SecurityLog), 'refused').mockImplementationOnce(() => {
      throw new URIError('within');
    });
    const answer = await app.client.get('/nothing');
    bug.mockRestore();
    expect([answer.status, answer.body]).toEqual([500, { code: 'server_error', message: 'Server error.' }]);
    expect(app.logged.map(({ level, message }) => [level, message])).toEqual([
      ['error', 'A request failed.'],
    ]);
  });

  it('that cannot be answered end the connection and not the service', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', hear);
    const fail = () => {
      throw new Error('within');
    };
    const bug = jest.spyOn(app.application.get(SecurityLog), 'refused').mockImplementationOnce(fail);
    const log = jest.spyOn(app.application.get<Logger>(LOGGER), 'error').mockImplementationOnce(fail);
    await expect(app.client.get('/nothing')).rejects.toMatchObject({ code: 'ECONNRESET' });
    bug.mockRestore();
    log.mockRestore();
    process.off('unhandledRejection', hear);
    expect(unheard).toEqual([]);
    expect((await app.client.get('/health')).status).toBe(200);
  });

  it('do not include an operation that is still to be built: it answers 501 and is not logged', async () => {
    const answer = await app.client.get('/faults/later').set('Authorization', 'Bearer token-a');
    expect([answer.status, answer.body.code]).toEqual([501, 'not_implemented']);
    expect(app.logged).toEqual([]);
  });

  it('answers 503 with Retry-After while a store cannot be reached', async () => {
    const answer = await app.client.get('/faults/store');
    expect([answer.status, answer.body]).toEqual([
      503,
      { code: 'store_unavailable', message: 'Service unavailable.' },
    ]);
    expect(answer.headers['retry-after']).toBe('1');
  });

  it('answers 422 for a cursor of another list', async () => {
    const answer = await app.client.get('/faults/cursor');
    expect([answer.status, answer.body]).toEqual([
      422,
      invalid({ cursor: ['The cursor field is invalid.'] }),
    ]);
  });

  it('leaves out `errors` when there is only a message', async () => {
    const answer = await app.client.get('/faults/phone');
    expect([answer.status, answer.body]).toEqual([
      422,
      { code: 'phone_unknown', message: 'A tenant with the submitted phone number does not exist.' },
    ]);
  });
});

describe('query parameters', () => {
  const list = (query: string) =>
    app.client.get(`/api/v2/things?${query}`).set('Authorization', 'Bearer token-a');

  it('are read as what they are declared to be', async () => {
    expect((await list('limit=20&dry_run=true&cursor=abc')).body.data).toEqual({
      limit: 20,
      dry_run: true,
      cursor: 'abc',
    });
    expect((await list('')).body.data).toEqual({});
  });

  it.each([
    ['limit=0', 'limit', 'The limit field must be between 1 and 500.'],
    ['limit=501', 'limit', 'The limit field must be between 1 and 500.'],
    ['limit=', 'limit', 'The limit field must be a whole number.'],
    ['limit=1.5', 'limit', 'The limit field must be a whole number.'],
    ['limit=0x10', 'limit', 'The limit field must be a whole number.'],
    ['limit=1e2', 'limit', 'The limit field must be a whole number.'],
    ['limit=1&limit=2', 'limit', 'The limit field must be given only once.'],
    ['dry_run=yes', 'dry_run', 'The dry run field must be true or false.'],
    ['dry_run=', 'dry_run', 'The dry run field must be true or false.'],
    ['limmit=1', 'limmit', 'The limmit field is not allowed.'],
    ['limit[a]=1', 'limit[a]', 'The limit[a] field is not allowed.'],
    ['__proto__=1', '__proto__', 'The __proto__ field is not allowed.'],
  ])('%s is refused', async (query, field, message) => {
    const answer = await list(query);
    expect(answer.status).toBe(422);
    expect(new Map(Object.entries(answer.body.errors as object))).toEqual(new Map([[field, [message]]]));
  });
});

describe('versions', () => {
  it.each([
    ['/api/v1/pms/units/u1', '/api/v2/units/u1'],
    ['/api/things/page?x=1', '/api/v2/things/page'],
    ['/api/v1/health', '/api/v2/health'],
    ['/api/health', '/api/v2/health'],
    ['/api/v1/pms/units/sync', '/api/v2/units'],
    ['/API/V1/health', '/api/v2/health'],
  ])('%s names its successor %s', async (path, successor) => {
    const { headers } = await app.client.get(path);
    expect(headers['deprecation']).toMatch(/^@\d+$/);
    expect(headers['link']).toBe(`<${successor}>; rel="successor-version"`);
    expect(headers['sunset']).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
  });

  it.each(['/api/v2/health', '/health', '/api/operator/me', '/apian'])(
    '%s is not deprecated',
    async (path) => {
      const { headers } = await app.client.get(path);
      expect([headers['deprecation'], headers['link'], headers['sunset']]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );
});

function openConnections({ application }: TestApplication): Promise<number> {
  return new Promise((resolve) =>
    (application.getHttpServer() as Server).getConnections((_error, open) => resolve(open)),
  );
}

/** Sends bytes and collects everything that comes back until the server closes. */
function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('end', () => resolve(received));
    socket.on('error', reject);
  });
}
