import { MongoClient, type MongoClientOptions } from 'mongodb';
import { unavailable } from './mongodb-errors.js';
import { Patience } from './patience.js';

export interface MongoDbConnectionOptions {
  /** Connections to each server; the address' `maxPoolSize`, else the driver's 100. */
  readonly poolSize?: number | undefined;
  /** How long one call may take, in milliseconds; 4,500, so that an absent server is an answer within 5 s. */
  readonly patience?: number | undefined;
}

const defaultPatience = 4_500;
const defaultDatabase = 'storage_access';

/** What an address may ask for; anything else would be less than records need. */
const floor: Readonly<Record<string, readonly string[]>> = {
  w: ['majority'],
  journal: ['true'],
  j: ['true'],
  readconcernlevel: ['majority', 'linearizable'],
  readpreference: ['primary'],
};

/** An address that cannot be used; the message is for whoever set it and quotes no password. */
export class MongoDbAddressError extends Error {
  readonly code = 'mongodb_address';

  constructor(message: string) {
    super(message);
    this.name = 'MongoDbAddressError';
  }
}

/** The process' one client, shared by the stores upon it; it closes when the last of them does. */
export class MongoDbConnection {
  private holders = 0;

  private constructor(
    readonly client: MongoClient,
    /** The database that the address names. */
    readonly database: string,
    private readonly patienceMilliseconds: number,
  ) {}

  /**
   * @throws MongoDbAddressError for an address that is none or asks for weaker guarantees than majority, journal and primary
   * @throws StoreUnavailableError when no server answers
   */
  static async open(url: string, options: MongoDbConnectionOptions = {}): Promise<MongoDbConnection> {
    demandGuarantees(url);
    const patience = options.patience ?? defaultPatience;
    const client = makeClient(url, clientOptions(url, patience, options.poolSize));
    try {
      await new Patience(patience).call('read', () => client.connect());
    } catch (error) {
      await client.close().catch(() => undefined);
      throw error;
    }
    const named = /^[^/]+\/\/[^/]+\/([^?]+)/.exec(url)?.[1];
    const database = named === undefined ? defaultDatabase : decodeURIComponent(named);
    return new MongoDbConnection(client, database, patience);
  }

  patience(): Patience {
    return new Patience(this.patienceMilliseconds);
  }

  retain(): void {
    this.holders += 1;
  }

  /** Called once for each {@link retain}. */
  async release(): Promise<void> {
    this.holders -= 1;
    if (this.holders > 0) return;
    try {
      await this.client.close();
    } catch (error) {
      throw unavailable(error, 'read');
    }
  }
}

function clientOptions(url: string, patience: number, poolSize: number | undefined): MongoClientOptions {
  // Half of the patience, so that an interrupted call still has time to look for another server once.
  const limit = Math.ceil(patience / 2);
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
  throw new MongoDbAddressError(`The MongoDB address cannot be used: ${reason}`);
}

function demandGuarantees(url: string): void {
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  for (const [name, value] of new URLSearchParams(query)) {
    const allowed = floor[name.toLowerCase()];
    if (allowed !== undefined && !allowed.includes(value)) {
      throw new MongoDbAddressError(
        `The MongoDB address asks for ${name}=${value}; records need ${allowed.join(' or ')}.`,
      );
    }
  }
}
