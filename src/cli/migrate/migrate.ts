import { systemClock } from '#kernel/clock.js';
import { type Environment, isOnServers } from '#kernel/environment/environment.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { credentialFaults } from '#domain/operators/index.js';
import { switchOffNotices } from '#domain/notices/index.js';
import { switchOffSummaries } from '#domain/summaries/index.js';
import { switchOffWebhooks } from '#domain/webhooks/index.js';
import {
  CommandError,
  type Output,
  printNoticesOff,
  printSummariesOff,
  printWebhooksOff,
  progressOn,
} from '../output.js';
import { closeStores, openServers, soundStreams } from '../stores.js';
import { compareLogs } from './compare-logs.js';
import { copyLog } from './copy-log.js';
import { compareRecords, copyRecords } from './copy-records.js';
import { MigrationSource } from './migration-source.js';

/**
 * Copies the embedded log and records to the servers that the environment names, and compares both. The next run after an
 * interruption continues.
 */
export async function migrate(environment: Environment, output: Output): Promise<number> {
  if (!isOnServers(environment))
    throw new CommandError('EVENTSTORE_URL and MONGODB_URL are not set. Set both: they are the target.');
  const { data_dir, eventstore_stream_prefix } = environment;
  const source = await MigrationSource.open(data_dir, eventstore_stream_prefix, systemClock);
  try {
    const [planted] = await credentialFaults(source, systemClock);
    if (planted !== undefined) throw new CommandError(planted);
    const target = await openServers(environment);
    try {
      await migrateLog(source, soundStreams(target.eventStore), output);
      await migrateRecords(source, target.records, output);
    } finally {
      await closeStores(target);
    }
  } finally {
    await source.close();
  }
  const secret = environment.key_master_secret === undefined ? ` (the file in ${data_dir})` : '';
  output.stdout.write(
    `ok. Start the service on the servers with the same KEY_MASTER_SECRET${secret}, or keys already given out end.\n`,
  );
  return 0;
}

async function migrateLog({ log }: MigrationSource, target: EventStore, output: Output): Promise<void> {
  const { events, heads, copied } = await copyLog(log, target, progressOn(output, 'copied'));
  await compareLogs(heads, target, progressOn(output, 'compared'));
  output.stdout.write(
    `ok: ${events} events in ${heads.size} streams (${copied} copied now), compared, hash chains fit.\n`,
  );
}

async function migrateRecords(source: MigrationSource, target: DocumentStore, output: Output): Promise<void> {
  const records = await copyRecords(source, target, progressOn(output, 'copied', 'records'));
  const now = () => systemClock.now();
  await compareRecords(source, target, now, progressOn(output, 'compared', 'records'));
  printWebhooksOff(output, await switchOffWebhooks(target));
  printNoticesOff(output, await switchOffNotices(target));
  printSummariesOff(output, await switchOffSummaries(target));
  output.stdout.write(`ok: ${records} records in ${source.collections().length} collections, compared.\n`);
}
