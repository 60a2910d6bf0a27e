import { hashOf } from '#kernel/credential-hash.js';
import { ApiTokens } from '#domain/companies/index.js';
import { credentialFaults, type OperatorRecord, Operators, Passwords } from '#domain/operators/index.js';
import { withTimePassing } from '../../support/counter-world.js';
import { type OperatorService, startOperatorService } from './operator-service.js';

let service: OperatorService;
let bob: string;
let company_id: string;
let token_id: string;
beforeEach(async () => {
  service = await startOperatorService();
  const body = { email: 'bob@example.com', password: 'bob has a password of his', role: 'manager' };
  bob = (await service.call('post', '/operators', body)).body.data.operator_id;
  company_id = (await service.call('post', '/companies', { name: 'A' })).body.data.company_id;
  token_id = (await service.call('post', `/companies/${company_id}/api-tokens`, { name: 't' })).body.data
    .token_id;
});
afterEach(() => service.stop());

const operators = () => service.application.get(Operators);
const faults = () => {
  const ports = { records: service.records, log: service.events };
  return withTimePassing(service.clock, credentialFaults(ports, service.clock));
};
/** Replaces Bob's record, as whoever can write to the store would. */
async function tamper(change: Partial<OperatorRecord>): Promise<void> {
  const record = (await operators().byId(bob))!;
  await operators().replace(record, { ...record, ...change });
}
async function plantToken(change: object): Promise<void> {
  const [known] = await service.application.get(ApiTokens).list(company_id);
  const document = { ...known!, _id: hashOf('sat_planted'), ...change };
  await service.records.write([{ kind: 'put', collection: 'api_tokens', document }]);
}
const factor = { sealed_secret: 'sealed', last_step: 0, recovery_hashes: [] };

describe('the records of operators and API tokens', () => {
  it('are what the log says, also after every kind of change', async () => {
    const path = `/operators/${bob}`;
    for (const change of [{ password: 'another password of his' }, { role: 'admin' }, { disabled: true }])
      expect((await service.call('patch', path, change)).status).toBe(200);
    const tokens = `/companies/${company_id}/api-tokens`;
    expect((await service.call('delete', `${tokens}/${token_id}`)).status).toBe(200);
    expect((await service.call('post', tokens, { name: 'r', scope: 'read' })).status).toBe(201);
    expect(await faults()).toEqual([]);
  });

  it('may be one change behind, which was cut off, and not two', async () => {
    const before = (await operators().byId(bob))!;
    const password_hash = await service.application.get(Passwords).hash('another password of his');
    await service.call('patch', `/operators/${bob}`, { role: 'admin' });
    await tamper(before);
    expect(await faults()).toEqual([]);
    await tamper({ password_hash });
    expect(await faults()).toHaveLength(1);
    await service.call('patch', `/operators/${bob}`, { password: 'a third password of his' });
    await tamper(before);
    expect(await faults()).toEqual([
      expect.stringContaining(`Operator ${bob} differs from the log (password)`),
    ]);
  });

  it.each<[string, string, () => Promise<void>]>([
    [
      'another password',
      'differs from the log (password)',
      () => tamper({ password_hash: 'known to a thief' }),
    ],
    ['more rights', 'differs from the log (role)', () => tamper({ role: 'admin' })],
    [
      'a second factor of a thief',
      'differs from the log (second factor)',
      () => tamper({ second_factor: factor }),
    ],
    [
      'an operator who was removed',
      'was removed, and is there again',
      async () => {
        const record = (await operators().byId(bob))!;
        await service.call('delete', `/operators/${bob}`);
        await operators().insert(record);
      },
    ],
    [
      'a token that was revoked',
      'was revoked, but works again',
      async () => {
        const [known] = await service.application.get(ApiTokens).list(company_id);
        await service.call('delete', `/companies/${company_id}/api-tokens/${token_id}`);
        await plantToken(known!);
      },
    ],
    ['a token of no event', 'is in no event of the log', () => plantToken({ token_id: 'planted' })],
    ['a token with another value', 'has another value than the log says', () => plantToken({})],
    [
      'a token that does more',
      'may do more or less than the log says',
      async () => {
        const [known] = await service.application.get(ApiTokens).list(company_id);
        await plantToken({ ...known, expires_at: 1 });
      },
    ],
  ])('tell of %s', async (_, fault, plant) => {
    await plant();
    expect(await faults()).toEqual([expect.stringContaining(fault)]);
  });
});
