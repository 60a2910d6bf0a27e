import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { upTo } from '../../support/campaign.js';
import { startCommand } from '../../support/command-process.js';
import type { HttpClient, Parsed } from '../../support/http-client.js';
import { OPERATOR, ServiceProcess, setUpCompany } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { startLoad } from './load.js';

const BULK = upTo(20, 500);
const UNITS = 3 * BULK;

let folder: TemporaryFolder;
let service: ServiceProcess;
let client: HttpClient;
let token: string;
let operatorToken: string | undefined;

beforeAll(async () => {
  folder = await temporaryFolder();
  await start();
  ({ token } = await setUpCompany(service));
  for (let first = 0; first < UNITS; first += BULK) {
    const units = Array.from({ length: BULK }, (_, place) => ({
      crm_unit_id: `U-${first + place}`,
      pms_location_code: 'A',
      occupied: true,
      pms_tenant_id: `t-${(first + place) % 400}`,
      move_in_date: '2025-12-01',
      balance_due: (first + place) % 7,
    }));
    const { text, body } = await client.call('patch', '/api/v2/units', { token, body: { units } });
    if (body.data?.created !== BULK) throw new Error(text);
  }
});
afterAll(async () => {
  await service.end('SIGKILL');
  await folder.remove();
});

async function start(): Promise<void> {
  service = await ServiceProcess.start(folder.path, { environment: { RATE_LIMIT_OPERATORS: '1000000' } });
  client = service.client;
}

/** Every unit as it is listed. */
async function listed(): Promise<Parsed[]> {
  const units: Parsed[] = [];
  for (let cursor = ''; ;) {
    const { data } = (await client.call('get', `/api/v2/units?limit=500${cursor}`, { token })).body;
    units.push(...data.units);
    if (data.next_cursor === null) return units;
    cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
}

/** Signs in once: sign-ins and requests of an operator are limited. */
async function operator(method: 'get' | 'post'): Promise<Parsed> {
  operatorToken ??= (await client.call('post', '/api/operator/sessions', { body: OPERATOR })).body.data
    .token as string;
  const answer = await client.call(method, '/api/operator/views/rebuild', { token: operatorToken });
  return answer.body.data;
}

const rebuild = async () => {
  await operator('post');
  return waitUntil(
    () => operator('get'),
    ({ state }) => state === 'done' || state === 'failed',
  );
};

describe('a rebuild beside a running service', () => {
  it('ends under load, and no read goes back or misses an acknowledged write', async () => {
    const load = await startLoad(client, token, 6);
    for (let turn = 1; turn <= upTo(1, 3); turn += 1) {
      const [writes, reads] = [load.writes, load.reads];
      expect(await rebuild()).toMatchObject({ state: 'done' });
      expect([load.writes > writes, load.reads > reads]).toEqual([true, true]);
    }
    await load.stop();
    const before = await listed();
    expect(await rebuild()).toMatchObject({ state: 'done' });
    expect(await listed()).toEqual(before);
  });

  it('is begun again by the next start after the service was killed, and all units answer as before', async () => {
    const before = await listed();
    for (let turn = 1; turn <= upTo(1, 5); turn += 1) {
      await operator('post');
      await service.end('SIGKILL');
      await start();
      expect(await listed()).toEqual(before);
      expect(
        await waitUntil(
          () => operator('get'),
          ({ state }) => state === 'done',
        ),
      ).toBeDefined();
      expect(await listed()).toEqual(before);
    }
  });

  it('of a first fill that was killed is completed by the next start before it serves', async () => {
    const before = await listed();
    await service.end('SIGTERM');
    for (let turn = 1; turn <= upTo(2, 10); turn += 1) {
      await rm(join(folder.path, 'views'), { recursive: true });
      const cut = await ServiceProcess.spawn(folder.path);
      await waitUntil(() => cut.lines.length > 0 || cut.hasEnded);
      await cut.end('SIGKILL');
      await start();
      expect(await listed()).toEqual(before);
      await service.end('SIGTERM');
    }
    const command = await startCommand(['views', 'rebuild'], { DATA_DIR: folder.path });
    expect(await command.ended).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: the views hold \d+ events\n$/),
      stderr: expect.stringMatching(/^(applied [1-9]\d*.*\n)*$/),
    });
    await start();
    expect(await listed()).toEqual(before);
  });
});
