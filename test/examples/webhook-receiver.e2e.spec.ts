import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { CompanyInProcess } from '../domain/webhooks/support/company-in-process.js';
import { HttpClient } from '../support/http-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { freePort } from '../support/free-port.js';
import { waitUntil } from '../support/wait-until.js';

const ROOT = join(__dirname, '..', '..');
const RECEIVER = join(ROOT, 'examples', 'webhook-receiver', 'receiver.mjs');

let folder: TemporaryFolder;
let service: ServiceProcess;
let company: CompanyInProcess;

/** The example as somebody has it who copied it, with the packages beside it that it names. */
async function install(project: string): Promise<void> {
  const client = join(project, 'node_modules', 'storage-access-client');
  await mkdir(client, { recursive: true });
  await promisify(execFile)(process.execPath, ['scripts/browser-client.mjs', join(client, 'browser')], {
    cwd: ROOT,
  });
  await copyFile(join(ROOT, 'packages', 'client', 'package.json'), join(client, 'package.json'));
  await symlink(join(ROOT, 'node_modules', 'express'), join(project, 'node_modules', 'express'));
  await copyFile(RECEIVER, join(project, 'receiver.mjs'));
}

/** Runs the example. The package's ES modules are those for a browser, which need no compiler. */
function startReceiver(port: number, secret: string) {
  const child = spawn(process.execPath, ['--conditions=browser', 'receiver.mjs'], {
    cwd: join(folder.path, 'project'),
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { lines, kill: () => child.kill('SIGKILL') };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await install(join(folder.path, 'project'));
  const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  service = await ServiceProcess.start(join(folder.path, 'data'), { environment });
  company = await CompanyInProcess.create(service);
});
afterAll(async () => {
  await service.kill();
  await folder.remove();
});

test('the example receiver takes a message of a running service, and each once', async () => {
  const port = await freePort();
  const { webhook_id, secret } = await company.addWebhook(`http://127.0.0.1:${port}/hooks`, [
    'TenantMovedIn',
  ]);
  const receiver = startReceiver(port, secret);
  try {
    await waitUntil(() => receiver.lines.length === 1);
    await company.moveIn('A-1');
    await waitUntil(() => receiver.lines.length === 2);
    expect(JSON.parse(receiver.lines[1]!)).toMatchObject({
      type: 'TenantMovedIn',
      position: expect.stringMatching(/^\d+$/),
      subject: { kind: 'unit', crm_unit_id: 'A-1' },
    });
    const stateOf = async () =>
      (await company.operate(200, 'get', `/${webhook_id}/deliveries`)).deliveries[0];
    const delivered = await waitUntil(stateOf, ({ state }) => state === 'delivered');
    expect(delivered.attempts).toMatchObject([{ status: 204 }]);
    await company.operate(202, 'post', `/${webhook_id}/deliveries/${delivered.delivery_id}/resend`);
    await waitUntil(stateOf, ({ state, attempts }) => state === 'delivered' && attempts.length === 2);
    expect(receiver.lines).toHaveLength(2);
  } finally {
    receiver.kill();
  }
});

test('the example receiver refuses a message that nobody signed', async () => {
  const port = await freePort();
  const receiver = startReceiver(port, `whsec_${Buffer.alloc(32).toString('base64')}`);
  const client = new HttpClient(port);
  try {
    await waitUntil(() => receiver.lines.length === 1);
    const answer = await client.call('post', '/hooks', { body: { type: 'TenantMovedIn', data: {} } });
    expect([answer.status, answer.body]).toEqual([401, { error: 'missing_header' }]);
    expect(receiver.lines).toHaveLength(1);
  } finally {
    receiver.kill();
    client.close();
  }
});
