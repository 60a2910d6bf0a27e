import { readFileSync } from 'node:fs';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { EnvironmentFault, Faults } from '../../config/environment-values.js';
import { systemClock, type Clock } from '../../config/clock.js';
import { awaitServer } from '../../storage/await-server.js';
import { ServerPresence } from '../../storage/server-presence.js';
import { ServerRefusedError } from '../../storage/store.errors.js';
import { isAccessRefusal, unavailable } from './mongodb-errors.js';
import { CallDeadline } from './call-deadline.js';
import { watchHeartbeats } from './heartbeat-watchdog.js';

export interface MongoDbConnectionOptions {
  /** Connections to each server; the address' `maxPoolSize`, else the driver's 100. */
  readonly poolSize?: number | undefined;
  /** How long one call may take, in milliseconds; 4,500, so that an absent server is an answer within 5 s. */
  readonly callTimeout?: number | undefined;
  /** Tells since when the server has not answered. */
  readonly clock?: Clock | undefined;
}

const defaultCallTimeout = 4_500;
const defaultDatabase = 'storage_access';

/** The options that an address may set. Others would be less than records need. */
const floor: Readonly<Record<string, readonly string[]>> = {
  w: ['majority'],
  journal: ['true'],
  j: ['true'],
  readconcernlevel: ['majority', 'linearizable'],
  readpreference: ['primary'],
};

/** An address that cannot be used; the message is for whoever set it and quotes no password. */
class MongoDbAddressError extends EnvironmentFault {
  readonly code = 'mongodb_address';

  constructor(fault: string) {
    super('MONGODB_URL', fault);
    this.name = 'MongoDbAddressError';
  }
}

/** The process' one client, shared by the stores upon it; it closes when the last of them does. */
export class MongoDbConnection {
  private holders = 0;
  private readonly stopWatchdog: () => void;

  private constructor(
    readonly client: MongoClient,
    /** The database that the address names. */
    readonly database: string,
    private readonly callTimeout: number,
    /** Whether the server answers. */
    readonly presence: ServerPresence,
  ) {
    this.stopWatchdog = watchHeartbeats(client);
  }

  /**
   * @throws MongoDbAddressError for an address that is none or asks for weaker guarantees than majority, journal and primary
   * @throws ServerRefusedError where the server wants another user, StoreUnavailableError when no server answers
   */
  static async open(url: string, options: MongoDbConnectionOptions = {}): Promise<MongoDbConnection> {
    demandGuarantees(url);
    const callTimeout = options.callTimeout ?? defaultCallTimeout;
    const presence = new ServerPresence(options.clock ?? systemClock);
    const client = makeClient(url, clientOptions(url, callTimeout, options.poolSize));
    const named = /^[^/]+\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
    const database = named === undefined ? defaultDatabase : decodeURIComponent(named);
    try {
      await new CallDeadline(callTimeout, presence).race('read', () => demandAccess(client, database));
    } catch (error) {
      await client.close().catch(() => undefined);
      throw accessRefused(client, error) ?? unavailable(error, 'read');
    }
    return new MongoDbConnection(client, database, callTimeout, presence);
  }

  /**
   * {@link open}, which waits at a start until the server answers.
   * @throws MongoDbAddressError @throws ServerRefusedError with the line to end the start with
   */
  static awaited(url: string, clock: Clock): Promise<MongoDbConnection> {
    demandGuarantees(url);
    // Only asked what the address says, never connected.
    const { hosts, tls, tlsCAFile, ca } = makeClient(url, {}).options;
    const authority = tlsCAFile === undefined ? ca : readAuthority(tlsCAFile);
    const places = hosts.flatMap(({ host, port }) =>
      host === undefined || port === undefined ? [] : [{ host, port }],
    );
    const server = {
      variable: 'MONGODB_URL',
      tls: tls ? (authority === undefined ? {} : { ca: authority }) : undefined,
      options: { tls: 'Say tls=true', plain: 'Say tls=false, if the network between is trusted' },
      places: () => places,
    };
    return awaitServer(server, () => MongoDbConnection.open(url, { clock }), clock);
  }

  /** Whether the address asks for linearizable reads. */
  get isLinearizable(): boolean {
    return (this.client.options.readConcern?.level as string | undefined) === 'linearizable';
  }

  callDeadline(): CallDeadline {
    return new CallDeadline(this.callTimeout, this.presence);
  }

  retain(): void {
    this.holders += 1;
  }

  /** Called once for each {@link retain}. */
  async release(): Promise<void> {
    this.holders -= 1;
    if (this.holders > 0) return;
    this.stopWatchdog();
    try {
      await this.client.close();
    } catch (error) {
      throw unavailable(error, 'read');
    }
  }
}

/** A login alone tells nothing where the address names no user. */
async function demandAccess(client: MongoClient, database: string): Promise<void> {
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

function readAuthority(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new MongoDbAddressError(`names with tlsCAFile a file that cannot be read (${code}): ${path}`);
  }
}

function clientOptions(url: string, callTimeout: number, poolSize: number | undefined): MongoClientOptions {
  // Half of the time of a call, so that an interrupted call still has time to look for another server once.
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
    // With the minimum above the frequency a requested check waits for a timer. It then never meets a socket that is
    // destroyed and not yet closed, on which the driver's monitor hangs.
    heartbeatFrequencyMS: 1_000,
    minHeartbeatFrequencyMS: 1_500,
    ...(poolSize === undefined ? {} : { maxPoolSize: poolSize }),
  };
}

function makeClient(url: string, options: MongoClientOptions): MongoClient {
  let reason: string;
  try {
    return new MongoClient(url, options);
  } catch (error) {
    // The driver's message does not quote the address, which may hold a password.
    reason = (error as Error).message;
  }
  throw new MongoDbAddressError(`cannot be used: ${reason}`);
}

/** All that is wrong with an address, which nothing is sent to. */
export function addressFaults(url: string): readonly EnvironmentFault[] {
  const faults = new Faults();
  for (const fault of weakerThanNeeded(url)) faults.all.push(fault);
  const tlsCAFile = faults.read(() => makeClient(url, {}))?.options.tlsCAFile;
  if (tlsCAFile !== undefined) faults.read(() => readAuthority(tlsCAFile));
  return faults.all;
}

function demandGuarantees(url: string): void {
  const [fault] = weakerThanNeeded(url);
  if (fault !== undefined) throw fault;
}

function weakerThanNeeded(url: string): MongoDbAddressError[] {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  return [...new URLSearchParams(query)].flatMap(([name, value]) => {
    const allowed = floor[name.toLowerCase()];
    if (allowed === undefined || allowed.includes(value)) return [];
    return [new MongoDbAddressError(`asks for ${name}=${value}; records need ${allowed.join(' or ')}.`)];
  });
}
