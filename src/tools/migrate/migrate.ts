import { systemClock } from '../../config/clock.js';
import { readCheckedEnvironment } from '../../checked-environment.js';
import { type Environment, isOnServers } from '../../config/environment.js';
import { MongoDbConnection } from '../../documents/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '../../documents/mongodb/mongodb-document-store.js';
import {
  EventStoreDbEventStore,
  installClientRejectionHandler,
  waitUntilReachable,
} from '../../log/eventstoredb/index.js';
import { progressInLines } from '../../log/log-progress.js';
import { OwnStreams } from '../../log/own-streams.js';
import { credentialFaults } from '../../operator/index.js';
import { RECORDS_PREFIX } from '../../adapters.js';
import { compareLogs } from './compare-logs.js';
import { copyLog } from './copy-log.js';
import { compareRecords, copyRecords } from './copy-records.js';
import { MigrationError } from './migration-error.js';
import { MigrationSource } from './migration-source.js';

/** The outputs of a command: results to `stdout`, progress and faults to `stderr`. */
export interface CommandStreams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

type Variables = Readonly<Record<string, string | undefined>>;

const USAGE = `Usage: storage-access migrate

Copies the embedded stores in DATA_DIR to the servers: the event log to EVENTSTORE_URL, the records to MONGODB_URL.
The service must be stopped, and nothing else may write to the servers meanwhile. Run it again after an interruption:
it goes on where it was. Views are not copied; the service builds them from the log when it starts on the servers.
`;

/**
 * The command `migrate`. Copies the embedded log and records to the servers that the environment names and compares
 * the copy with what it was made of.
 * @returns the exit status: 0 where the servers hold everything, otherwise 1 with a line on `stderr` that says why
 */
export async function runMigrate(
  commandLine: readonly string[],
  variables: Variables,
  streams: CommandStreams,
): Promise<number> {
  if (commandLine.length > 0) {
    const isHelp = commandLine[0] === '--help' || commandLine[0] === '-h';
    (isHelp ? streams.stdout : streams.stderr).write(USAGE);
    return isHelp ? 0 : 1;
  }
  try {
    await migrate(await readCheckedEnvironment(variables), streams);
    return 0;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    streams.stderr.write(`The migration is not complete: ${text}\n`);
    return 1;
  }
}

async function migrate(environment: Environment, streams: CommandStreams): Promise<void> {
  if (!isOnServers(environment)) {
    throw new MigrationError('EVENTSTORE_URL and MONGODB_URL are not set. Set both: they are the target.');
  }
  const { eventstore_url, mongodb_url, data_dir, eventstore_stream_prefix: prefix } = environment;
  const source = await MigrationSource.open(data_dir, prefix, systemClock);
  try {
    const [planted] = await credentialFaults(source, systemClock);
    if (planted !== undefined) throw new MigrationError(planted);
    await migrateLog(source, { url: eventstore_url, streamPrefix: prefix }, streams);
    await migrateRecords(source, mongodb_url, streams);
  } finally {
    await source.close();
  }
  const secret = environment.key_master_secret === undefined ? ` (the file in ${data_dir})` : '';
  streams.stdout.write(
    `ok. Start the service on the servers with the same KEY_MASTER_SECRET${secret}, or keys already given out end.\n`,
  );
}

async function migrateLog(
  source: MigrationSource,
  server: { readonly url: string; readonly streamPrefix: string },
  { stdout, stderr }: CommandStreams,
): Promise<void> {
  const log = (line: string) => void stderr.write(`${line}\n`);
  const remove = installClientRejectionHandler(log);
  const store = new EventStoreDbEventStore({ ...server, log });
  const target = new OwnStreams(store, server.streamPrefix);
  try {
    await waitUntilReachable(store);
    const tell = (line: string) => void stderr.write(line);
    const { events, heads, copied } = await copyLog(source.log, target, progressInLines(tell, 'copied'));
    await compareLogs(heads, target, progressInLines(tell, 'compared'));
    stdout.write(
      `ok: ${events} events in ${heads.size} streams (${copied} copied now), compared, hash chains fit.\n`,
    );
  } finally {
    await target.close();
    remove();
  }
}

async function migrateRecords(
  source: MigrationSource,
  url: string,
  { stdout, stderr }: CommandStreams,
): Promise<void> {
  const connection = await MongoDbConnection.awaited(url, systemClock);
  const target = new MongoDbDocumentStore(connection, { clock: systemClock, prefix: RECORDS_PREFIX });
  try {
    const told = (verb: string) =>
      progressInLines((line) => stderr.write(line), verb, systemClock, 'records');
    const records = await copyRecords(source, target, told('copied'));
    await compareRecords(source, target, () => systemClock.now(), told('compared'));
    stdout.write(`ok: ${records} records in ${source.collections().length} collections, compared.\n`);
  } finally {
    await target.close();
  }
}
