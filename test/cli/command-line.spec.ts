import { Secret, TOTP } from 'otpauth';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { appendFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { auditVerify } from '#cli/audit.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import { readEnvironment } from '#kernel/environment/environment.js';
import { UNITS } from '#domain/units/index.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { openEmbeddedViews, STORE_FOLDER } from '#app/adapters.js';
import { OPERATOR, ServiceProcess, type Setup, setUpCompany } from '../support/service-process.js';
import { type CommandEnd, runHere, startCommand } from '../support/command-process.js';
import type { Method, Parsed } from '../support/http-client.js';
import { waitUntil } from '../support/wait-until.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { integerBytes, integerFromBytes } from '#stores/embedded/database/key-encoding.js';
import type { StoreTable } from '#stores/embedded/database/table.js';

const ROOT = join(__dirname, '..', '..');
const UNIT = 'a/1 é';

let folder: TemporaryFolder;
let service: ServiceProcess;
let setup: Setup;
let unit_id: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await ServiceProcess.start(folder.path);
  setup = await setUpCompany(service);
  const moveIn = { pms_tenant_id: 't-1', move_in_date: '2025-12-01', pms_location_code: 'A' };
  unit_id = (await push('put', `/${encodeURIComponent(UNIT)}/tenancy`, moveIn)).data.unit_id;
  await push('patch', `/${encodeURIComponent(UNIT)}`, { balance_due: 12.5 });
  await push('put', '/victim/tenancy', { ...moveIn, unit_name: 'the victim' });
  // A reader beside the service sees the views as of their last flush.
  await waitUntil(async () => (await command(['audit', 'history', ...named('victim')])).status === 0);
  // The access of both is announced a little later. Then nothing more comes.
  await waitUntil(async () =>
    (await command(['audit', 'verify'])).stdout.includes(
      '14 events in 8 streams; compared: chains, records, views (10 documents)',
    ),
  );
});

afterAll(async () => {
  await service.kill();
  await folder.remove();
});

async function push(method: Method, path: string, body?: object): Promise<Parsed> {
  const { token } = setup;
  return (await service.client.call(method, `/api/v2/units${path}`, { body, token })).body;
}

function command(
  parameters: readonly string[],
  data_dir = folder.path,
  variables: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  return runHere(parameters, { ...variables, DATA_DIR: data_dir });
}

const named = (unit: string) => ['--company', setup.company_id, '--unit', unit];
const ulid = () => `ulid:${unit_id}`;

/** A copy of the data as they are, to be damaged. */
async function copied(): Promise<TemporaryFolder> {
  const copy = await temporaryFolder();
  // The right to write belongs to the service, and so does its socket.
  const filter = (path: string) => !/writer\.mdb|\.sock$/.test(path);
  await cp(folder.path, copy.path, { recursive: true, filter });
  return copy;
}

describe('beside a running service', () => {
  test('operators list tells who may sign in, and the rest waits until the service is stopped', async () => {
    const { status, stdout } = await command(['operators', 'list']);
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { email: OPERATOR.email, role: 'admin' }]);
    const refused = await command(['operators', 'reset', '--email', OPERATOR.email]);
    expect(refused).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/service is running on .*Stop it/),
    });
  });

  test('companies list and units list print what the API tells, a line each', async () => {
    const companies = await command(['companies', 'list']);
    expect([companies.status, JSON.parse(companies.stdout)]).toMatchObject([
      0,
      { company_id: setup.company_id, locations: [{ pms_location_code: 'A' }, { pms_location_code: 'B' }] },
    ]);
    const { status, stdout, stderr } = await command(['units', 'list', '--company', setup.company_id]);
    const listed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect({ status, listed, stderr }).toEqual({
      status: 0,
      listed: (await push('get', '?limit=100')).data.units,
      stderr: '',
    });
    expect(listed).toHaveLength(2);
    const unknown = await command(['units', 'list', '--company', unit_id]);
    expect(unknown).toEqual({ status: 1, stdout: '', stderr: 'storage-access: Company not found.\n' });
  });

  test('--version tells the version that the service tells', async () => {
    const { body } = await service.client.call('get', '/health');
    expect(await command(['--version'])).toEqual({ status: 0, stdout: `${body.data.version}\n`, stderr: '' });
  });

  test('audit history prints what the API tells, an entry a line', async () => {
    const { data } = await push('get', `/${encodeURIComponent(UNIT)}/history`);
    for (const unit of [UNIT, ulid()]) {
      const { status, stdout, stderr } = await command(['audit', 'history', ...named(unit)]);
      expect(
        stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual(data.entries);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  });

  test('audit as-of prints what the API tells', async () => {
    const at = new Date().toISOString();
    const { data } = await push('get', `/${encodeURIComponent(UNIT)}/as-of?at=${at}`);
    const { status, stdout } = await command(['audit', 'as-of', ...named(UNIT), '--at', at]);
    expect(JSON.parse(stdout)).toEqual(data);
    expect(status).toBe(0);
  });

  test('audit verify prints a line with ok', async () => {
    expect(await command(['audit', 'verify'])).toEqual({
      status: 0,
      stdout:
        'ok: 14 events in 8 streams; compared: chains, records, views (10 documents); not compared: lockout counts, planned announcements, signatures (none was given)\n',
      stderr: '',
    });
    expect((await command(['audit', 'verify', '--log-only'])).stdout).toBe(
      'ok: 14 events in 8 streams; compared: chains, records; not compared: views (--log-only), signatures (none was given)\n',
    );
    for (const unit of [UNIT, ulid()]) {
      const { status, stdout } = await command(['audit', 'verify', ...named(unit)]);
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: 'ok: 3 events in 1 streams; compared: chains; not compared: signatures (none was given)\n',
      });
    }
  });

  test('audit export ends with a manifest of what was before it', async () => {
    const { status, stdout } = await command(['audit', 'export']);
    const lines = stdout.trimEnd().split('\n');
    const { manifest } = JSON.parse(lines.pop()!);
    expect(status).toBe(0);
    expect(manifest.events).toBe(lines.length);
    expect(manifest.sha256).toBe(
      createHash('sha256')
        .update(`${lines.join('\n')}\n`)
        .digest('hex'),
    );
  });

  test('views rebuild names the route of the service that holds the folder', async () => {
    expect(await command(['views', 'rebuild'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        `storage-access: The service (process ${service.pid}) works on ${folder.path} and rebuilds the views itself: ` +
        'press "Rebuild the views" under Operators in the dashboard, or send POST /api/operator/views/rebuild.\n',
    });
  });
});

describe('what was signed of the log', () => {
  const SIGNED_OK = expect.stringMatching(
    /^ok: 14 events in 8 streams; compared: chains, (records, views .10 documents., )?signatures .up to 14 events, at 2\S+Z.(; not compared: lockout counts, planned announcements)?\n$/,
  ) as string;

  /** Removes the copy's newest event of a stream, one of several of its append, without a trace. */
  async function shorten(data_dir: string, stream: string): Promise<void> {
    const store = join(data_dir, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
    const [events, revisions, streams] = [
      database.table('events'),
      database.table('revisions'),
      database.table('streams'),
    ];
    const all = [...events.entries({ start: '\0', end: '\xff' })].filter(({ value }) =>
      value.includes(stream),
    );
    const { key, value } = all.at(-1)!;
    const position = integerFromBytes(key);
    const text = String(position);
    const at = [...revisions.entries({ start: '\0', end: '\xff' })].find((entry) => entry.value === text)!;
    const [name, last, ...rest] = JSON.parse(value) as [string, number, ...unknown[]];
    const head = [...streams.entries({ start: '\0', end: '\xff' })].find((entry) =>
      entry.key.includes(stream),
    )!;
    await database.enqueue((group) => {
      group.remove(events, key);
      group.remove(revisions, at.key);
      const [number, revision] = head.value.split(',').map(Number) as [number, number];
      const shorter = JSON.stringify([name, last - 1, ...rest.slice(0, -1)]);
      group.put(events, integerBytes(position - 1), shorter);
      group.put(revisions, integerBytes(number) + integerBytes(revision - 1), String(position - 1));
      group.put(streams, head.key, `${number},${revision - 1}`);
    });
    await database.close();
  }

  /** The end of each stream out of an export, as the file of checkpoints has it. */
  function headsOf(exported: string): string {
    const { manifest } = JSON.parse(exported.trimEnd().split('\n').at(-1)!) as {
      manifest: { streams: Record<string, { revision: number; hash: string }> };
    };
    const heads = Object.entries(manifest.streams);
    return heads
      .map(([stream, { revision, hash }]) => `${JSON.stringify([stream, revision, hash])}\n`)
      .join('');
  }

  test('audit verify names the stream that was shortened since, which it cannot tell by the chain', async () => {
    const checkpoints = join(folder.path, 'checkpoints');
    const manifest = join(folder.path, 'export');
    const signed = await command(['audit', 'checkpoint'], folder.path, {
      AUDIT_CHECKPOINT_FILE: checkpoints,
    });
    expect(signed).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(signed.stdout)).toEqual({
      at: expect.any(String),
      events: 14,
      streams: 8,
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
      key: expect.any(String),
      signature: expect.any(String),
    });
    const { key } = JSON.parse(signed.stdout) as { key: string };
    expect(await command(['audit', 'key'])).toEqual({ status: 0, stdout: `${key}\n`, stderr: '' });
    const exported = (await command(['audit', 'export'])).stdout;
    await writeFile(manifest, exported);
    await writeFile(checkpoints, headsOf(exported) + signed.stdout);
    const line = join(folder.path, 'line');
    await writeFile(line, signed.stdout);
    const held = [
      ['--checkpoint', checkpoints],
      ['--manifest', manifest],
      ['--checkpoint', line, '--manifest', manifest],
    ];
    for (const options of held) {
      expect(await command(['audit', 'verify', ...options])).toMatchObject({
        status: 0,
        stdout: SIGNED_OK,
      });
    }
    const copy = await copied();
    await shorten(copy.path, 'victim');
    expect(await command(['audit', 'verify', '--log-only'], copy.path)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: 13 events in 8 streams; /),
    });
    for (const options of held) {
      const { status, stdout } = await command(['audit', 'verify', '--log-only', ...options], copy.path);
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /FAULT: Stream unit-\S+victim was shortened to revision 0: it was signed up to revision 1\.\n/,
      );
    }
    const { status, stdout } = await command(['audit', 'checkpoint'], copy.path, {
      AUDIT_CHECKPOINT_FILE: checkpoints,
    });
    expect([status, stdout]).toEqual([1, expect.stringContaining('victim was shortened')]);
    const alone = await command(
      ['audit', 'verify', '--file', manifest, '--checkpoint', checkpoints],
      copy.path,
    );
    expect(alone).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: .*; checked with this service's own key only. Name the key that/),
      stderr: expect.stringContaining('is signed with'),
    });
    await copy.remove();
  });

  test('audit verify tells whose key a file is signed with, and what of it was cut off', async () => {
    const checkpoints = join(folder.path, 'told');
    const environment = { AUDIT_CHECKPOINT_FILE: checkpoints };
    const { stdout: line } = await command(['audit', 'checkpoint'], folder.path, environment);
    await writeFile(checkpoints, line);
    const { key, at } = JSON.parse(line) as { key: string; at: string };
    await appendFile(checkpoints, '["unit-');
    const known = await command(['audit', 'verify', '--checkpoint', checkpoints]);
    expect(known).toMatchObject({
      status: 0,
      stdout: `ok: 14 events in 8 streams; compared: chains, records, views (10 documents), signatures (up to 14 events, at ${at}); not compared: lockout counts, planned announcements\n`,
    });
    expect(known.stderr).toMatch(/^The last 7 bytes of the file of checkpoints do not count/);
    expect(known.stderr).toContain(`\nThe checkpoint of ${at} is signed with ${key}.\n`);
    const copy = await copied();
    await rm(join(copy.path, 'audit-signing-key'));
    const unknown = await command(['audit', 'verify', '--checkpoint', checkpoints], copy.path);
    expect(unknown).toMatchObject({ status: 0, stdout: SIGNED_OK });
    expect(unknown.stderr).toContain(
      `\nThe checkpoint of ${at} is signed with ${key}. No key is here to compare it with: compare it with the one that you know.\n`,
    );
    const told = await command(['audit', 'verify', '--checkpoint', checkpoints, '--key', key], copy.path);
    expect(told).toMatchObject({ status: 0, stdout: SIGNED_OK });
    expect(told.stderr).not.toContain('No key is here');
    const exported = join(folder.path, 'exported');
    await writeFile(exported, (await command(['audit', 'export'])).stdout);
    const alone = await command(['audit', 'verify', '--file', exported], copy.path);
    expect(alone).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: .*; not checked with a key that you know. Name it with --key\n$/),
    });
    const compared = await command(['audit', 'verify', '--file', exported, '--key', key], copy.path);
    expect(compared).toMatchObject({ status: 0, stdout: SIGNED_OK });
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
    for (const options of [
      ['--checkpoint', checkpoints],
      ['--manifest', exported],
      ['--file', exported],
    ]) {
      const parameters = ['audit', 'verify', ...options, '--key', other.toString('base64')];
      const { status, stdout } = await command(parameters, copy.path);
      expect([status, stdout]).toEqual([1, expect.stringContaining(`is signed with another key, ${key}.`)]);
    }
    await copy.remove();
  });

  test.each([
    ['verify', '--checkpoint', 'nowhere'],
    ['verify', '--manifest', 'nowhere'],
    ['verify', '--file', 'nowhere'],
  ])('audit %s %s of a file that is not there ends with one line', async (...parameters) => {
    const { status, stdout, stderr } = await command(['audit', ...parameters]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^storage-access: ENOENT: .*nowhere'\n$/);
  });

  test('audit verify of a file that is no export names the line', async () => {
    const checkpoints = join(folder.path, 'no-export');
    await writeFile(checkpoints, (await command(['audit', 'checkpoint'])).stdout.repeat(3));
    const said = (number: number) => `Line ${number} is neither an event nor the manifest of an export.\n`;
    expect(await command(['audit', 'verify', '--manifest', checkpoints])).toEqual({
      status: 1,
      stdout: '',
      stderr: `storage-access: ${said(3)}`,
    });
    const readme = join(ROOT, 'README.md');
    expect(await command(['audit', 'verify', '--file', readme])).toMatchObject({
      status: 1,
      stdout: `FAULT: ${said(1)}`,
    });
  });

  test.each(['verify', 'export', 'checkpoint'])(
    'audit %s with another prefix than the service has is refused in one line',
    async (name) => {
      const variables = { EVENTSTORE_STREAM_PREFIX: 'other.' };
      expect(await command(['audit', name], folder.path, variables)).toEqual({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^storage-access: EVENTSTORE_STREAM_PREFIX is "other\.", but these records were made with "storage_access\.".*\n$/,
        ),
      });
    },
  );
});

describe('what does not exist', () => {
  test.each([
    ['a unit', () => ['audit', 'history', ...named('nowhere')]],
    ['a unit by its id', () => ['audit', 'verify', ...named('ulid:01ARZ3NDEKTSV4RRFFQ69G5FAV')]],
    ['a stream', () => ['audit', 'verify', ...named('nowhere')]],
    ['a unit of another company', () => ['audit', 'history', '--company', 'other', '--unit', ulid()]],
  ])('%s', async (_, parameters) => {
    expect(await command(parameters())).toEqual({
      status: 1,
      stdout: '',
      stderr: 'storage-access: Unit not found.\n',
    });
  });

  test('the data', async () => {
    const { status, stderr } = await command(['audit', 'verify'], join(folder.path, 'nowhere'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^storage-access: There is no \S+store\. Set DATA_DIR .*\n$/);
  });
});

describe('audit key', () => {
  test('makes the key of a service that has signed nothing yet', async () => {
    const copy = await copied();
    await rm(join(copy.path, 'audit-signing-key'), { force: true });
    const made = await command(['audit', 'key'], copy.path);
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(await command(['audit', 'key'], copy.path)).toEqual(made);
    const signed = await command(['audit', 'checkpoint'], copy.path);
    expect(`${(JSON.parse(signed.stdout) as { key: string }).key}\n`).toBe(made.stdout);
    await copy.remove();
  });

  test('makes no key in a folder without a service', async () => {
    const empty = await temporaryFolder();
    const refused = { status: 1, stdout: '', stderr: expect.stringContaining('Set DATA_DIR to the folder') };
    expect([await command(['audit', 'key'], empty.path), await readdir(empty.path)]).toEqual([refused, []]);
    await empty.remove();
  });
});

describe('an export without the stores', () => {
  let nowhere: TemporaryFolder;
  let exported: string;
  let key: string;
  const asOf = (...more: readonly string[]) =>
    command(['audit', 'as-of', ...named(UNIT), '--file', exported, ...more], nowhere.path);

  beforeAll(async () => {
    nowhere = await temporaryFolder();
    exported = join(nowhere.path, 'export');
    await writeFile(exported, (await command(['audit', 'export'])).stdout);
    key = (await command(['audit', 'key'])).stdout.trim();
  });
  afterAll(() => nowhere.remove());

  test('answers as the stores do, and says what of it was checked', async () => {
    const at = new Date().toISOString();
    const { stdout } = await command(['audit', 'as-of', ...named(UNIT), '--at', at]);
    expect(await asOf('--at', at, '--key', key)).toEqual({
      status: 0,
      stdout,
      stderr: expect.stringMatching(/\nok: 14 events in 8 streams; compared: chains, signatures .*\)\n$/),
    });
    const { stderr } = await asOf('--at', at);
    expect(stderr).toContain('; not checked with a key that you know. Name it with --key\n');
  });

  test('answers nothing if it was changed', async () => {
    const text = await readFile(exported, 'utf8');
    await writeFile(exported, text.replace('"balance_due":1250', '"balance_due":0'));
    const changed = await asOf('--at', new Date().toISOString(), '--key', key);
    await writeFile(exported, text);
    expect(changed).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/FAULT: .*its content changed/),
    });
  });

  test.each([
    ['a unit that is not in it', ['--unit', 'nowhere'], 'Unit not found.'],
    ['an instant before the unit', ['--at', '2000-01-01T00:00:00Z'], 'it did not exist at that instant.'],
  ])('names %s', async (_, parameters, message) => {
    const { status, stdout, stderr } = await asOf('--at', new Date().toISOString(), ...parameters);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.endsWith(`${message}\n`)).toBe(true);
  });
});

describe('wrong usage', () => {
  test.each([
    [[], 'No command was given.'],
    [['unit'], 'There is no command "unit".'],
    [['views', 'drop'], 'There is no command "views drop".'],
    [['audit', 'history'], '--company is required.'],
    [['audit', 'verify', '--company', 'c'], '--unit is required.'],
    [['audit', 'as-of', '--company', 'c', '--unit', 'u'], '--at is required.'],
    [['audit', 'as-of', '--company', 'c', '--unit', 'u', '--at', 'noon'], '--at must be a timestamp'],
    [
      ['audit', 'as-of', '--company', 'c', '--unit', 'u', '--at', 'x', '--key', 'k'],
      '--key goes with --file.',
    ],
    [['audit', 'export', '--company', 'c'], "Unknown option '--company'."],
    [['audit', 'history', '--compny', 'c'], '--company is required.'],
    [['audit', 'verify', '--compny', 'c'], "Unknown option '--compny'. (Did you mean --company?)"],
    [['audit', 'verify', '--file'], "Option '--file EXPORT' argument missing."],
    [['audit', 'verify', '--checkpoint', '--file', 'x'], "Option '--checkpoint FILE' argument missing."],
    [['units', 'list', '--company', ''], '--company is required.'],
    [['views', 'rebuild', 'now'], "Too many arguments for 'rebuild'."],
    [['restore', '--all'], "Unknown option '--all'."],
    [['help', 'audit', 'drop'], 'There is no command "audit drop".'],
    [['audit', 'verify', '--file', 'x', '--key', 'none'], '--key must be an Ed25519 public key'],
    [['audit', 'verify', '--log-only', '--file', 'x'], '--log-only goes with the whole log'],
    [['audit', 'verify', '--key', 'none'], '--key goes with --checkpoint, --manifest or --file.'],
    [
      ['audit', 'verify', '--company', 'c', '--unit', 'u', '--file', 'x'],
      '--company and --unit cannot be used with',
    ],
  ])('%j ends with 2 and one line', async (parameters, message) => {
    const { status, stdout, stderr } = await command(parameters);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`storage-access: ${message}`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('a group alone prints what it holds', async () => {
    const { status, stdout, stderr } = await command(['audit']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: storage-access audit COMMAND \[OPTIONS\]\n/);
    expect(stderr).toContain('audit as-of --company ID --unit KEY --at TIME');
    expect(stderr).not.toContain('units list');
  });

  test('help lists the options of a command', async () => {
    for (const parameters of [
      ['help', 'audit', 'as-of'],
      ['audit', 'as-of', '--help'],
    ]) {
      const { status, stdout, stderr } = await command(parameters);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(
        /^Usage: storage-access audit as-of --company ID --unit KEY --at TIME \[OPTIONS\]\n/,
      );
      expect(stdout).toContain('\n  --key BASE64   require that this public key signed the export\n');
      expect(stdout).not.toContain('audit verify');
    }
  });

  test('help says what there is', async () => {
    for (const parameters of [['help'], ['--help'], ['audit', '--help']]) {
      const { status, stdout } = await command(parameters);
      expect(status).toBe(0);
      expect(stdout).toContain('audit as-of --company ID --unit KEY --at TIME');
    }
  });
});

describe('a log that was changed', () => {
  test('audit verify names the event whose stored value has one other byte', async () => {
    const copy = await copied();
    const file = join(copy.path, STORE_FOLDER, 'data.mdb');
    const bytes = await readFile(file);
    // Earlier pages may hold older copies of the same event.
    for (let at = bytes.indexOf('the victim'); at >= 0; at = bytes.indexOf('the victim', at)) {
      bytes.write('tho', at);
    }
    await writeFile(file, bytes);
    const { status, stdout } = await command(['audit', 'verify'], copy.path);
    await copy.remove();
    expect(status).toBe(1);
    expect(stdout).toMatch(
      new RegExp(
        `^FAULT: stream unit-${setup.company_id}\\.victim, revision 0, event [0-9a-f-]{36} \\(UnitRegistered\\): ` +
          'its content changed after it was written .*\n$',
      ),
    );
  });

  test.each([
    ['cut off', (text: string) => text.slice(0, -1)],
    ['no event', () => '[1,2]'],
  ])('audit verify names the place of one that is %s', async (_, change) => {
    const copy = await copied();
    const store = join(copy.path, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
    const events = database.table('events');
    const [last] = [...events.entries({ start: '\xff', end: '\0', reverse: true, limit: 1 })];
    await database.enqueue((group) => group.put(events, last!.key, change(last!.value)));
    await database.close();
    const { status, stdout } = await command(['audit', 'verify'], copy.path);
    await copy.remove();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^FAULT: The event at position 14 \(.*\) cannot be read\.\n$/);
  });
});

describe('a view that was edited by hand', () => {
  /** No time passes: the command need not wait for a service that may be writing. */
  const quickClock: Clock = {
    now: () => systemClock.now(),
    after: (_, task) => {
      setImmediate(task);
      return () => undefined;
    },
  };

  async function verifyOn(data_dir: string): Promise<readonly [number, string]> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const environment = readEnvironment({ DATA_DIR: data_dir });
    const status = await auditVerify({ isLogOnly: false }, environment, { stdout, stderr }, quickClock);
    return [status, String(stdout.read())];
  }

  test('is named by audit verify, with its fields and without their values', async () => {
    const copy = await copied();
    const views = await openEmbeddedViews(copy.path, systemClock);
    const units = await views.collection(UNITS);
    const [unit] = await units.page(undefined, 1);
    const document = { ...unit!, unit_name: 'secret', override: { kind: 'grant' } };
    await views.write([{ kind: 'put', collection: UNITS.name, document }]);
    await views.close();
    expect(await verifyOn(copy.path)).toEqual([
      1,
      `FAULT: document ${unit!._id} of the view units differs from the log at revision ${unit!.revision}, in unit_name, override. To make the views anew, run storage-access views rebuild\n`,
    ]);
    await copy.remove();
  });

  test('is not looked for where there are no views', async () => {
    const copy = await copied();
    await rm(join(copy.path, 'views'), { recursive: true });
    expect(await verifyOn(copy.path)).toEqual([
      0,
      expect.stringContaining('; compared: chains, records; not compared: views (there are none yet), '),
    ]);
    await copy.remove();
  });
});

describe('an index of the log that was changed', () => {
  test('audit verify names the stream that leads to the events of another', async () => {
    const copy = await copied();
    const store = join(copy.path, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
    const streams = database.table('streams');
    const entries = [...streams.entries({ start: '\0', end: '\xff' })];
    const units = entries.filter(({ key }) => key.includes('unit-'));
    await database.enqueue((group) => group.put(streams, units[0]!.key, units[1]!.value));
    await database.close();
    const { status, stdout } = await command(['audit', 'verify'], copy.path);
    await copy.remove();
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^FAULT: stream (unit-\S+), revision 0, event .*: a read of its stream returns revision 0 of unit-\S+ instead\.\n$/,
    );
  });
});

describe('an event beside the log', () => {
  test('audit verify and audit history name the stream that leads to position 0', async () => {
    const copy = await copied();
    const store = join(copy.path, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
    const tables = (['events', 'revisions', 'streams'] as const).map((name) => database.table(name));
    const [events, revisions, streams] = tables as [StoreTable, StoreTable, StoreTable];
    const head = [...streams.entries({ start: '\0', end: '\xff' })].find(({ key }) =>
      key.endsWith('.victim'),
    )!;
    const [number, revision] = head.value.split(',').map(Number) as [number, number];
    const last = revisions.get(integerBytes(number) + integerBytes(revision))!;
    const [stream, , ...rest] = JSON.parse(events.get(integerBytes(Number(last)))!) as unknown[];
    await database.enqueue((group) => {
      group.put(events, integerBytes(0), JSON.stringify([stream, revision + 1, ...rest]));
      group.put(revisions, integerBytes(number) + integerBytes(revision + 1), '0');
      group.put(streams, head.key, `${number},${revision + 1}`);
    });
    await database.close();
    const unreadable = `The event at position 0 (of stream ${stream as string}) cannot be read.\n`;
    const verified = await command(['audit', 'verify'], copy.path);
    expect(verified).toMatchObject({ status: 1, stdout: `FAULT: ${unreadable}` });
    const told = await command(['audit', 'history', ...named('victim')], copy.path);
    expect(told).toMatchObject({ status: 1, stdout: '', stderr: `storage-access: ${unreadable}` });
    await copy.remove();
  });
});

/** Gives the operator of the setup a second factor, which is lost at once. */
async function setSecondFactor(): Promise<void> {
  const send = async (method: Method, path: string, body: object, token?: string) =>
    (await service.client.call(method, `/api/operator${path}`, { body, ...(token ? { token } : {}) })).body
      .data;
  const { token } = await send('post', '/sessions', OPERATOR);
  const { setup: begun, secret } = await send(
    'post',
    '/session/second-factor',
    { current: OPERATOR.password },
    token,
  );
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { recovery_codes } = await send('put', '/session/second-factor', { setup: begun, code }, token);
  expect(recovery_codes).toHaveLength(10);
}

describe('without a running service', () => {
  test('views are made anew and operators are given passwords, and the service answers as before and lets them in', async () => {
    const before = await push('get', `/${encodeURIComponent(UNIT)}`);
    await setSecondFactor();
    expect(await service.stop()).toBe(0);
    await rm(join(folder.path, 'views'), { recursive: true });
    expect(await command(['views', 'rebuild'])).toEqual({
      status: 0,
      stdout: 'ok: the views hold 16 events\n',
      // On a slow machine it says how far it is.
      stderr: expect.stringMatching(/^(applied \d+.*\n)*$/),
    });
    const run = async (...parameters: string[]) => {
      const { status, stdout, stderr } = await command(['operators', ...parameters]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const [added] = await run('add', '--email', 'bob@localhost');
    const [reset] = await run('reset', '--email', OPERATOR.email);
    expect(reset.second_factor).toBe(true);
    const [freed] = await run('remove-second-factor', '--email', OPERATOR.email);
    expect(freed).toMatchObject({ email: OPERATOR.email, second_factor: false });
    expect(added).toMatchObject({ email: 'bob@localhost', role: 'admin', companies: null, disabled: false });
    expect((await run('list')).map(({ email, password }) => [email, password])).toEqual([
      [OPERATOR.email, undefined],
      ['bob@localhost', undefined],
    ]);
    const bad = await command(['operators', 'add', '--email', 'bad']);
    expect([bad.status, bad.stderr]).toEqual([2, expect.stringContaining('must be a valid email address')]);
    const again = await command(['operators', 'add', '--email', 'BOB@localhost']);
    expect([again.status, again.stderr]).toEqual([
      1,
      expect.stringContaining('An operator has this e-mail already'),
    ]);
    service = await ServiceProcess.start(folder.path);
    expect(await push('get', `/${encodeURIComponent(UNIT)}`)).toEqual(before);
    const login = async (email: string, password: string) =>
      (await service.client.call('post', '/api/operator/sessions', { body: { email, password } })).status;
    expect(await login('bob@localhost', added.password)).toBe(201);
    expect(await login(OPERATOR.email, reset.password)).toBe(201);
    expect(await login(OPERATOR.email, OPERATOR.password)).toBe(401);
  });

  test('a start warns that passwords are off and no admin is linked; operators reset lets one in', async () => {
    const data = await temporaryFolder();
    const environment = {
      OIDC_ISSUER: 'http://127.0.0.1:9/',
      OIDC_CLIENT_ID: 'storage-access',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_ONLY: 'true',
    };
    const started = () => ServiceProcess.start(data.path, { environment });
    const login = async (at: ServiceProcess, password: string) =>
      (await at.client.call('post', '/api/operator/sessions', { body: { email: OPERATOR.email, password } }))
        .status;
    const warns = ({ lines }: ServiceProcess) =>
      lines.some((line) => line.includes('OIDC_ONLY is set, and no admin of all companies is linked'));
    let off = await started();
    try {
      await waitUntil(() => warns(off));
      expect(await login(off, OPERATOR.password)).toBe(403);
      expect(await off.stop()).toBe(0);
      const parameters = ['operators', 'reset', '--email', OPERATOR.email];
      const { status, stdout } = await command(parameters, data.path, environment);
      const { password, ...operator } = JSON.parse(stdout) as { password: string };
      expect([status, operator]).toEqual([
        0,
        expect.objectContaining({ email: OPERATOR.email, role: 'admin', disabled: false }),
      ]);
      off = await started();
      expect(await login(off, password)).toBe(201);
      expect(warns(off)).toBe(false);
    } finally {
      await off.kill();
      await data.remove();
    }
  });

  test('the program ends with the status of its command', async () => {
    const run = async (...parameters: string[]) =>
      (await startCommand(parameters, { DATA_DIR: folder.path })).ended;
    const here = await command(['audit', 'verify']);
    expect(here.stdout).toMatch(
      /^ok: [1-9]\d* events in [1-9]\d* streams; compared: chains, records, views /,
    );
    const [verified, bogus] = await Promise.all([run('audit', 'verify'), run('bogus')]);
    expect(verified).toEqual({ status: 0, stdout: here.stdout, stderr: '' });
    expect(bogus).toMatchObject({ status: 2, stdout: '' });
  });
});
