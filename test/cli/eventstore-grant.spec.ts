import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '#cli/command-line.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { EventStoreDbDouble } from '../support/eventstoredb-double/index.js';
import { AUTHORITY_FILE, testCertificate } from '../support/tls.js';

const PASSWORD = 'secret';

let double: EventStoreDbDouble;

beforeEach(async () => {
  const passwords = { admin: PASSWORD, service: PASSWORD, other: PASSWORD };
  double = await EventStoreDbDouble.start({
    tls: { ...testCertificate(), users: { passwords, readers: ['admin'] } },
  });
});
afterEach(() => double.close());

const urlOf = (user: string) =>
  `esdb://${user}:${PASSWORD}@localhost:${double.port}?tlsCAFile=${encodeURIComponent(AUTHORITY_FILE)}`;

async function grant(user: string, by?: string) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const variables = by === undefined ? {} : { EVENTSTORE_URL: urlOf(by) };
  const status = await runCommandLine(['eventstore', 'grant', '--user', user], variables, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { status, stdout: await text(stdout), stderr: await text(stderr) };
}

async function mayRead(user: string): Promise<boolean> {
  const store = new EventStoreDbEventStore({ url: urlOf(user) });
  try {
    return await store.ping().then(
      () => true,
      () => false,
    );
  } finally {
    await store.close();
  }
}

it('lets a user read all events, whoever else may, and says so where it could', async () => {
  expect(await mayRead('service')).toBe(false);
  expect(await grant('service', 'admin')).toEqual({
    status: 0,
    stdout: 'ok: service may read all events from now on.\n',
    stderr: '',
  });
  expect([await mayRead('service'), await mayRead('other')]).toEqual([true, false]);
  await grant('other', 'admin');
  expect([await mayRead('service'), await mayRead('other')]).toEqual([true, true]);
  expect((await grant('service', 'admin')).stdout).toBe('ok: service could read all events already.\n');
  const [first] = double.log.streamEvents('$$$all')!;
  expect(JSON.parse(Buffer.from(first!.data).toString())).toEqual({ $acl: { $r: ['$admins', 'service'] } });
});

it.each([
  ['by nobody', 'service', undefined, /EVENTSTORE_URL is not set/],
  ['by a user without the right', 'service', 'other', /does not let this user read \$all/],
  ['to no user', 'a user', 'admin', /The name of a user/],
])('%s is refused in one line, without a password', async (_, user, by, line) => {
  const { status, stdout, stderr } = await grant(user, by);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^storage-access: .*\n$/);
  expect(stderr).toMatch(line);
  expect(stderr).not.toContain(PASSWORD);
});
