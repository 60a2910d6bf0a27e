import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../src/adapters.js';
import { systemClock } from '../../src/config/clock.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { type CommandEnd, runHere } from '../support/command-process.js';
import { ServiceProcess, type Setup, setUpCompany } from '../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let data_dir: string;
let service: ServiceProcess;
let setup: Setup;
let made = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  data_dir = join(folder.path, 'data');
  service = await ServiceProcess.start(data_dir);
  setup = await setUpCompany(service);
});
afterAll(async () => {
  await service.kill();
  await folder.remove();
});

const another = () => join(folder.path, `folder-${(made += 1)}`);

function run(parameters: readonly string[], to: string, variables = {}): Promise<CommandEnd> {
  return runHere(parameters, { DATA_DIR: to, ...variables });
}

async function moveIn(unit: string, at: ServiceProcess = service): Promise<number> {
  const body = { pms_tenant_id: unit, move_in_date: '2026-01-01', pms_location_code: 'A' };
  const path = `/api/v2/units/${unit}/tenancy`;
  return (await at.client.call('put', path, { body, token: setup.token })).status;
}

async function aBackup(): Promise<string> {
  const backup = another();
  const { status, stderr } = await run(['backup', backup], data_dir);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return backup;
}

describe('a backup beside a running service', () => {
  it('holds every write that was answered before it, and a service starts on what is restored', async () => {
    for (let unit = 0; unit < 20; unit += 1) expect(await moveIn(`before-${unit}`)).toBe(201);
    let writing = true;
    const meanwhile = (async () => {
      for (let unit = 0; writing; unit += 1) await moveIn(`meanwhile-${unit}`);
    })();
    const backup = await aBackup();
    writing = false;
    await meanwhile;
    const restored = another();
    const { status, stdout } = await run(['restore', backup], restored);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ok: \d+ events in \d+ streams and \d+ records of \S+Z are in .*\n$/);
    const second = await ServiceProcess.start(restored);
    try {
      for (let unit = 0; unit < 20; unit += 1) expect(await moveIn(`before-${unit}`, second)).toBe(200);
      expect(await moveIn('after', second)).toBe(201);
      expect((await run(['audit', 'verify'], restored)).status).toBe(0);
    } finally {
      await second.kill();
    }
  });

  it('is for nobody else, and holds the store, the secrets that were made and a manifest', async () => {
    const backup = await aBackup();
    expect((await readdir(backup, { recursive: true })).sort()).toEqual(
      [
        ...(await readdir(data_dir)).filter((name) =>
          ['audit-signing-key', 'key-master-secret'].includes(name),
        ),
        'manifest.json',
        'store',
        join('store', 'data.mdb'),
      ].sort(),
    );
    expect(await readFile(join(backup, 'key-master-secret'))).toEqual(
      await readFile(join(data_dir, 'key-master-secret')),
    );
  });
});

describe('a backup is refused', () => {
  it('into a folder that is not empty', async () => {
    const backup = await aBackup();
    const { status, stderr } = await run(['backup', backup], data_dir);
    expect(status).toBe(1);
    expect(stderr).toContain('is not empty');
  });

  it('of data that are not there', async () => {
    expect((await run(['backup', another()], another())).stderr).toContain('Set DATA_DIR to the folder');
  });

  it('of stores that are on servers', async () => {
    const servers = { EVENTSTORE_URL: 'esdb://127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/s' };
    for (const command of ['backup', 'restore']) {
      expect(await run([command, another()], data_dir, servers)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('The stores are on servers'),
      });
    }
  });

  it('without a folder, or with two', async () => {
    for (const parameters of [['backup'], ['restore'], ['backup', 'a', 'b'], ['restore', '--all']]) {
      expect(await run(parameters, data_dir)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('takes one folder'),
      });
    }
  });

  it('under another prefix than that of the streams', async () => {
    const { status, stderr } = await run(['backup', another()], data_dir, {
      EVENTSTORE_STREAM_PREFIX: 'x.',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('EVENTSTORE_STREAM_PREFIX')]);
  });
});

describe('a backup that was tampered with, cut off or has no place', () => {
  let backup: string;

  beforeEach(async () => {
    backup = await aBackup();
  });

  async function refusal(to = another()): Promise<string> {
    const { status, stdout, stderr } = await run(['restore', backup], to);
    expect([status, stdout]).toEqual([1, '']);
    // Nothing is left of the attempt.
    expect((await readdir(to).catch(() => [])).filter((name) => name.startsWith('restoring'))).toEqual([]);
    return stderr;
  }

  it('says which file is not what was written', async () => {
    const bytes = await readFile(join(backup, 'store', 'data.mdb'));
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(join(backup, 'store', 'data.mdb'), bytes);
    const to = another();
    expect(await refusal(to)).toContain('store/data.mdb of the backup is not what its manifest says');
    expect(await readdir(to)).toEqual([]);
  });

  it('has no manifest where it was cut off', async () => {
    await rm(join(backup, 'manifest.json'));
    expect(await refusal()).toContain('no backup, or one that was cut off');
  });

  it('names no files but its own', async () => {
    const manifest = await readFile(join(backup, 'manifest.json'), 'utf8');
    await writeFile(join(backup, 'manifest.json'), manifest.replace('key-master-secret', '../evil'));
    expect(await refusal()).toContain('is damaged, or of a later version');
  });

  it('replaces no store', async () => {
    const to = another();
    await mkdir(join(to, 'views'), { recursive: true });
    expect(await refusal(to)).toContain('is there already');
    expect(await refusal(data_dir)).toContain('is there already');
  });

  it('replaces no secret', async () => {
    const to = another();
    await mkdir(to);
    await writeFile(join(to, 'key-master-secret'), 'another');
    expect(await refusal(to)).toContain("is another than the backup's");
    expect(await readFile(join(to, 'key-master-secret'), 'utf8')).toBe('another');
  });

  it('is not made of a log whose chain does not hold', async () => {
    const copy = another();
    await cp(backup, copy, { recursive: true });
    const file = join(copy, 'store', 'data.mdb');
    const text = (await readFile(file)).toString('latin1').replaceAll('"before-0"', '"before-x"');
    await writeFile(file, Buffer.from(text, 'latin1'));
    const target = another();
    const { status, stderr } = await run(['backup', target], copy);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/The copy is not sound: stream unit-/)]);
    backup = target;
    expect(await refusal()).toContain('cut off');
  });
});

it('holds nothing of what was removed', async () => {
  const source = another();
  const open = () =>
    openEmbeddedDatabase({ folder: join(source, STORE_FOLDER), durable: true, clock: systemClock });
  const database = await open();
  const documents = new EmbeddedDocumentStore(database, systemClock);
  await documents.collection({ name: 'people', indexes: {} });
  const document = { _id: 'one', name: 'somebody erased' };
  await documents.write([{ kind: 'put', collection: 'people', document }]);
  await documents.write([{ kind: 'delete', collection: 'people', id: 'one' }]);
  await mkdir(join(folder.path, 'copy'));
  await database.copyTo(join(folder.path, 'copy'));
  await documents.close();
  expect(await readFile(join(source, STORE_FOLDER, 'data.mdb'), 'latin1')).toContain('somebody erased');
  expect(await readFile(join(folder.path, 'copy', 'data.mdb'), 'latin1')).not.toContain('somebody erased');
});
