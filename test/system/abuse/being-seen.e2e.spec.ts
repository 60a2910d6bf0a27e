import { OPERATOR, ServiceProcess, setUpCompany } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

type Line = Readonly<Record<string, unknown>>;
const linesOf = ({ lines }: ServiceProcess) => lines.map((line) => JSON.parse(line) as Line);
const securityOf = (service: ServiceProcess) =>
  linesOf(service).filter(({ security }) => security !== undefined);

/** Secrets that no line may hold: person, address, credential. */
const SECRETS = [OPERATOR.email, OPERATOR.password, 'mallory', '5551234567', '127.0.0.1', 'stolen', 'A-101'];

/** Who the first process refused a sign-in, as its log names them. */
let refused: Line | undefined;
const refusedBy = (service: ServiceProcess) =>
  securityOf(service).find(({ security }) => security === 'sign_in_failed');

describe('a process that writes to no terminal', () => {
  it('tells of its start, of attempts against it and of its stop in JSON, and of nobody by name', async () => {
    const service = await ServiceProcess.start(folder.path, { environment: { ACCESS_LOG: 'true' } });
    const { client } = service;
    const { token } = await setUpCompany(service);
    const wrong = { email: 'Mallory@example.com', password: 'a wrong password' };
    await client.call('post', '/api/operator/sessions', { body: wrong });
    await client.call('get', '/api/v2/units/A-101', { token: 'stolen' });
    // Nothing was given that could be refused.
    await client.call('get', '/dashboard');
    await client.call('get', '/api/v2/units/A-101');
    await client.call('get', '/dashboard', { headers: { Cookie: 'operator_session=stolen' } });
    const phone = { country_code: '1', phone_number: '5551234567' };
    await client.call('post', '/api/v2/auth/phone', { body: phone });
    const headers = { 'X-Request-Id': 'seen-1' };
    await client.call('get', '/api/v2/units/A-101', { token, headers });
    await client.call('get', '/health');
    await client.call('get', '/api/v2/health/ready');
    const ended = service.stop();
    await waitUntil(() => service.lines.some((line) => line.includes('"stopping"')));
    // A second signal neither kills the drain nor begins another.
    process.kill(service.pid, 'SIGINT');
    expect(await ended).toBe(0);
    expect(service.errors).toEqual([]);
    refused = refusedBy(service);

    const hash = expect.stringMatching(/^[0-9a-f]{16}$/);
    const refusal = { level: 40, subject: hash, address: hash, request_id: expect.any(String) };
    expect(securityOf(service)).toMatchObject([
      { level: 30, security: 'started', port: client.port, service: 'storage-access' },
      { ...refusal, security: 'sign_in_failed', status: 401, route: '/api/operator/sessions' },
      { ...refusal, security: 'unauthorized', status: 401, route: '/api/v2/units/:crm_unit_id' },
      { ...refusal, security: 'unauthorized', status: 401, route: '/dashboard' },
      { ...refusal, security: 'phone_unknown', status: 422 },
      { level: 30, security: 'stopping', signal: 'SIGTERM' },
      { level: 30, security: 'stopped' },
    ]);
    const accesses = linesOf(service).filter(({ request_id }) => request_id === 'seen-1');
    expect(accesses).toMatchObject([
      {
        level: 30,
        method: 'GET',
        route: '/api/v2/units/:crm_unit_id',
        status: 404,
        milliseconds: expect.any(Number),
        caller: expect.stringMatching(/^api_token:\w{26}$/),
      },
    ]);
    expect(linesOf(service).filter(({ route }) => String(route).includes('/health'))).toEqual([]);
    const text = service.lines.join('\n');
    expect(SECRETS.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
    expect(text).not.toContain(token);
  });

  it('names the same one alike at every start, and leaves no line of requests where it is told not to', async () => {
    const service = await ServiceProcess.start(folder.path);
    const body = { email: ' MALLORY@example.com', password: 'wrong' };
    await service.client.call('post', '/api/operator/sessions', { body });
    await service.stop();
    const { subject, address } = refused!;
    expect(refusedBy(service)).toMatchObject({ subject, address });
    expect(linesOf(service).filter(({ msg }) => msg === 'request')).toEqual([]);
  });
});
