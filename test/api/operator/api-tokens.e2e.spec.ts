import { hashOf } from '#kernel/credential-hash.js';
import request from 'supertest';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { resultsAtOnce } from '../../support/barrier.js';
import { ApiTokens } from '#domain/companies/index.js';
import { companyStream } from '#domain/companies/core/company.events.js';
import { startOperatorService, type OperatorService } from './operator-service.js';

let service: OperatorService;
let path: string;
let company_id: string;
beforeAll(async () => {
  service = await startOperatorService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const company = await service.call('post', '/companies', { name: 'Ada Storage' });
  company_id = company.body.data.company_id as string;
  path = `/companies/${company_id}/api-tokens`;
});

async function issue(name = 'production'): Promise<{ token_id: string; token: string }> {
  const answer = await service.call('post', path, { name });
  expect(answer.status).toBe(201);
  return answer.body.data as { token_id: string; token: string };
}

/** So many milliseconds from now. */
const at = (offset = 0) => new Date(service.clock.now() + offset).toISOString();
const verify = (token: string) => service.application.get(ApiTokens).verify(token);

describe('an API token', () => {
  it('is shown once and known by its hash', async () => {
    const issued = await issue();
    expect(issued).toEqual({
      token_id: expect.stringMatching(/^\w{26}$/),
      name: 'production',
      scope: 'write',
      token: expect.stringMatching(/^sat_[\w-]{43}$/),
      created_at: at(),
      expires_at: null,
    });
    const listed = await service.call('get', path);
    expect(listed.body.data).toEqual({
      api_tokens: [
        {
          token_id: issued.token_id,
          name: 'production',
          scope: 'write',
          created_at: at(),
          expires_at: null,
          revoked_at: null,
          last_used_at: null,
          last_rejected_bulk: null,
        },
      ],
    });
    const events = await service.events.readStream(companyStream(company_id));
    expect(JSON.stringify(events.map(({ data, metadata }) => [data, metadata]))).not.toContain(issued.token);
    expect(await verify(issued.token)).toEqual({
      kind: 'api_token',
      id: issued.token_id,
      company_id,
      scope: 'write',
    });
    for (const wrong of [`${issued.token}x`, 'sat_', '', service.token])
      expect(await verify(wrong)).toBeUndefined();
  });

  it('that others keep changing answers a revocation 503, to be sent again', async () => {
    const { token_id } = await issue();
    const { records } = service;
    const write = records.write.bind(records);
    const overtaken = jest.spyOn(records, 'write').mockImplementation((writes) => {
      const isToken = writes.some((one) => one.kind === 'compare_and_set' && one.collection === 'api_tokens');
      return isToken ? Promise.resolve([{ kind: 'version_conflict' }]) : write(writes);
    });
    const refused = await service.call('delete', `${path}/${token_id}`);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    overtaken.mockRestore();
    expect((await service.call('delete', `${path}/${token_id}`)).status).toBe(200);
  });

  it('is listed although a note about another company’s token is still being written', async () => {
    const { token_id: id } = await issue();
    const { records } = service;
    const write = records.write.bind(records);
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const writing = jest.spyOn(records, 'write').mockImplementation(async (writes) => {
      if (writes.some(({ collection }) => collection === 'api_tokens')) await held;
      return write(writes);
    });
    const tokens = service.application.get(ApiTokens);
    const rejected = { total: 1, error_count: 1, refused: false, reasons: [] };
    tokens.noteRejected({ id, company_id }, rejected, () => Promise.resolve([]));
    expect(await tokens.list('another company')).toEqual([]);
    let isListed = false;
    const own = tokens.list(company_id).finally(() => (isListed = true));
    await tokens.list('another company');
    expect(isListed).toBe(false);
    goOn();
    expect(await own).toMatchObject([{ last_rejected_bulk: { total: 1 } }]);
    writing.mockRestore();
  });

  it('whose making was cut off behind its event is listed, can be revoked, and is no other', async () => {
    const whole = await issue('whole');
    const { records, clock } = service;
    const write = records.write.bind(records);
    const cutOff = jest.spyOn(records, 'write').mockImplementation((writes) => {
      const isToken = writes.some(({ kind, collection }) => kind === 'insert' && collection === 'api_tokens');
      return isToken ? Promise.reject(new StoreUnavailableError('Cut off.', true)) : write(writes);
    });
    const expires_at = at(60_000);
    const made = at();
    const refused = await service.call('post', path, { name: 'cut off', scope: 'read', expires_at });
    expect(refused.status).toBe(503);
    cutOff.mockRestore();
    clock.advance(1_000);
    const listed = async () =>
      (await service.call('get', path)).body.data.api_tokens as { token_id: string; revoked_at: string }[];
    const [first, second, ...more] = await listed();
    expect([first!.token_id, more]).toEqual([whole.token_id, []]);
    expect(second).toEqual({
      token_id: expect.stringMatching(/^\w{26}$/),
      name: 'cut off',
      scope: 'read',
      created_at: made,
      expires_at,
      revoked_at: null,
      last_used_at: null,
      last_rejected_bulk: null,
    });
    const revoke = async ({ token_id }: { token_id: string }) =>
      expect((await service.call('delete', `${path}/${token_id}`)).status).toBe(200);
    await revoke(second!);
    expect((await listed()).map(({ revoked_at }) => revoked_at)).toEqual([null, at()]);
    expect(await verify(whole.token)).toMatchObject({ id: whole.token_id });
    await revoke(first!);
    expect((await listed()).map(({ revoked_at }) => revoked_at)).toEqual([at(), at()]);
  });

  it.each(['before', 'while'])('that is revoked %s its record is written opens nothing', async (when) => {
    const { records, events } = service;
    const [write, append] = [records.write.bind(records), events.append.bind(events)];
    const revoking = async () => {
      const { api_tokens } = (await service.call('get', path)).body.data;
      return service.call('delete', `${path}/${api_tokens[0].token_id}`);
    };
    let revoked: Promise<{ status: number }> | undefined;
    let appends = 0;
    let isIssued: () => void = () => undefined;
    let isAppending: () => void = () => undefined;
    const issued = new Promise<void>((resolve) => (isIssued = resolve));
    const appending = new Promise<void>((resolve) => (isAppending = resolve));
    jest.spyOn(events, 'append').mockImplementation(async (appended) => {
      appends += 1;
      if (appends === 2 && when === 'while') {
        isAppending();
        await issued;
      }
      return append(appended);
    });
    jest.spyOn(records, 'write').mockImplementation(async (writes) => {
      const isToken = writes.some(({ kind, collection }) => kind === 'insert' && collection === 'api_tokens');
      if (isToken) {
        revoked = revoking();
        await (when === 'while' ? appending : revoked);
      }
      return write(writes);
    });
    const { token } = await issue();
    isIssued();
    expect((await revoked!).status).toBe(200);
    jest.restoreAllMocks();
    expect(await verify(token)).toBeUndefined();
    expect((await service.call('get', path)).body.data.api_tokens[0].revoked_at).toBe(at());
  });

  it('opens no door of the operator API', async () => {
    const { token } = await issue();
    const answer = await request(service.server)
      .get('/api/operator/companies')
      .set('Authorization', `Bearer ${token}`);
    expect(answer.status).toBe(401);
  });

  it('remembers its last use, at once the first time and then to the minute', async () => {
    const { token } = await issue();
    const lastUse = async () =>
      (await service.call('get', path)).body.data.api_tokens[0].last_used_at as string;
    service.clock.advance(1_000);
    const first = at();
    await verify(token);
    expect(await lastUse()).toBe(first);
    service.clock.advance(59_999);
    await verify(token);
    expect(await lastUse()).toBe(first);
    service.clock.advance(1);
    await verify(token);
    expect(await lastUse()).toBe(at());
  });

  it('is refused as soon as it is revoked, and stays so whatever uses are noted at that moment', async () => {
    const [kept, lost] = [await issue('kept'), await issue('lost')];
    const uses = Array.from({ length: 20 }, () => () => verify(lost.token));
    const revoke = async () => (await service.call('delete', `${path}/${lost.token_id}`)).body as unknown;
    const outcomes = await resultsAtOnce([...uses, revoke, ...uses]);
    const revoked_at = at();
    expect(outcomes[20]).toEqual({ message: 'Request successful.' });
    expect(await verify(lost.token)).toBeUndefined();
    service.clock.advance(120_000);
    expect(await verify(lost.token)).toBeUndefined();
    expect(await verify(kept.token)).toBeDefined();
    const listed = await service.call('get', path);
    expect(listed.body.data.api_tokens).toMatchObject([
      { name: 'kept', revoked_at: null },
      { name: 'lost', revoked_at },
    ]);
  });

  it('that is unknown, revoked already or of another company is not found', async () => {
    const { token_id, token } = await issue();
    const other = await service.call('post', '/companies', { name: 'Other' });
    const elsewhere = `/companies/${other.body.data.company_id}/api-tokens/${token_id}`;
    const refused = [
      await service.call('delete', elsewhere),
      await service.call('delete', `${path}/nothing`),
    ];
    expect(await verify(token)).toBeDefined();
    await service.call('delete', `${path}/${token_id}`);
    refused.push(await service.call('delete', `${path}/${token_id}`));
    for (const answer of refused) {
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ code: 'api_token_not_found', message: 'API token not found.' });
    }
  });

  it('ends at the instant that it was made for', async () => {
    const HALF_AN_HOUR = 1_800_000;
    const expires_at = at(HALF_AN_HOUR);
    const answer = await service.call('post', path, { name: 'for half an hour', scope: 'read', expires_at });
    expect(answer.body.data).toMatchObject({ scope: 'read', expires_at });
    const { token } = answer.body.data as { token: string };
    service.clock.advance(HALF_AN_HOUR - 1);
    expect(await verify(token)).toMatchObject({ scope: 'read' });
    service.clock.advance(1);
    expect(await verify(token)).toBeUndefined();
  });

  it('is not made for the past, nor for anything but reading and writing', async () => {
    const refused = async (body: object) =>
      (await service.call('post', path, { name: 'x', ...body })).body.errors;
    const past = { expires_at: at() };
    expect(await refused(past)).toEqual({ expires_at: ['The expires at field must be in the future.'] });
    expect(await refused({ scope: 'admin' })).toEqual({
      scope: ['The scope field must be one of write, read.'],
    });
  });

  it('leaves who issued and revoked it in the log', async () => {
    const { token, token_id } = await issue();
    await service.call('delete', `${path}/${token_id}`);
    const credential_sha256 = hashOf(hashOf(token));
    const events = await service.events.readStream(companyStream(company_id));
    expect(events.slice(1).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'ApiTokenIssued',
        data: { token_id, name: 'production', scope: 'write', expires_at: null, credential_sha256 },
      },
      { type: 'ApiTokenRevoked', data: { token_id } },
    ]);
    for (const { metadata } of events) {
      expect(metadata['actor']).toEqual({ kind: 'operator', id: expect.stringMatching(/^\w{26}$/) });
    }
  });
});
