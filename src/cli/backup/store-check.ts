import { systemClock } from '../../config/clock.js';
import type { Environment } from '../../config/environment.js';
import { EmbeddedDocumentStore } from '../../documents/embedded/embedded-document-store.js';
import { demandStreamPrefix } from '../../documents/stream-prefix-record.js';
import { verifyAll } from '../../log/proof/verify.js';
import { credentialFaults } from '../../operator/index.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../storage/embedded-database.js';
import { afterAll } from '../../storage/key-encoding.js';
import { describeFault } from '../../log/proof/chain-fault.js';
import { CommandError, type Output, progressOn } from '../output.js';
import { logOn } from '../stores.js';

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
  const log = logOn(store, environment);
  const documents = new EmbeddedDocumentStore(store, systemClock);
  try {
    await demandStreamPrefix(documents, environment.eventstore_stream_prefix);
    const progress = progressOn(output, 'checked');
    const { streams, events, fault } = await verifyAll(log, { progress, streams: true });
    if (fault !== null) throw new CommandError(`The copy is not sound: ${describeFault(fault)}`);
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
