import { join } from 'node:path';
import { type Child, startChildUnder } from '../support/child-process.js';
import { startCommand } from '../support/command-process.js';
import { inOwnNamespace, numberUnder } from '../support/own-namespace.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const READER = join(__dirname, '..', 'storage', 'embedded-reader.child.ts');

let data: TemporaryFolder;
let service: ServiceProcess | undefined;
let reader: Child | undefined;

beforeAll(async () => {
  data = await temporaryFolder();
});
afterAll(async () => {
  await service?.kill();
  await reader?.kill();
  await data.remove();
});

const reading = (under: readonly string[]) => startChildUnder(under, READER, join(data.path, 'store'));

inOwnNamespace('a command in a second container reads beside the service', async (under) => {
  service = await ServiceProcess.start(data.path, { under });
  const verify = await startCommand(['audit', 'verify'], { DATA_DIR: data.path }, under);
  expect(await verify.ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok/) });
});

inOwnNamespace('a reader with the number of the service is told to go into its container', async (under) => {
  reader = reading(under);
  expect(await reader.line('failed')).toMatch(/has the same number \(1\)\. .*docker exec/);
  process.kill(await numberUnder(service!.pid), 'SIGTERM');
  expect(await service!.ended).toBe(0);
});

inOwnNamespace('a service starts after a reader with its number was killed', async (under) => {
  reader = reading(under);
  await reader.line('refused');
  const beside = await ServiceProcess.spawn(data.path, { under });
  expect([await beside.ended, beside.errors]).toEqual([
    1,
    [expect.stringMatching(/^.*The service did not start: .* has the same number \(1\)/)],
  ]);
  await reader.kill();
  service = await ServiceProcess.start(data.path, { under });
  expect((await service.client.call('get', '/health')).status).toBe(200);
});
