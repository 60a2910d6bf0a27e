import { readFileSync } from 'node:fs';
import { MongoClient, type MongoClientOptions, type MongoOptions } from 'mongodb';
import { EnvironmentFault, Faults } from '#kernel/environment/environment-values.js';
import { systemClock, type Clock } from '#kernel/clock.js';
import { awaitServer } from '#stores/reaching/await-server.js';
import { ServerPresence } from '#kernel/server-presence.js';
import { ServerRefusedError } from '#kernel/errors/store.errors.js';
import type { TlsOffer } from '#stores/reaching/tls-probe.js';
import { isAccessRefusal, unavailable } from './mongodb-errors.js';
import { CallDeadline } from './call-deadline.js';
import { watchHeartbeats } from './heartbeat-watchdog.js';

export interface MongoDbConnectionOptions {
  /** Milliseconds that one call may take; 4,500 if absent, so that a request learns of an absent server within 5 s. */
  readonly callTimeout?: number | undefined;
  /** Measures since when the server has not answered. */
  readonly clock?: Clock | undefined;
}

const defaultCallTimeout = 4_500;
const defaultDatabase = 'storage_access';

/** The allowed values of these options. Other values give weaker guarantees than records need. */
const allowedValues: Readonly<Record<string, readonly string[]>> = {
  w: ['majority'],
  journal: ['true'],
  j: ['true'],
  readconcernlevel: ['majority', 'linearizable'],
  readpreference: ['primary'],
};

/** An address that cannot be used. The message is for the administrator and shows no password. */
class MongoDbAddressError extends EnvironmentFault {
  readonly code = 'mongodb_address';

  constructor(fault: string) {
    super('MONGODB_URL', fault);
  }
}

/** The one MongoDB client of the process. Its stores share it, and it closes together with the last of them. */
export class MongoDbConnection {
  #holders = 0;
  readonly #stopWatchdog: () => void;

  private constructor(
    readonly client: MongoClient,
    /** The database that the address names. */
    readonly database: string,
    private readonly callTimeout: number,
    readonly presence: ServerPresence,
  ) {
    this.#stopWatchdog = watchHeartbeats(client);
  }

  /**
   * @throws MongoDbAddressError for a malformed address, or one that asks for less than majority, journal and primary
   * @throws ServerRefusedError if the server demands another user, StoreUnavailableError if no server answers
   */
  static async open(url: string, options: MongoDbConnectionOptions = {}): Promise<MongoDbConnection> {
    assertGuarantees(url);
    const callTimeout = options.callTimeout ?? defaultCallTimeout;
    const presence = new ServerPresence(options.clock ?? systemClock);
    const client = makeClient(url, clientOptions(url, callTimeout));
    const named = /^[^/]+\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
    const database = named === undefined ? defaultDatabase : decodeURIComponent(named);
    try {
      await new CallDeadline(callTimeout, presence).race('read', () => assertAccess(client, database));
    } catch (error) {
      await client.close().catch(() => undefined);
      throw accessRefused(client, error) ?? unavailable(error, 'read');
    }
    return new MongoDbConnection(client, database, callTimeout, presence);
  }

  /**
   * Like {@link open}, but at the start of the process it waits for the server.
   * @throws MongoDbAddressError @throws ServerRefusedError with the line to print before the process ends
   */
  static awaited(url: string, clock: Clock): Promise<MongoDbConnection> {
    assertGuarantees(url);
    // This client only parses the address. It is never connected.
    const { options } = makeClient(url, {});
    const offer = offerOf(options);
    const addresses = options.hosts.flatMap(({ host, port }) =>
      host === undefined || port === undefined ? [] : [{ host, port }],
    );
    const server = {
      variable: 'MONGODB_URL',
      tls: options.tls ? offer : undefined,
      options: {
        tls: 'Set tls=true',
        plain: 'Set tls=false, if the network between is trusted',
        certificate: 'Name one with tlsCertificateKeyFile',
      },
      addresses: () => addresses,
    };
    return awaitServer(server, () => MongoDbConnection.open(url, { clock }), clock);
  }

  /** True if the address asks for linearizable reads. */
  get isLinearizable(): boolean {
    return (this.client.options.readConcern?.level as string | undefined) === 'linearizable';
  }

  callDeadline(): CallDeadline {
    return new CallDeadline(this.callTimeout, this.presence);
  }

  retain(): void {
    this.#holders += 1;
  }

  /** Called once for each {@link retain}. */
  async release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#stopWatchdog();
    try {
      await this.client.close();
    } catch (error) {
      throw unavailable(error, 'read');
    }
  }
}

/** Sends a command, because a connection without a user succeeds even if the server demands one. */
async function assertAccess(client: MongoClient, database: string): Promise<void> {
  await client.connect();
  await client.db(database).command({ listCollections: 1, nameOnly: true, authorizedCollections: true });
}

function accessRefused(client: MongoClient, error: unknown): ServerRefusedError | undefined {
  if (!isAccessRefusal(error)) return undefined;
  const { hosts, credentials } = client.options;
  const server = `MONGODB_URL: the server at ${hosts.join(', ')}`;
  if (credentials === undefined) {
    return new ServerRefusedError(`${server} requires a user. Put USER:PASSWORD@ before the host.`);
  }
  return new ServerRefusedError(
    `${server} refuses the user, the password, or the user's right to the database. Correct USER:PASSWORD@ before the host and authSource, or grant readWrite.`,
  );
}

/** As the driver connects, which reads the files itself. */
function offerOf({ tlsCAFile, tlsCertificateKeyFile, passphrase }: MongoOptions): TlsOffer {
  const own = tlsCertificateKeyFile && readTlsFile('tlsCertificateKeyFile', tlsCertificateKeyFile);
  return {
    ...(tlsCAFile && { ca: readTlsFile('tlsCAFile', tlsCAFile) }),
    ...(own && { cert: own, key: own }),
    ...(passphrase && { passphrase }),
  };
}

function readTlsFile(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new MongoDbAddressError(`names with ${option} a file that cannot be read (${code}): ${path}`);
  }
}

function clientOptions(url: string, callTimeout: number): MongoClientOptions {
  // Half of a call's time, so that an interrupted call can still find another server once.
  const limit = Math.ceil(callTimeout / 2);
  const isLinearizable = /[?&]readConcernLevel=linearizable/i.test(url);
  return {
    appName: 'storage-access-service',
    w: 'majority',
    journal: true,
    readConcern: { level: isLinearizable ? 'linearizable' : 'majority' },
    readPreference: 'primary',
    retryReads: true,
    retryWrites: true,
    ignoreUndefined: true,
    serverSelectionTimeoutMS: limit,
    connectTimeoutMS: limit,
    waitQueueTimeoutMS: limit,
    // With a minimum above the frequency, the driver's monitor never uses a destroyed socket, on which it would hang.
    heartbeatFrequencyMS: 1_000,
    minHeartbeatFrequencyMS: 1_500,
  };
}

function makeClient(url: string, options: MongoClientOptions): MongoClient {
  let reason: string;
  try {
    return new MongoClient(url, options);
  } catch (error) {
    // The driver's message never contains the address, which may contain a password.
    reason = (error as Error).message;
  }
  throw new MongoDbAddressError(`cannot be used: ${reason}`);
}

/** All faults of an address. Sends nothing to the server. */
export function addressFaults(url: string): readonly EnvironmentFault[] {
  const faults = new Faults();
  faults.all.push(...weakGuarantees(url));
  const options = faults.read(() => makeClient(url, {}))?.options;
  if (options) faults.read(() => offerOf(options));
  return faults.all;
}

function assertGuarantees(url: string): void {
  const [fault] = weakGuarantees(url);
  if (fault !== undefined) throw fault;
}

function weakGuarantees(url: string): MongoDbAddressError[] {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  return [...new URLSearchParams(query)].flatMap(([name, value]) => {
    const allowed = allowedValues[name.toLowerCase()];
    if (allowed === undefined || allowed.includes(value)) return [];
    return [new MongoDbAddressError(`asks for ${name}=${value}; records need ${allowed.join(' or ')}.`)];
  });
}
