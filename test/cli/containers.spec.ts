import { join } from 'node:path';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { type Child, startChildUnder } from '../support/child-process.js';
import { startCommand } from '../support/command-process.js';
import { inOwnNamespace } from '../support/own-namespace.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

const READER = join(__dirname, '..', 'stores', 'embedded', 'database', 'embedded-reader.child.ts');

let served: TemporaryFolder;
let read: TemporaryFolder;
const services: ServiceProcess[] = [];
const readers: Child[] = [];

beforeAll(async () => {
  [served, read] = [await temporaryFolder(), await temporaryFolder()];
});
afterAll(async () => {
  await Promise.all([...services, ...readers].map((one) => one.kill()));
  await Promise.all([served.remove(), read.remove()]);
});

const storeOf = (folder: TemporaryFolder) => join(folder.path, 'store');

async function serve(under: readonly string[]): Promise<void> {
  services.push(await ServiceProcess.start(served.path, { under }));
}

function reading(folder: TemporaryFolder, under: readonly string[]): Child {
  const reader = startChildUnder(under, READER, storeOf(folder));
  readers.push(reader);
  return reader;
}

inOwnNamespace('a command in a second container reads beside the service', async (under) => {
  await serve(under);
  const verify = await startCommand(['audit', 'verify'], { DATA_DIR: served.path }, under);
  expect(await verify.ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok/) });
});

// lmdb waits ten seconds before it gives up. Both wait at once.
inOwnNamespace('whoever comes second with the same number is told so', async (under) => {
  const empty = await openEmbeddedDatabase({ folder: storeOf(read), durable: true, clock: systemClock });
  await empty.close();
  await reading(read, under).line('refused');
  const late = reading(served, under).line('failed');
  const beside = await ServiceProcess.spawn(read.path, { under });

  expect(await late).toMatch(/with the same process number \(1\)\. .*docker exec/);
  expect([await beside.ended, beside.errors]).toEqual([
    1,
    [expect.stringMatching(/^.*The service did not start: .* with the same process number \(1\)/)],
  ]);
});

inOwnNamespace('a service starts after a reader with its number was killed', async (under) => {
  await Promise.all(readers.map((reader) => reader.kill()));
  const service = await ServiceProcess.start(read.path, { under });
  services.push(service);
  expect((await service.client.call('get', '/health')).status).toBe(200);
});
