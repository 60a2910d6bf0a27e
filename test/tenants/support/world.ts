import { join } from 'node:path';
import { systemIds } from '../../../src/config/ids.js';
import type { DocumentStore } from '../../../src/documents/document-store.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { EmbeddedDocumentStore } from '../../../src/documents/embedded/embedded-document-store.js';
import { EmbeddedEventStore } from '../../../src/log/embedded/embedded-event-store.js';
import type { EventStore } from '../../../src/log/event-store.js';
import { commandRunnerOn } from '../../support/command-runner.js';
import type { CommandRunner } from '../../../src/writing/command-runner.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

export const COMPANY = '01COMPANY00000000000000000';
export const OTHER_COMPANY = '01OTHERCOMPANY000000000000';
export const LOCATION = '01LOCATION0000000000000000';
export const OTHER_LOCATION = '01LOCATION0000000000000002';

export function keyOf(pms_tenant_id: string, location_id = LOCATION) {
  return { company_id: COMPANY, location_id, pms_tenant_id };
}

/** The stores of a service in a folder of their own, on a clock that stands still. */
export interface World {
  readonly folder: string;
  readonly clock: ManualClock;
  readonly ids: typeof systemIds;
  readonly records: DocumentStore;
  readonly views: DocumentStore;
  readonly events: EventStore;
  readonly writer: CommandRunner;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const truth = await openEmbeddedDatabase({ folder: join(folder.path, 'truth'), durable: true, clock });
  const derived = await openEmbeddedDatabase({ folder: join(folder.path, 'views'), durable: false, clock });
  const records = new EmbeddedDocumentStore(truth, clock);
  const events = new EmbeddedEventStore(truth);
  const views = new EmbeddedDocumentStore(derived, clock);
  return {
    folder: folder.path,
    clock,
    ids: systemIds,
    records,
    views,
    events,
    writer: commandRunnerOn(events, clock),
    async close() {
      await Promise.all([records.close(), events.close(), views.close()]);
      await folder.remove();
    },
  };
}

/** A view of a store that counts its calls. */
export function counting(store: DocumentStore): {
  store: DocumentStore;
  reads: () => number;
  writes: () => number;
} {
  let reads = 0;
  let writes = 0;
  const counted: DocumentStore = {
    async collection(declaration) {
      const collection = await store.collection(declaration);
      const read = <A extends unknown[], R>(method: (...given: A) => R) => {
        return (...given: A) => {
          reads += 1;
          return method.apply(collection, given);
        };
      };
      return {
        get: read((id) => collection.get(id)),
        getMany: read((ids) => collection.getMany(ids)),
        find: read((index, options) => collection.find(index, options)),
        findAny: read((index, values) => collection.findAny(index, values)),
        page: read((after, limit) => collection.page(after, limit)),
      };
    },
    write(given) {
      writes += 1;
      return store.write(given);
    },
    takeLease: (...given) => store.takeLease(...given),
    renewLease: (lease) => store.renewLease(lease),
    releaseLease: (lease) => store.releaseLease(lease),
    count: (...given) => store.count(...given),
    ping: () => store.ping(),
    close: () => store.close(),
  };
  return { store: counted, reads: () => reads, writes: () => writes };
}
