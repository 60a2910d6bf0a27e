import { mkdir, readdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../../src/config/clock.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { CheckpointKeeper } from '../../../src/projecting/checkpoint-keeper.js';
import { ownStreams } from '../../support/own-streams.js';
import { EmbeddedEventStore } from '../../../src/log/embedded/embedded-event-store.js';
import { openEmbeddedViews, STORE_FOLDER } from '../../../src/adapters.js';
import { REBUILD_REQUEST, socketAddress } from '../../../src/projecting/rebuild/index.js';
import { UNITS, type UnitDocument } from '../../../src/units/index.js';
import { IN_CAMPAIGN, upTo } from '../../support/campaign.js';
import { type CommandEnd, startCommand } from '../../support/command-process.js';
import type { HttpClient, Parsed } from '../../support/http-client.js';
import { ServiceProcess, setUpCompany } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { viewsInUse } from '../../support/views-in-use.js';
import { startLoad } from './load.js';
import { waitUntil } from '../../support/wait-until.js';
import { askForRebuild, messagesOf } from './rebuild-client.js';

const BULK = upTo(20, 500);
const UNITS_HELD = 3 * BULK;
const REBUILD = ['views', 'rebuild'] as const;

let folder: TemporaryFolder;
let data_dir: string;
let service: ServiceProcess;
let client: HttpClient;
let token: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  // Longer than a socket's address may be.
  data_dir = join(folder.path, 'a folder whose name is long enough for its sockets '.repeat(2).trim());
  await mkdir(data_dir);
  await start();
  ({ token } = await setUpCompany(service));
  for (let first = 0; first < UNITS_HELD; first += BULK) {
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
  await end('SIGKILL');
  await folder.remove();
});

async function start(): Promise<void> {
  service = await ServiceProcess.start(data_dir);
  client = service.client;
}

const end = (signal: 'SIGKILL' | 'SIGTERM') => service.end(signal);

const command = () => startCommand(REBUILD, { DATA_DIR: data_dir });
const rebuild = async () => (await command()).ended;

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

/** The end of a command whose rebuild the service did not finish: one that was faster than the signal does not count. */
async function cutOff(signal: 'SIGKILL' | 'SIGTERM'): Promise<CommandEnd> {
  for (;;) {
    const asking = await command();
    await asking.stderrHas('rebuilds the views');
    await end(signal);
    const ended = await asking.ended;
    if (ended.status !== 0) return ended;
    await start();
  }
}

/** Of a service that has ended: where its log ends and up to where its views say that they hold it. */
async function headAndCheckpoint(): Promise<[bigint, bigint | undefined]> {
  const store = join(data_dir, STORE_FOLDER);
  const database = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
  const log = ownStreams(new EmbeddedEventStore(database));
  const views = await openEmbeddedViews(await viewsInUse(data_dir), systemClock);
  const head = (await log.readAll({ limit: 1_000_000 })).at(-1)!.position;
  const checkpoint = await new CheckpointKeeper(views, systemClock).read();
  await views.close();
  await log.close();
  return [head, checkpoint];
}

describe('the command beside a running service', () => {
  it('rebuilds under load, and no read goes back or misses an acknowledged write', async () => {
    const load = await startLoad(client, token, 6);
    for (let turn = 1; turn <= upTo(1, 3); turn += 1) {
      const [writes, reads, former] = [load.writes, load.reads, await viewsInUse(data_dir)];
      const ended = await rebuild();
      expect(ended).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^ok: the views hold \d+ events\n$/),
        stderr: expect.stringMatching(`^The service \\(process ${service.pid}\\) rebuilds the views `),
      });
      expect(await viewsInUse(data_dir)).not.toBe(former);
      expect([load.writes > writes, load.reads > reads]).toEqual([true, true]);
    }
    await load.stop();
    const before = await listed();
    expect(await rebuild()).toMatchObject({ status: 0 });
    expect(await listed()).toEqual(before);
    expect(await end('SIGTERM')).toBe(0);
    expect(service.errors).toEqual([]);
    const [head, checkpoint] = await headAndCheckpoint();
    expect(checkpoint).toBe(head);
    await start();
    expect(await listed()).toEqual(before);
  });

  it('is told how far it has come, and joins the one that is under way', async () => {
    const both = await Promise.all([messagesOf(data_dir), messagesOf(data_dir)]);
    expect(both.map(([first]) => first).sort(byJoined)).toEqual([
      { kind: 'accepted', joined: false },
      { kind: 'accepted', joined: true },
    ]);
    const [done, other] = both.map((messages) => messages.at(-1)!);
    expect(done).toEqual(other);
    const progress = both[0].filter((message) => message.kind === 'applied');
    const { events } = done as { kind: 'done'; events: number };
    expect(progress.at(-1)).toEqual({ kind: 'applied', events, share: 1 });
    const commands = await Promise.all([rebuild(), rebuild()]);
    expect(commands.map(({ status }) => status)).toEqual([0, 0]);
  });

  it('goes on without whoever asked for it and went away with answers unread', async () => {
    const former = await viewsInUse(data_dir);
    const address = socketAddress(data_dir);
    const socket = connect(address.path).pause();
    socket.write(`${JSON.stringify({ request: REBUILD_REQUEST })}\n`);
    await waitUntil(
      () => viewsInUse(data_dir).catch(() => former),
      (inUse) => inUse !== former,
    );
    socket.destroy();
    address.release();
    expect(await rebuild()).toMatchObject({ status: 0 });
    expect((await client.call('get', '/health')).status).toBe(200);
    expect(service.errors).toEqual([]);
  });

  // Each starts the service anew, and it takes many units for a rebuild to last until a signal comes.
  if (IN_CAMPAIGN) {
    it('makes right what was changed in the views', async () => {
      const before = await listed();
      await end('SIGTERM');
      const views = await openEmbeddedViews(await viewsInUse(data_dir), systemClock);
      const units = await views.collection(UNITS);
      const { documents } = await units.find('by_unit_id', { equals: [], limit: 1 });
      const document: UnitDocument = { ...documents[0]!, unit_name: 'not its name' };
      await views.write([{ kind: 'put', collection: UNITS.name, document }]);
      await views.close();
      await start();
      expect((await listed()).map(({ unit_name }) => unit_name as string)).toContain('not its name');
      expect(await rebuild()).toMatchObject({ status: 0 });
      expect(await listed()).toEqual(before);
    });

    it('leaves the old or the new views whole wherever the service is killed', async () => {
      const before = await listed();
      // After so many messages, the last of which says that it is done.
      for (const messages of [1, 2, 4, Infinity]) {
        const asking = askForRebuild(data_dir);
        for (let count = 0; count < messages; count += 1) {
          const { value } = (await asking.next()) as { value: { kind: string } };
          if (value.kind === 'done') break;
        }
        await end('SIGKILL');
        await asking.return(undefined);
        await start();
        await viewsInUse(data_dir);
        expect(await listed()).toEqual(before);
      }
    });

    it.each([
      [
        'is killed',
        'SIGKILL',
        /^The service \(process \d+\) went away before it said that the views are rebuilt/,
      ],
      [
        'is told to end',
        'SIGTERM',
        /^The service \(process \d+\) did not rebuild the views: The service is ending\.$/,
      ],
    ] as const)('fails in one line where the service %s meanwhile', async (_, signal, message) => {
      const { status, stdout, stderr } = await cutOff(signal);
      const [accepted, line, ...rest] = stderr.trimEnd().split('\n');
      expect({ status, stdout, rest }).toEqual({ status: 1, stdout: '', rest: [] });
      expect(accepted).toContain('rebuilds the views');
      expect(line!.replace('storage-access: ', '')).toMatch(message);
      await start();
      await viewsInUse(data_dir);
    });
  }
});

it('lets nobody but its own user reach the service', async () => {
  expect((await stat(join(data_dir, 'service.sock'))).mode & 0o777).toBe(0o600);
});

describe('the command where no service answers', () => {
  it('says so where another holds the data', async () => {
    await end('SIGKILL');
    const store = join(data_dir, STORE_FOLDER);
    const holder = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
    // The socket of the killed one is still there.
    expect(await readdir(data_dir)).toContain('service.sock');
    const ended = await rebuild();
    await holder.close();
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      new RegExp(
        `^storage-access: Process ${process.pid} works on .* and takes no request to rebuild: .*\n$`,
      ),
    );
    await start();
  });

  it('rebuilds by itself where none runs', async () => {
    const before = await listed();
    expect(await end('SIGTERM')).toBe(0);
    const former = await viewsInUse(data_dir);
    const ended = await rebuild();
    expect({ ...ended, stderr: '' }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^ok: the views hold \d+ events\n$/),
      stderr: '',
    });
    expect(await viewsInUse(data_dir)).not.toBe(former);
    const [head, checkpoint] = await headAndCheckpoint();
    expect(checkpoint).toBe(head);
    await start();
    expect(await listed()).toEqual(before);
  });
});

const byJoined = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));
