import { systemIds } from '../../src/config/ids.js';
import { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { AppliedEvents } from '../../src/writing/applied-events.js';
import { EmbeddedEventStore } from '../../src/log/embedded/embedded-event-store.js';
import { ViewsGate } from '../../src/writing/views-gate.js';
import { LogStreamWriter } from '../../src/writing/log-stream-writer.js';
import type { UnitLookup } from '../../src/sites/index.js';
import { ManualClock } from '../support/manual-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

export type Placed = NonNullable<Awaited<ReturnType<UnitLookup['unit']>>>;

/** The ports on embedded stores in a folder of their own, the units that exist, and a clock that stands still. */
export async function openSiteWorld() {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: false, clock });
  const other = await temporaryFolder();
  const viewDatabase = await openEmbeddedDatabase({ folder: other.path, durable: false, clock });
  const events = new EmbeddedEventStore(database);
  const records = new EmbeddedDocumentStore(database, clock);
  const views = new EmbeddedDocumentStore(viewDatabase, clock);
  const units = new Map<string, Placed>();
  const lookup: UnitLookup = { unit: (unit_id) => Promise.resolve(units.get(unit_id)) };
  return {
    clock,
    ids: systemIds,
    events,
    records,
    views,
    units,
    lookup,
    writer: new LogStreamWriter(events, clock, systemIds, new AppliedEvents(), new ViewsGate()),
    async close() {
      await Promise.all([events.close(), records.close(), views.close()]);
      await folder.remove();
      await other.remove();
    },
  };
}

export type SiteWorld = Awaited<ReturnType<typeof openSiteWorld>>;
