import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_FOLDER } from '#app/adapters.js';
import { type BackupManifest, measured } from '#cli/backup/backup-manifest.js';
import { systemClock } from '#kernel/clock.js';
import type { DocumentStore, StoredDocument } from '#eventsourcing/documents/document-store.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { hashOf } from '#kernel/credential-hash.js';
import { type CommandEnd, runHere } from '../support/command-process.js';
import { OPERATOR, ServiceProcess, type Setup, setUpCompany } from '../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { type Method } from '../support/http-client.js';
import { demand } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

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
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: 'Not in this backup, keep apart from it: audit-signing-key in DATA_DIR.\n',
  });
  return backup;
}

/** The public key that backups are signed with, as an operator has written it down. */
async function knownKey(): Promise<string> {
  return (await run(['audit', 'key'], data_dir)).stdout.trim();
}

async function restore(backup: string, to: string): Promise<CommandEnd> {
  return run(['restore', backup, '--key', await knownKey()], to);
}

/** The token of the operator's session at each service. */
const signedIn = new WeakMap<ServiceProcess, string>();

async function signInAt(at: ServiceProcess): Promise<string> {
  const { token } = demand(201, await at.client.call('post', '/api/operator/sessions', { body: OPERATOR }));
  signedIn.set(at, token);
  return token;
}

/** A call of the operator, who signs in for the first one. */
async function operate(at: ServiceProcess, method: Method, path: string, body?: object) {
  const token = signedIn.get(at) ?? (await signInAt(at));
  const status = { get: 200, put: 200, patch: 200, post: 201, delete: 200 }[method];
  return demand(status, await at.client.call(method, `/api/operator${path}`, { token, body }));
}

/** Switches on all that a service sends by itself, and waits until it looks at a tenant. */
async function switchAllOn(at: ServiceProcess, { company_id, token }: Setup): Promise<void> {
  await operate(at, 'post', `/companies/${company_id}/webhooks`, { url: 'http://127.0.0.1:9/' });
  await operate(at, 'put', `/session/summaries/${company_id}`);
  const { locations } = await operate(at, 'get', `/companies/${company_id}`);
  await operate(at, 'patch', `/locations/${locations[0].location_id}`, { notices: { closed: true } });
  const body = { pms_tenant_id: 't-1', move_in_date: '2026-01-01', pms_location_code: 'A' };
  demand(201, await at.client.call('put', '/api/v2/units/A-1/tenancy', { body, token }));
  const announced = async () => (await at.client.call('get', '/api/v2/events', { token })).text;
  await waitUntil(async () => (await announced()).includes('AccessChanged'));
}

/** How many of a company's webhooks, locations and operators something is sent for. */
async function sendingIn(at: ServiceProcess, { company_id }: Setup) {
  const { webhooks } = await operate(at, 'get', `/companies/${company_id}/webhooks`);
  const { locations } = await operate(at, 'get', `/companies/${company_id}`);
  const { summaries } = await operate(at, 'get', '/session/summaries');
  return {
    webhooks: webhooks.filter(({ enabled }: { enabled: boolean }) => enabled).length,
    texts: locations.filter(({ notices }: { notices: { closed: boolean } }) => notices.closed).length,
    summaries: summaries.length,
  };
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
    const { status, stdout } = await restore(backup, restored);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ok: \d+ events in \d+ streams and \d+ records of \S+Z are in .*\n/);
    const second = await ServiceProcess.start(restored);
    try {
      for (let unit = 0; unit < 20; unit += 1) expect(await moveIn(`before-${unit}`, second)).toBe(200);
      expect(await moveIn('after', second)).toBe(201);
      expect((await run(['audit', 'verify'], restored)).status).toBe(0);
    } finally {
      await second.kill();
    }
  });

  it('is restored without its sessions, and the restore lists the tokens and operators to check', async () => {
    const login = { body: OPERATOR };
    const { token } = (await service.client.call('post', '/api/operator/sessions', login)).body.data;
    const restored = another();
    const { stdout } = await restore(await aBackup(), restored);
    expect(stdout).toMatch(/\nAll sessions \([1-9]\d*\) and codes ended\. Everybody signs in again\.\n/);
    expect(stdout).toContain(`of company ${setup.company_id}\n`);
    expect(stdout).toContain(`  operator ${OPERATOR.email} (admin)\n`);
    const second = await ServiceProcess.start(restored);
    try {
      const { status } = await second.client.call('get', '/api/operator/session', { token });
      expect(status).toBe(401);
    } finally {
      await second.kill();
    }
  });

  it('is restored without open invitations, and those invited are not among the operators to check', async () => {
    const email = 'mei@example.com';
    const { invitation } = await operate(service, 'post', '/operators', { email, role: 'admin' });
    const restored = another();
    const { stdout } = await restore(await aBackup(), restored);
    expect(stdout).toContain('The links of 1 invited operators ended.');
    expect(stdout).not.toContain(email);
    const second = await ServiceProcess.start(restored);
    try {
      const path = new URL(invitation.url).pathname;
      expect((await second.client.call('get', path)).status).toBe(404);
      expect((await run(['audit', 'verify'], restored)).status).toBe(0);
    } finally {
      await second.kill();
    }
  });

  it('sends nothing after a restore: no webhook, no text, no morning summary', async () => {
    const folder = another();
    const environment = {
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SMTP_URL: 'smtp://127.0.0.1:9',
      SMTP_FROM: 'access@example.com',
      PUBLIC_URL: 'https://access.example',
    };
    const sending = await ServiceProcess.start(folder, { environment });
    const sent = await setUpCompany(sending);
    const key = (await run(['audit', 'key'], folder)).stdout.trim();
    let restored = another();
    let stdout = '';
    try {
      await switchAllOn(sending, sent);
      // The tenant is looked at some time after the announcement.
      await waitUntil(async () => {
        const copy = another();
        expect((await run(['backup', copy], folder)).status).toBe(0);
        restored = another();
        ({ stdout } = await run(['restore', copy, '--key', key], restored));
        return stdout.includes('Texts to tenants will be off in the copy.');
      });
    } finally {
      await sending.kill();
    }
    expect(stdout).toContain('1 webhooks are off in the copy.');
    expect(stdout).toContain('1 morning summaries are off in the copy.');
    const second = await ServiceProcess.start(restored, { environment });
    try {
      await waitUntil(async () => (await sendingIn(second, sent)).texts === 0);
      expect(await sendingIn(second, sent)).toEqual({ webhooks: 0, texts: 0, summaries: 0 });
    } finally {
      await second.kill();
    }
  });

  it('says nothing of webhooks, texts and summaries where none were on', async () => {
    const { stdout } = await restore(await aBackup(), another());
    expect(stdout).not.toMatch(/off in the copy/);
  });

  it('holds the store, the master secret and a manifest, and never the key that signs it', async () => {
    const backup = await aBackup();
    expect(await readdir(data_dir)).toContain('audit-signing-key');
    expect((await readdir(backup, { recursive: true })).sort()).toEqual([
      'key-master-secret',
      'manifest.json',
      'store',
      join('store', 'data.mdb'),
    ]);
    expect(await readFile(join(backup, 'key-master-secret'))).toEqual(
      await readFile(join(data_dir, 'key-master-secret')),
    );
  });
});

it('is signed and checked with AUDIT_SIGNING_KEY where that is set', async () => {
  const backup = another();
  const own = { AUDIT_SIGNING_KEY: privateKey() };
  const { status, stderr } = await run(['backup', backup], data_dir, own);
  expect([status, stderr]).toEqual([0, 'Not in this backup, keep apart from it: AUDIT_SIGNING_KEY.\n']);
  expect((await restore(backup, another())).status).toBe(1);
  expect((await run(['restore', backup], another(), own)).status).toBe(0);
  expect(await run(['restore', backup, '--key', 'no key'], another(), own)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--key must be a public key'),
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
    for (const parameters of [['backup'], ['restore'], ['backup', 'a', 'b'], ['restore', 'a', 'b']]) {
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
    const { status, stdout, stderr } = await restore(backup, to);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^.*\n$/)]);
    // Nothing is left of the attempt.
    expect((await readdir(to).catch(() => [])).filter((name) => name.startsWith('restoring'))).toEqual([]);
    return stderr;
  }

  it('says which file is not what was written', async () => {
    const bytes = await readFile(join(backup, 'store', 'data.mdb'));
    bytes[bytes.length - 100]! ^= 1;
    await writeFile(join(backup, 'store', 'data.mdb'), bytes);
    const to = another();
    expect(await refusal(to)).toContain('store/data.mdb of the backup differs from its manifest');
    expect(await readdir(to)).toEqual([]);
  });

  it('has no manifest where it was cut off', async () => {
    await rm(join(backup, 'manifest.json'));
    expect(await refusal()).toContain('This is not a complete backup');
  });

  it('names no files but its own', async () => {
    const manifest = await readFile(join(backup, 'manifest.json'), 'utf8');
    await writeFile(join(backup, 'manifest.json'), manifest.replace('key-master-secret', '../evil'));
    expect(await refusal()).toContain('is damaged, or from a later version');
  });

  it('replaces no store', async () => {
    const to = another();
    await mkdir(join(to, 'views'), { recursive: true });
    expect(await refusal(to)).toContain('exists already');
    expect(await refusal(data_dir)).toContain('exists already');
  });

  it('replaces no secret', async () => {
    const to = another();
    await mkdir(to);
    await writeFile(join(to, 'key-master-secret'), 'another');
    expect(await refusal(to)).toContain("differs from the backup's");
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
    expect(await refusal()).toContain('not a complete backup');
  });
});

describe('a backup whose store was changed and whose manifest was written anew', () => {
  let backup: string;

  beforeEach(async () => {
    backup = await aBackup();
    await plantApiToken(join(backup, STORE_FOLDER));
  });

  async function refused(key: readonly string[], to = another(), variables = {}): Promise<string> {
    const { status, stdout, stderr } = await run(['restore', backup, ...key], to, variables);
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^.*\n$/)]);
    expect(await readdir(join(to, STORE_FOLDER)).catch(() => 'none')).toBe('none');
    return stderr;
  }

  it('is refused by the key that is known, whoever signed it', async () => {
    const known = await knownKey();
    const thief = privateKey();
    const own = privateKey();
    for (const signer of [undefined, thief]) {
      await rewriteManifest(backup, signer);
      expect(await refused(['--key', known])).toContain('is not signed with');
      expect(await refused([], another(), { AUDIT_SIGNING_KEY: own })).toContain('is not signed with');
    }
  });

  it('brings no key to be checked with', async () => {
    const thief = privateKey();
    await rewriteManifest(backup, thief);
    await writeFile(join(backup, 'audit-signing-key'), thief);
    expect(await refused([])).toContain('The backup cannot be checked without a key');
    const { files, ...rest } = await readManifest(backup);
    const planted = await measured(join(backup, 'audit-signing-key'), 'audit-signing-key');
    await rewriteManifest(backup, thief, { ...rest, files: [...files, planted] });
    expect(await refused([])).toContain('The backup cannot be checked without a key');
    expect(await refused(['--key', SigningKey.read(thief, '').name])).toContain('is damaged');
  });
});

describe('a store in which an API token and an operator were planted', () => {
  const named = [
    expect.stringMatching(/Operator planted is in no event of the log\./),
    expect.stringMatching(/API token \w+ of company \w+ has another value than the log says\./),
  ];

  it('is named by audit verify, and makes no backup', async () => {
    const restored = another();
    expect((await restore(await aBackup(), restored)).status).toBe(0);
    await plant(join(restored, STORE_FOLDER));
    const { status, stdout } = await run(['audit', 'verify'], restored);
    expect([status, stdout.trimEnd().split('\n')]).toEqual([1, named]);
    expect(await run(['backup', another()], restored)).toMatchObject({ status: 1, stderr: named[0] });
  });

  it('is not restored, whoever signed the manifest', async () => {
    const backup = await aBackup();
    await plant(join(backup, STORE_FOLDER));
    await rewriteManifest(backup, await readFile(join(data_dir, 'audit-signing-key'), 'utf8'));
    expect(await restore(backup, another())).toMatchObject({ status: 1, stderr: named[0] });
  });
});

async function plant(store: string): Promise<void> {
  await plantApiToken(store);
  await inRecords(store, async (documents) => {
    const operators = await documents.collection<StoredDocument & { email_key: string }>({
      name: 'operators',
      indexes: {
        by_email: { fields: ['email_key'], unique: true },
        by_created_at: { fields: ['created_at'] },
      },
    });
    const [known] = (await operators.find('by_created_at', { equals: [], limit: 1 })).documents;
    const document = { ...known, _id: 'planted', email: 'thief@example.com', email_key: 'thief@example.com' };
    await documents.write([{ kind: 'insert', collection: 'operators', document }]);
  });
}

/** Writes to a store as whoever can write to the file would. */
async function inRecords(store: string, work: (documents: DocumentStore) => Promise<void>): Promise<void> {
  const database = await openEmbeddedDatabase({ folder: store, durable: true, clock: systemClock });
  const documents = new EmbeddedDocumentStore(database, systemClock);
  await work(documents);
  await documents.close();
  await rm(join(store, 'data.mdb-lock'), { force: true });
}

/** Puts an API token into the records. */
async function plantApiToken(store: string): Promise<void> {
  await inRecords(store, async (documents) => {
    const tokens = await documents.collection({
      name: 'api_tokens',
      indexes: { by_company: { fields: ['company_id'] }, by_token_id: { fields: ['token_id'] } },
    });
    const [known] = (await tokens.find('by_company', { equals: [setup.company_id], limit: 1 })).documents;
    const document = { ...known, _id: hashOf('sat_planted') };
    await documents.write([{ kind: 'insert', collection: 'api_tokens', document }]);
  });
}

function privateKey(): string {
  const { privateKey: key } = generateKeyPairSync('ed25519');
  return key.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

async function readManifest(backup: string): Promise<BackupManifest> {
  return JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as BackupManifest;
}

/** Writes the sizes and hashes of the files as they are now; without a signer the signature stays. */
async function rewriteManifest(
  backup: string,
  signer?: string,
  from?: Omit<BackupManifest, 'signature'>,
): Promise<void> {
  const { signature, ...before } = { signature: '', ...(from ?? (await readManifest(backup))) };
  const files = await Promise.all(before.files.map(({ name }) => measured(join(backup, name), name)));
  const statement = { ...before, files };
  const signed =
    signer === undefined ? signature : SigningKey.read(signer, 'the test').sign(JSON.stringify(statement));
  await writeFile(join(backup, 'manifest.json'), JSON.stringify({ ...statement, signature: signed }));
}

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
