import { systemIds } from '#kernel/ids.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { UnitLookup } from '#domain/locations/index.js';
import { ManualClock } from './manual-clock.js';
import { commandRunnerOn } from './command-runner.js';
import { temporaryFolder } from './temporary-folder.js';

export type Placed = NonNullable<Awaited<ReturnType<UnitLookup['unit']>>>;

/** The ports on embedded stores in a folder of their own, the units that exist, and a clock that stands still. */
export async function openEmbeddedWorld() {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: false, clock });
  const other = await temporaryFolder();
  const viewDatabase = await openEmbeddedDatabase({ folder: other.path, durable: false, clock });
  const events = new EmbeddedEventStore(database);
  const records = new EmbeddedDocumentStore(database, clock);
  const views = new EmbeddedDocumentStore(viewDatabase, clock);
  const units = new Map<string, Placed>();
  /** What writes to one log in a process of its own. */
  const writerOn = (log: EventStore) => commandRunnerOn(log, clock);
  const lookup: UnitLookup = { unit: (unit_id) => Promise.resolve(units.get(unit_id)) };
  return {
    folder: folder.path,
    clock,
    ids: systemIds,
    events,
    records,
    views,
    units,
    lookup,
    writerOn,
    writer: writerOn(events),
    async close() {
      await Promise.all([events.close(), records.close(), views.close()]);
      await folder.remove();
      await other.remove();
    },
  };
}

export type EmbeddedWorld = Awaited<ReturnType<typeof openEmbeddedWorld>>;
