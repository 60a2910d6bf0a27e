import { systemClock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { assertStreamPrefix } from '#eventsourcing/documents/stream-prefix-record.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { credentialFaults } from '#domain/operators/index.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { afterAll } from '#stores/embedded/database/key-encoding.js';
import { describeDamage } from '#eventsourcing/log/describe-damage.js';
import { describeFault } from '#eventsourcing/proof/chain-fault.js';
import { CommandError, type Output, progressOn } from '../output.js';
import { logOn, soundStreams } from '../stores.js';

/** Numbers of things in a store. */
export interface StoreContents {
  readonly streams: number;
  readonly events: number;
  readonly records: number;
}

/**
 * Reads every event and every record of a copied store. It recomputes the hash chain, and compares API tokens and operators
 * with the log.
 * @throws CommandError for the first fault @throws OtherStreamPrefixError
 */
export async function checkStore(
  folder: string,
  environment: Environment,
  output: Output,
): Promise<StoreContents> {
  const store = await openEmbeddedDatabase({ folder, durable: true, clock: systemClock, readOnly: true });
  const log = soundStreams(logOn(store, environment));
  const documents = new EmbeddedDocumentStore(store, systemClock);
  try {
    await assertStreamPrefix(documents, environment.eventstore_stream_prefix);
    const progress = progressOn(output, 'checked');
    const { streams, events, fault } = await verifyAll(log, { progress, readsEachStream: true });
    if (fault !== null) throw new CommandError(`The copy is not sound: ${describeFault(fault)}`);
    for (const damage of log.damaged.listDamages()) output.stderr.write(`${describeDamage(damage)}\n`);
    const [planted] = await credentialFaults({ records: documents, log }, systemClock);
    if (planted !== undefined) throw new CommandError(`The copy is not sound: ${planted}`);
    return { streams, events, records: recordsOf(store) };
  } finally {
    await documents.close();
    await log.close();
  }
}

function recordsOf(store: EmbeddedDatabase): number {
  let records = 0;
  // `entries` parses each record.
  for (const { value } of store.table('documents').entries({ start: '', end: afterAll })) {
    if (value !== null) records += 1;
  }
  return records;
}
