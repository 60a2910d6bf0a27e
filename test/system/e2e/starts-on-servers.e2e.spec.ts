import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { compiledService } from '../../support/compiled-service.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { freePort } from '../../support/free-port.js';
import { refusingMongo, type RefusingMongo } from '../../support/refusing-mongo.js';
import { ServiceProcess } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { AUTHORITY_FILE, testCertificate } from '../../support/tls.js';

const HURRIED = ['-r', join(__dirname, '..', '..', 'support', 'hurried-clock.cjs')];
const PASSWORD = 'a-very-secret-word';
const USER = `service:${PASSWORD}@`;
const CA = `tlsCAFile=${encodeURIComponent(AUTHORITY_FILE)}`;

type Variables = Readonly<Record<string, string>>;
interface Said {
  /** By case: the line with its fault, or several where it has more than one. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Of both streams. */
  readonly besides: readonly string[];
}
interface End {
  readonly status: number | null;
  readonly output: readonly string[];
  readonly errors: readonly string[];
}

let data: TemporaryFolder;
/** An EventStoreDB with TLS and users, and one without. */
let secured: EventStoreDbDouble;
let plain: EventStoreDbDouble;
/** A MongoDB that refuses whoever comes, and ports that speak TLS, no TLS, and not at all. */
let refusing: RefusingMongo;
let tlsPort: number;
let plainPort: number;
let awayPort: number;
const listeners: Server[] = [];
let said: Said;
/** Of starts on servers that nobody runs. */
let silence: Said;
let end: End;

async function listening(server: Server): Promise<number> {
  listeners.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function refuseAsWebServer(socket: Socket): void {
  socket.on('error', () => undefined);
  // What is not read keeps the connection open after both have ended it.
  socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n');
}

/** What a process said on both streams while it tried to start on servers of events one after another, and of documents at once. */
async function play(
  events: Readonly<Record<string, Variables>>,
  documents: Readonly<Record<string, Variables>>,
  nodeArguments: readonly string[] = [],
): Promise<Said> {
  const script = join(__dirname, '..', '..', 'support', 'start-cases.cjs');
  const { dist, packed } = await compiledService();
  const cases = [Object.entries(events), ...Object.entries(documents).map((one) => [one])];
  const parameters = [...packed, ...nodeArguments, script, dist, data.path, JSON.stringify(cases)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, parameters);
  const lines = `${stdout}${stderr}`.split('\n').slice(0, -1);
  const faults = new Map(Object.keys({ ...events, ...documents }).map((name) => [name, [] as string[]]));
  const besides = lines.filter((line) => {
    const [name, fault] = line.split(' => ', 2);
    return fault === undefined || faults.get(name!)?.push(fault) === undefined;
  });
  return { faults, besides };
}

/** How a process of the service ends; what takes it half a minute passes within a second. */
async function endInSilence(environment: Variables): Promise<End> {
  const folder = join(data.path, 'process');
  const service = await ServiceProcess.spawn(folder, { environment, nodeArguments: HURRIED });
  const status = await service.ended;
  return { status, output: service.lines, errors: service.errors };
}

beforeAll(async () => {
  data = await temporaryFolder();
  const { certificate, key } = testCertificate();
  const users = { passwords: { service: PASSWORD, newcomer: PASSWORD }, readers: ['service'] };
  secured = await EventStoreDbDouble.start({ tls: { certificate, key, users } });
  plain = await EventStoreDbDouble.start();
  refusing = await refusingMongo();
  tlsPort = await listening(createTlsServer({ cert: certificate, key }, (socket) => socket.destroy()));
  plainPort = await listening(createPlainServer(refuseAsWebServer));
  awayPort = await freePort();
  const tls = `127.0.0.1:${secured.port}`;
  const noTls = `127.0.0.1:${plain.port}`;
  // The event store is opened first, so this MongoDB is never asked.
  const events = (place: string) => ({ EVENTSTORE_URL: place, MONGODB_URL: 'mongodb://127.0.0.1:1' });
  const documents = (place: string) => ({
    EVENTSTORE_URL: `esdb://${noTls}?tls=false`,
    MONGODB_URL: place,
  });
  const ofEvents = {
    'events: a wrong password': events(`esdb://service:wrong${PASSWORD}@${tls}?${CA}`),
    'events: a wrong password for a cluster': events(`esdb+discover://service:wrong${PASSWORD}@${tls}?${CA}`),
    'events: no password': events(`esdb://${tls}?${CA}`),
    'events: no right': events(`esdb://newcomer:${PASSWORD}@${tls}?${CA}`),
    'events: an unknown authority': events(`esdb://${USER}${tls}`),
    'events: a cluster of an unknown authority': events(`esdb://${USER}${tls},localhost:${secured.port}`),
    'events: plain to TLS': events(`esdb://${USER}${tls}?tls=false`),
    'events: TLS to plain': events(`esdb://${USER}${noTls}`),
    'events: no such file': events(`esdb://${USER}${tls}?tlsCAFile=/no/such.pem`),
    'events: an unknown option': events(`esdb://${USER}${noTls}?tls=false&tlsVerify=false`),
    'events: an unsupported option': events(`esdb://${USER}${tls}?tlsVerifyCert=false`),
  };
  const ofDocuments = {
    'documents: a wrong password': documents(`mongodb://${USER}127.0.0.1:${refusing.port}`),
    'documents: no password': documents(`mongodb://127.0.0.1:${refusing.port}`),
    'documents: an unknown authority': documents(`mongodb://${USER}127.0.0.1:${tlsPort}/?tls=true`),
    'documents: plain to TLS': documents(`mongodb://${USER}127.0.0.1:${tlsPort}`),
    'documents: TLS to plain': documents(`mongodb://${USER}127.0.0.1:${plainPort}/?tls=true`),
    'documents: no such file': documents(
      `mongodb://${USER}127.0.0.1:${tlsPort}/?tls=true&tlsCAFile=/no/such.pem`,
    ),
    'documents: an unknown option': documents(`mongodb://${USER}127.0.0.1:${tlsPort}/?tlsVerify=false`),
    'documents: no value of an option': documents(`mongodb://${USER}127.0.0.1:${tlsPort}/?tls=perhaps`),
  };
  const away = `${USER}127.0.0.1:${awayPort}`;
  const ofAbsentEvents = {
    'events: nobody there': events(`esdb://${away}`),
    'events: nobody of a cluster there': events(`esdb+discover://${away}?tls=false`),
  };
  [said, silence, end] = await Promise.all([
    play(ofEvents, ofDocuments),
    play(ofAbsentEvents, {}, HURRIED),
    endInSilence(events(`esdb://${away}`)),
  ]);
});

afterAll(async () => {
  await Promise.all([secured.close(), plain.close(), refusing.close()]);
  for (const server of listeners) server.close();
  await data.remove();
});

describe('starts on servers that cannot be used say on both streams', () => {
  it.each([
    ['events: a wrong password', /refuses the user or the password\. Correct USER:PASSWORD@/],
    ['events: a wrong password for a cluster', /refuses the user or the password\. Correct USER:PASSWORD@/],
    ['events: no password', /requires a user\. Put USER:PASSWORD@/],
    ['events: no right', /does not let this user read \$all\. Run storage-access eventstore grant/],
    [
      'events: an unknown authority',
      /certificate of 127\.0\.0\.1:\d+ cannot be verified \(unable to verify the first certificate\)\. Name .* tlsCAFile/,
    ],
    ['events: a cluster of an unknown authority', /cannot be verified .* tlsCAFile/],
    ['events: plain to TLS', /uses TLS\. Leave out tls=false/],
    ['events: TLS to plain', /does not use TLS\. Set tls=false/],
    ['events: no such file', /tlsCAFile a file that cannot be read \(ENOENT\): \/no\/such\.pem$/],
    ['events: an unknown option', /the option tlsVerify, which is unknown\. Known are connectionName/],
    ['events: an unsupported option', /tlsVerifyCert, which must be true or left out/],
    ['documents: a wrong password', /refuses the user, the password,/],
    ['documents: no password', /requires a user\. Put USER:PASSWORD@/],
    ['documents: an unknown authority', /cannot be verified .* tlsCAFile/],
    ['documents: plain to TLS', /uses TLS\. Set tls=true/],
    ['documents: TLS to plain', /does not use TLS\. Set tls=false/],
    ['documents: no such file', /tlsCAFile a file that cannot be read \(ENOENT\): \/no\/such\.pem$/],
    ['documents: an unknown option', /option tlsverify is not supported$/],
    ['documents: no value of an option', /cannot be used: tls\/ssl must be either "true" or "false"$/],
  ])('%s: one line that says what to change', (name, line) => {
    const variable = name.startsWith('events') ? 'EVENTSTORE_URL' : 'MONGODB_URL';
    const whole = expect.stringMatching(
      new RegExp(`^${variable}\\b(?!.*${PASSWORD}).*${line.source}`),
    ) as string;
    expect(said.faults.get(name)).toEqual([whole]);
  });

  const SILENCE =
    /no answer from 127\.0\.0\.1:\d+ within 30 s \(connect ECONNREFUSED 127\.0\.0\.1:\d+\)\. Start the server, or correct the address\.$/;

  it.each(['events: nobody there', 'events: nobody of a cluster there'])(
    '%s: the same, after 30 s',
    (name) => {
      const line = new RegExp(`^EVENTSTORE_URL: ${SILENCE.source}`);
      expect(silence.faults.get(name)).toEqual([expect.stringMatching(line)]);
    },
  );

  it('nothing else', () => {
    expect([...said.besides, ...silence.besides]).toEqual([]);
  });

  it('events: nobody there: the same as the last words of the process, which ends with status 1', () => {
    const line = new RegExp(`^The service did not start: EVENTSTORE_URL: ${SILENCE.source}`);
    expect(end).toEqual({ status: 1, output: [], errors: [expect.stringMatching(line)] });
  });
});
